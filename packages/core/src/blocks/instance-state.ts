import type { Schedule } from './instance.ts'
import { isOnAir, scheduleBounds } from './serving/select-blocks.ts'

export const INSTANCE_STATES = ['draft', 'scheduled', 'live', 'test', 'ended'] as const
export type InstanceState = (typeof INSTANCE_STATES)[number]

/** `isPlanned`: a revision of it is to be published at a moment to come. */
export type Publication = { isLive: boolean; isTest: boolean; isPlanned?: boolean; schedule: Schedule | null }

/**
 * The one word for what clients get of an instance at this moment (milliseconds), by the schedule of what is served.
 * `test`: only test keys see it. Whether there are changes that nobody gets yet is told beside it.
 */
export function instanceState({ isLive, isTest, isPlanned, schedule }: Publication, now: number): InstanceState {
  if (!isLive && !isTest) return isPlanned ? 'scheduled' : 'draft'
  const { startsAt, endsAt } = scheduleBounds(schedule)
  if (isOnAir(startsAt, endsAt, now)) return isLive ? 'live' : 'test'
  return now < startsAt ? 'scheduled' : 'ended'
}
