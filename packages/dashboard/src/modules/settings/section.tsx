import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTexts } from './texts.ts'

type SectionProps = {
  title: string
  beside?: ReactNode
  text?: ReactNode
  /** What applications notice of it. */
  effect?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** One setting: what it is, what it changes for applications, and its control. */
export function Section({ title, beside, text, effect, actions, children }: SectionProps) {
  const t = useTexts()
  const id = useId()
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby={id}>
      <Stack gap="md">
        <Stack gap={6}>
          <Group justify="space-between" gap="sm">
            <Group gap="xs">
              <Title order={2} id={id}>
                {title}
              </Title>
              {beside}
            </Group>
            {actions}
          </Group>
          {text && (
            <Text size="sm" c="dimmed" maw={720} component="div">
              {text}
            </Text>
          )}
          {effect && (
            <Group gap={8} wrap="nowrap" align="flex-start" maw={720}>
              <IconDeviceMobile size={18} stroke={1.7} aria-hidden style={{ flexShrink: 0, marginBlockStart: 2 }} />
              <Text size="sm" component="div">
                <Text span fw={600} inherit>
                  {t('forApps')}
                </Text>{' '}
                {effect}
              </Text>
            </Group>
          )}
        </Stack>
        {children}
      </Stack>
    </Paper>
  )
}

/** Said in place of controls to those who may not use them. */
export function OnlyFor({ who }: { who: 'admins' | 'editors' }) {
  const t = useTexts()
  return (
    <Text size="sm" c="dimmed">
      {t(who === 'admins' ? 'onlyAdmins' : 'onlyEditors')}
    </Text>
  )
}
