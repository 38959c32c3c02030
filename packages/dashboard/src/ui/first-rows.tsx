import { Button, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useFormat } from '../format.ts'
import { useTexts } from './texts.ts'

/** How many come with each press. */
const STEP = 20

/** The first `count` of what is here already; `more` says how many are shown and brings the next ones. */
export function useFirstRows<T>(rows: readonly T[], label: string, count: number): { shown: T[]; more: ReactNode } {
  const t = useTexts()
  const format = useFormat()
  const [most, setMost] = useState(count)
  const shown = rows.slice(0, most)
  const more = shown.length < rows.length && (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {t('shown', { shown: format.number(shown.length), total: format.number(rows.length) })}
      </Text>
      <Button variant="default" size="compact-sm" aria-label={`${t('showMore')}: ${label}`} onClick={() => setMost(most + STEP)}>
        {t('showMore')}
      </Button>
    </Group>
  )
  return { shown, more }
}
