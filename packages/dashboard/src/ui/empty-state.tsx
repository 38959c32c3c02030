import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon: Icon
  title: string
  text: string
  /** It is alone on the page, so its title is the page's. */
  isPage?: boolean
  children?: ReactNode
}

/** Shown for an empty list: one sentence that says what to do next, and its button as children. */
export function EmptyState({ icon: Picture, title, text, isPage, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" maw={440} mx="auto" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="gray">
        <Picture size={28} stroke={1.5} aria-hidden />
      </ThemeIcon>
      <Title order={isPage ? 1 : 2} size="h2">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  )
}
