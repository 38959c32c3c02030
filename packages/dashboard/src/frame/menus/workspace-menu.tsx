import { Group, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useSession } from '../../session.tsx'
import { LazyMenu } from './lazy-menu.tsx'
import { useTexts } from '../texts.ts'

export const loadWorkspaceItems = async () => (await import('./workspace-items.tsx')).WorkspaceItems

export function WorkspaceMenu() {
  const t = useTexts()
  const { workspace } = useSession()
  return (
    <LazyMenu load={loadWorkspaceItems} aria-label={`${t('workspace')}: ${workspace.name}`} py={6} miw={0}>
      <Group gap={8} wrap="nowrap" miw={0}>
        <img src="/icon.svg" width={28} height={28} alt="" />
        <Text fw={650} truncate dir="auto" maw={{ base: 120, sm: 240 }}>
          {workspace.name}
        </Text>
        <IconChevronDown size={16} aria-hidden style={{ flexShrink: 0 }} />
      </Group>
    </LazyMenu>
  )
}
