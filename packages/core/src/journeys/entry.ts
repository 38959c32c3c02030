/** Whether an event takes a person in (once more). */
import { DAY_MS, MINUTE_MS } from '../units.ts'
import { LIMITS } from '../limits.ts'
import type { Run } from './advance.ts'
import type { Entry } from './journey.ts'

/** Why somebody was not taken in. */
export const REFUSALS = ['entered_before', 'in_it', 'same_key', 'no_key', 'min_gap', 'max_active', 'max_entries'] as const
export type Refusal = (typeof REFUSALS)[number]

/** What is known of a run of the person, whether it is over or not. `enteredAt`: milliseconds. */
export type EarlierRun = Pick<Run, 'status' | 'reason'> & { key: string; enteredAt: number }

/** `restarts`: the run that ends by it. */
export type Judged<R> = { takes: true; restarts: R | undefined } | { takes: false; reason: Refusal }

/** An event of this key, null when it lacks the one that is asked for, which arrived at `at` (milliseconds). */
export function judgeEntry<R extends EarlierRun>(
  entry: Entry | null | undefined,
  runs: readonly R[],
  key: string | null,
  at: number,
): Judged<R> {
  const no = (reason: Refusal) => ({ takes: false, reason }) as const
  if (key === null) return no('no_key')
  const { policy = 'once', minGapMinutes = 0, maxActive = LIMITS.journeyMaxActive.default, maxEntries, onRepeat = 'ignore' } = entry ?? {}
  const active = runs.filter(({ status }) => status === 'active')
  // Who begins anew is not somebody more: what is counted here are runs that went on.
  const entered = runs.filter(({ reason }) => reason !== 'restarted')
  switch (policy) {
    case 'once':
      if (runs.length > 0) return no('entered_before')
      break
    case 'after_exit':
      if (active.length > 0) return no('in_it')
      break
    case 'every_event': {
      const same = active.find((run) => run.key === key)
      if (same) return onRepeat === 'restart' ? { takes: true, restarts: same } : no('same_key')
      if (active.length >= maxActive) return no('max_active')
      break
    }
    default:
      return policy satisfies never
  }
  if (entered.some(({ enteredAt }) => at - enteredAt < minGapMinutes * MINUTE_MS)) return no('min_gap')
  if (maxEntries && entered.filter(({ enteredAt }) => at - enteredAt < maxEntries.days * DAY_MS).length >= maxEntries.count)
    return no('max_entries')
  return { takes: true, restarts: undefined }
}
