import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

type SectionProps = {
  title: string
  /** A sentence on what it is for. */
  text?: ReactNode
  /** Shown at the other end of the title. */
  aside?: ReactNode
  /** The anchor for links from elsewhere on the page. */
  anchor?: string
  children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Section({ title, text, aside, anchor, children }: SectionProps) {
  const id = useId()
  return (
    <Paper
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      component="section"
      aria-labelledby={id}
      id={anchor}
      tabIndex={anchor === undefined ? undefined : -1}
      miw={0}
    >
      <Stack gap="md">
        <Stack gap={6}>
          <Group justify="space-between" gap="xs">
            <Title order={2} id={id}>
              {title}
            </Title>
            {aside}
          </Group>
          {text && (
            <Text size="sm" c="dimmed" maw={720} component="div">
              {text}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Paper>
  )
}
