import { Badge } from '@mantine/core'
import type { AuditEntry } from '@contentflow/server/wire.ts'
import { useAuditTexts } from './texts.ts'

const COLOURS = { done: 'teal', refused: 'orange', failed: 'red', read: 'gray' } as const

/** What came of something, in a word. */
export function OutcomeBadge({ outcome }: { outcome: AuditEntry['outcome'] }) {
  const t = useAuditTexts()
  return (
    <Badge variant="light" color={COLOURS[outcome]} tt="none">
      {t(`outcome_${outcome}`)}
    </Badge>
  )
}
