/** What apps are served of an instance when: by what is published now, what is published at moments to come, and by the schedules of these. */
import type { Schedule, Variant } from '../instance.ts'
import { isOnAir, scheduleBounds } from './select-blocks.ts'

/** From `at` (milliseconds) on this is what is published, until the next; null: nothing. `id` tells one content from another. */
export type ServingStep<T> = { at: number; published: { id: T; schedule: Schedule | null } | null }
/** `shown`: null: nothing. `until`: Infinity where nothing ends it. */
export type Period<T> = { from: number; until: number; shown: T | null }

/** From `now` on, without gaps. Of steps at one moment the last counts. `steps`: in the order of time; the first may lie before now. */
export function servingPeriods<T>(steps: readonly ServingStep<T>[], now: number): Period<T>[] {
  const periods: Period<T>[] = []
  const add = (from: number, until: number, shown: T | null) => {
    if (from >= until) return
    const last = periods.at(-1)
    if (last?.shown === shown && last.until === from) last.until = until
    else periods.push({ from, until, shown })
  }
  const first = steps[0]
  if (first && first.at > now) add(now, first.at, null)
  for (const [index, { at, published }] of steps.entries()) {
    const from = Math.max(now, at)
    const until = Math.max(from, steps[index + 1]?.at ?? Infinity)
    if (!published) {
      add(from, until, null)
      continue
    }
    const { startsAt, endsAt } = scheduleBounds(published.schedule)
    const begin = Math.min(Math.max(from, startsAt), until)
    const end = Math.max(begin, Math.min(until, endsAt))
    add(from, begin, null)
    add(begin, end, published.id)
    add(end, until, null)
  }
  return periods
}

export type ServingWarning =
  /** Apps never show it: its own end comes before, or something else is published before its start. */
  | { code: 'never_shown'; because: 'ended'; endsAt: number }
  | { code: 'never_shown'; because: 'replaced'; at: number }
  /** What apps show until then goes, and nothing stands in its place until `until`; Infinity: for good. */
  | { code: 'nothing_shown'; from: number; until: number }
  /** No device gets these variants. */
  | { code: 'variants_never_shown'; variants: string[] }

/**
 * What somebody should know before, or after, the content of `step` is published at its moment, among the other steps. `before`: the
 * steps without it.
 */
export function servingWarnings<T>(
  { at, published }: ServingStep<T> & { published: NonNullable<ServingStep<T>['published']> },
  before: readonly ServingStep<T>[],
  variants: readonly Pick<Variant, 'id' | 'weight'>[],
  now: number,
): ServingWarning[] {
  const moment = Math.max(at, now)
  const after = withStep({ at: moment, published }, before)
  const warnings: ServingWarning[] = []
  const { startsAt, endsAt } = scheduleBounds(published.schedule)
  const replacedAt = after.find((other) => other.at > moment)?.at ?? Infinity
  const isEver = isOnAir(startsAt, endsAt, Math.max(moment, startsAt)) && Math.max(moment, startsAt) < replacedAt
  if (!isEver)
    warnings.push(
      endsAt <= moment ? { code: 'never_shown', because: 'ended', endsAt } : { code: 'never_shown', because: 'replaced', at: replacedAt },
    )
  const wasShown = servingPeriods(before, moment)[0]?.shown ?? null
  const next = servingPeriods(after, moment)
  if (wasShown !== null && next[0]?.shown === null) warnings.push({ code: 'nothing_shown', from: moment, until: next[0].until })
  const unseen = variants.filter(({ weight }) => weight === 0).map(({ id }) => id)
  if (isEver && unseen.length > 0) warnings.push({ code: 'variants_never_shown', variants: unseen })
  return warnings
}

/** Behind those of the same moment, because what is done last counts. */
export function withStep<T>(step: ServingStep<T>, steps: readonly ServingStep<T>[]): ServingStep<T>[] {
  return [...steps.filter(({ at }) => at <= step.at), step, ...steps.filter(({ at }) => at > step.at)]
}
