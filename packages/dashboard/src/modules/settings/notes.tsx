/** Notes beside settings. */
import { Group, Text } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { useTexts } from './texts.ts'

/** The effect of a setting on applications. */
export function ForApps({ text }: { text: string }) {
  const t = useTexts()
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" maw={720}>
      <IconDeviceMobile size={18} stroke={1.7} aria-hidden style={{ flexShrink: 0, marginBlockStart: 2 }} />
      <Text size="sm" component="div">
        <Text span fw={600} inherit>
          {t('forApps')}
        </Text>{' '}
        {text}
      </Text>
    </Group>
  )
}

/** Shown in place of controls to members who may not use them. */
export function OnlyFor({ who }: { who: 'admins' | 'editors' }) {
  const t = useTexts()
  return (
    <Text size="sm" c="dimmed">
      {t(who === 'admins' ? 'onlyAdmins' : 'onlyEditors')}
    </Text>
  )
}
