/**
 * What is kept of one person for one tracker: enough for an exact answer to each leaf that shares it. Times are
 * milliseconds of arrival. Folding events and merging people insert by time and keep the newest, so their order does
 * not matter.
 */
import { HOUR_MS } from '../units.ts'

/**
 * `n`: all so far; `f`, `l`: the first and the last; `a`: the newest arrivals, newest first, as many as the ring of
 * the tracker. Of a tracker with a sum also `v`: their values; `s`: the sum of all so far; `h`: sums of what no longer fits,
 * by the start of the hour.
 */
export type History = { n: number; f: number; l: number; a: number[]; v?: number[]; s?: number; h?: Record<string, number> }
/** By the id of the tracker. */
export type Histories = Readonly<Record<string, History>>

/** Own members only: ids come from outside the type. */
export function historyIn(histories: Histories | undefined, tracker: string): History | undefined {
  return histories && Object.hasOwn(histories, tracker) ? histories[tracker] : undefined
}

/** One event that a tracker takes; `value` of a tracker with a sum. */
export type Happened = { at: number; value?: number }
/** Of a tracker. `since`: what arrived before counts, but its moment is forgotten. */
export type Keeping = { ring: number; hasSum: boolean; since: number }

export function fold(history: History | undefined, events: readonly Happened[], keeping: Keeping): History | undefined {
  if (events.length === 0) return history
  const times = events.map(({ at }) => at)
  const added: History = {
    n: events.length,
    // Not spread into arguments: there may be more events than a call can take.
    f: times.reduce((first, at) => Math.min(first, at)),
    l: times.reduce((last, at) => Math.max(last, at)),
    a: times,
    ...(keeping.hasSum && { v: events.map(({ value = 0 }) => value), s: events.reduce((sum, { value = 0 }) => sum + value, 0) }),
  }
  return mergeHistories(history, added, keeping)
}

export function mergeHistories(a: History | undefined, b: History, { ring, hasSum, since }: Keeping): History {
  const parts = a ? [a, b] : [b]
  const entries = parts.flatMap((part) => part.a.map((at, index) => ({ at, value: part.v?.[index] ?? 0 })))
  const kept = entries.filter(({ at }) => at > since).sort((x, y) => y.at - x.at || y.value - x.value)
  const newest = kept.slice(0, ring)
  const merged: History = {
    n: parts.reduce((sum, { n }) => sum + n, 0),
    f: Math.min(...parts.map(({ f }) => f)),
    l: Math.max(...parts.map(({ l }) => l)),
    a: newest.map(({ at }) => at),
  }
  if (!hasSum) return merged
  merged.v = newest.map(({ value }) => value)
  merged.s = parts.reduce((sum, { s = 0 }) => sum + s, 0)
  const hours = new Map<string, number>()
  const add = (hour: number, value: number) => hour + HOUR_MS > since && hours.set(String(hour), (hours.get(String(hour)) ?? 0) + value)
  for (const part of parts) for (const [hour, value] of Object.entries(part.h ?? {})) add(Number(hour), value)
  for (const { at, value } of kept.slice(ring)) add(Math.floor(at / HOUR_MS) * HOUR_MS, value)
  if (hours.size > 0) merged.h = Object.fromEntries([...hours].sort(([x], [y]) => Number(x) - Number(y)))
  return merged
}

/** Without the moments up to `since`, which are kept no longer; the same object when it has none of them. How many there were, the first and the last stay. */
export function trimHistory(history: History, since: number): History {
  const { a, v, h } = history
  const hours = Object.entries(h ?? {}).filter(([hour]) => Number(hour) + HOUR_MS > since)
  const kept = a.findIndex((at) => at <= since)
  if (kept < 0 && hours.length === Object.keys(h ?? {}).length) return history
  const most = kept < 0 ? a.length : kept
  const { h: _hours, ...trimmed } = { ...history, a: a.slice(0, most), ...(v && { v: v.slice(0, most) }) }
  return hours.length > 0 ? { ...trimmed, h: Object.fromEntries(hours) } : trimmed
}
