import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

/** One question of the form. */
export function Section({ title, text, beside, children }: { title: string; text?: ReactNode; beside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id} miw={0}>
      <Stack gap="md">
        <Stack gap={2}>
          <Group justify="space-between" gap="xs">
            <Title order={2} id={id}>
              {title}
            </Title>
            {beside}
          </Group>
          {text && (
            <Text size="sm" c="dimmed" component="div">
              {text}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Paper>
  )
}
