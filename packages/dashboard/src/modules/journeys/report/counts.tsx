import { Text } from '@mantine/core'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { useFormat } from '../../../format.ts'
import { useEditor, type StepReport } from '../editor-context.tsx'
import { useReportTexts } from '../texts-report.ts'

export type Sums = { sent: number; skipped: number; failed: number; due: number }

/** Sums over all channels: an edited step may have sent on two. A webhook, or attributes that were written, count as sent. */
export function sumsOf({ sends, entered, skipped: skips }: StepReport): Sums {
  if (skips) {
    const skipped = Object.values(skips).reduce((sum, count) => sum + count, 0)
    return { sent: entered - skipped, skipped, failed: 0, due: 0 }
  }
  const channels = Object.values(sends?.channels ?? {})
  const total = (of: (channel: (typeof channels)[number]) => number) => channels.reduce((sum, channel) => sum + of(channel), 0)
  return {
    sent: total(({ sent }) => sent),
    skipped: total(({ skipped }) => Object.values(skipped).reduce((sum, count) => sum + count, 0)),
    failed: total(({ failed }) => failed),
    due: total(({ waiting }) => waiting),
  }
}

/** The counts of a step in a line, without zeros. */
export function CountsOf({ step }: { step: Step }) {
  const { reportOf, report } = useEditor()
  const t = useReportTexts()
  const format = useFormat()
  const found = reportOf(step.id)
  if (!found || !report || report.entered === 0) return null
  const { sent, skipped, failed, due } = sumsOf(found)
  const counts = (
    [
      ['waitingHere', found.waiting],
      ['nextHere', found.here - found.waiting],
      ['sent', sent],
      ['due', due],
      ['skipped', skipped],
      ['failed', failed],
      ['opened', found.inApp?.opened ?? 0],
      ['leftHere', found.left],
    ] as const
  ).filter(([, count]) => count > 0)
  return <Line parts={counts.map(([key, count]) => `${t(key)} ${format.number(count)}`)} />
}

export function EnteredCount() {
  const { report } = useEditor()
  const t = useReportTexts()
  const format = useFormat()
  if (!report || report.entered === 0) return null
  return <Line parts={[`${t('entered')} ${format.number(report.entered)}`, `${t('inItNow')} ${format.number(report.active)}`]} />
}

function Line({ parts }: { parts: string[] }) {
  return (
    <Text size="xs" component="span" truncate>
      {parts.join(' · ')}
    </Text>
  )
}
