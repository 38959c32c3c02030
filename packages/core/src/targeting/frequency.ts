import type { Rule } from './rule.ts'
import { HOUR_MS } from '../units.ts'

/** M-SEG-07. */
export const UPDATE_FREQUENCIES = ['realtime', 'hourly', 'daily', 'weekly'] as const
export type UpdateFrequency = (typeof UPDATE_FREQUENCIES)[number]

const PERIODS = { realtime: HOUR_MS, hourly: HOUR_MS, daily: 24 * HOUR_MS, weekly: 168 * HOUR_MS } as const satisfies Record<
  UpdateFrequency,
  number
>

/**
 * Milliseconds until a segment is worked out again. A realtime one follows every change of a person at once, so
 * only what time alone changes is left: looked at hourly, as often as the counts roll up (C-SEG-44). Undefined:
 * never needed.
 */
export function recomputePeriod(frequency: UpdateFrequency, rules: readonly Rule[]): number | undefined {
  return frequency === 'realtime' && !rules.some(changesWithTime) ? undefined : PERIODS[frequency]
}

/** Whether the answer for a person of whom nothing changes can be another one later. */
function changesWithTime(rule: Rule): boolean {
  if ('conditions' in rule) return rule.conditions.some(changesWithTime)
  const isMoving = rule.field === 'lifecycle' || rule.field === 'behavioral.lastActiveDays'
  return isMoving || rule.operator === 'days_ago'
}
