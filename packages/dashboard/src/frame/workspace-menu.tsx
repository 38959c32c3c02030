import { Group, Menu, Text, UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useInstallation, useSession } from '../session.tsx'
import { useTexts } from './texts.ts'

const NewWorkspace = lazy(async () => ({ default: (await import('./new-workspace.tsx')).NewWorkspace }))

export function WorkspaceMenu() {
  const t = useTexts()
  const { me, workspace } = useSession()
  const navigate = useNavigate()
  const { areWorkspacesOpen = true } = useInstallation() ?? {}
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <UnstyledButton aria-label={`${t('workspace')}: ${workspace.name}`} py={6} miw={0}>
            <Group gap={8} wrap="nowrap" miw={0}>
              <img src="/icon.svg" width={28} height={28} alt="" />
              <Text fw={650} truncate dir="auto" maw={{ base: 120, sm: 240 }}>
                {workspace.name}
              </Text>
              <IconChevronDown size={16} aria-hidden style={{ flexShrink: 0 }} />
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('workspace')}</Menu.Label>
          {me.workspaces.map(({ id, name }) => (
            <Menu.Item
              key={id}
              rightSection={id === workspace.id && <IconCheck size={16} aria-hidden />}
              aria-current={id === workspace.id}
              onClick={() => void navigate(`/w/${id}`)}
            >
              {name}
            </Menu.Item>
          ))}
          {areWorkspacesOpen && <Menu.Divider />}
          {areWorkspacesOpen && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNaming(true)}>
              {t('newWorkspace')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <Suspense>
          <NewWorkspace onClose={() => setNaming(false)} />
        </Suspense>
      )}
    </>
  )
}
