/** Events over time, beside those of the period before. */
import { toClock } from '@contentflow/core/calendar/zoned-time.ts'
import type { Activity } from '@contentflow/server/wire.ts'

export type Analytics = Activity

export const SPANS = ['24h', '7d', '30d'] as const
export type Span = (typeof SPANS)[number]

const HOUR = 3_600_000
const DAY = 86_400_000
/** Points of a line, and how far they are apart: hours, or days of the workspace. */
const LENGTHS: Record<Span, { interval: 'hour' | 'day'; points: number }> = {
  '24h': { interval: 'hour', points: 24 },
  '7d': { interval: 'day', points: 7 },
  '30d': { interval: 'day', points: 30 },
}

export function readSpan(text: string): Span {
  return SPANS.find((span) => span === text) ?? '7d'
}

export type Range = { interval: 'hour' | 'day'; from: string; to: string }

/** The span up to `now`, its last unit begun but not over, and the one of the same length before it. A range of days names its last one. */
export function rangesOf(span: Span, now: number, timeZone: string): { current: Range; before: Range } {
  const { interval, points } = LENGTHS[span]
  if (interval === 'day') {
    const today = Date.parse(toClock(now, timeZone).slice(0, 10))
    const dayOf = (back: number) => new Date(today - back * DAY).toISOString().slice(0, 10)
    const range = (from: number, to: number) => ({ interval, from: dayOf(from), to: dayOf(to) })
    return { current: range(points - 1, 0), before: range(2 * points - 1, points) }
  }
  const end = (Math.floor(now / HOUR) + 1) * HOUR
  const middle = end - points * HOUR
  const range = (from: number, to: number) => ({ interval, from: new Date(from).toISOString(), to: new Date(to).toISOString() })
  return { current: range(middle, end), before: range(middle - points * HOUR, middle) }
}

export type Point = { at: string; current: number; before: number | undefined }

/** Each point with the one that stood in its place a span earlier. */
export function pointsOf(current: Analytics, before: Analytics | undefined): Point[] {
  return current.series.map(({ at, date = at, total }, index) => ({ at: date, current: total, before: before?.series[index]?.total }))
}

/** The relative change from `before` to `now`; undefined where there is nothing to compare with. */
export function growth(now: number, before: number | undefined): number | undefined {
  return before ? (now - before) / before : undefined
}
