import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

type PageProps = {
  title: string
  /** Replaces the title where it is edited; it brings its own heading. */
  titleField?: ReactNode
  /** Shown beside the title, such as a state. */
  beside?: ReactNode
  subtitle?: ReactNode
  /** Pages above this one, outermost first. */
  path?: { label: string; to: string }[]
  actions?: ReactNode
  children: ReactNode
}

/** The head and body of every page. */
export function Page({ title, titleField, beside, subtitle, path, actions, children }: PageProps) {
  useDocumentTitle(`${title} · ContentFlow`)
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        {path && (
          <Breadcrumbs separatorMargin={6} fz="sm">
            {path.map(({ label, to }) => (
              <Anchor key={to} component={Link} to={to} size="sm">
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="center" gap="sm">
          <Group gap="sm" miw={0} {...(titleField !== undefined && { flex: '1 1 320px' })}>
            {titleField ?? (
              <Title order={1} style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Title>
            )}
            {beside}
          </Group>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {subtitle && (
          <Text c="dimmed" size="sm" component="div">
            {subtitle}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  )
}
