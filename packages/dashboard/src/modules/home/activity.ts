/** What happened over time, beside what happened before that. */
import type { Activity } from '@contentflow/server/wire.ts'

export type Analytics = Activity

export const SPANS = ['24h', '7d', '30d'] as const
export type Span = (typeof SPANS)[number]

const HOUR = 3_600_000
const DAY = 86_400_000
/** Points of a line, and how far they are apart. The server counts by the hour and by the day of UTC. */
const LENGTHS: Record<Span, { interval: 'hour' | 'day'; points: number }> = {
  '24h': { interval: 'hour', points: 24 },
  '7d': { interval: 'day', points: 7 },
  '30d': { interval: 'day', points: 30 },
}

export function readSpan(text: string): Span {
  return SPANS.find((span) => span === text) ?? '7d'
}

export type Range = { interval: 'hour' | 'day'; from: string; to: string }

/** The span up to `now`, its last unit begun but not over, and the one of the same length before it. */
export function rangesOf(span: Span, now: number): { current: Range; before: Range } {
  const { interval, points } = LENGTHS[span]
  const unit = interval === 'hour' ? HOUR : DAY
  const end = (Math.floor(now / unit) + 1) * unit
  const middle = end - points * unit
  const range = (from: number, to: number) => ({ interval, from: new Date(from).toISOString(), to: new Date(to).toISOString() })
  return { current: range(middle, end), before: range(middle - points * unit, middle) }
}

export type Point = { at: string; current: number; before: number | undefined }

/** Each point with the one that stood in its place a span earlier. */
export function pointsOf(current: Analytics, before: Analytics | undefined): Point[] {
  return current.series.map(({ at, total }, index) => ({ at, current: total, before: before?.series[index]?.total }))
}

/** By which part `now` is above (or below) `before`; undefined where there was nothing to compare with. */
export function growth(now: number, before: number | undefined): number | undefined {
  return before ? (now - before) / before : undefined
}
