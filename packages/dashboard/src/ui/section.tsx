import { Group, Paper, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

type SectionProps = { title: string; /** What stands at the other end of the title. */ aside?: ReactNode; children: ReactNode }

/** A part of a page with a heading of its own. */
export function Section({ title, aside, children }: SectionProps) {
  const id = useId()
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby={id}>
      <Group justify="space-between" align="center" gap="xs" mb="md">
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  )
}
