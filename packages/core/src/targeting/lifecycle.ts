import { DAY_MS } from '../units.ts'

/** C-SEG-38 to C-SEG-42, in the order they are tried. */
export const LIFECYCLE_STAGES = ['new', 'churned', 'dormant', 'at-risk', 'engaged', 'active'] as const
export type LifecycleStage = (typeof LIFECYCLE_STAGES)[number]

/** What a stage is computed from. Times are milliseconds. */
export type LifecycleFacts = {
  /** When the profile was created. */
  createdAt: number
  /** The last identify or accepted event; absent for a person who was only loaded in bulk, and then the creation counts. */
  lastActiveAt?: number
  /** Accepted events of the last 30 days. */
  recentEvents: number
}

const FEW_EVENTS = 3
const MANY_EVENTS = 20

/** C-SEG-38 to C-SEG-43, G-77: computed when read, the first match wins; 30 days exactly is not under 30, 90 exactly is not over 90. */
export function lifecycleStage({ createdAt, lastActiveAt = createdAt, recentEvents }: LifecycleFacts, now: number): LifecycleStage {
  const inactive = now - lastActiveAt
  if (now - createdAt < 30 * DAY_MS) return 'new'
  if (inactive > 90 * DAY_MS) return 'churned'
  if (inactive > 60 * DAY_MS) return 'dormant'
  if (inactive > 30 * DAY_MS || recentEvents < FEW_EVENTS) return 'at-risk'
  return recentEvents >= MANY_EVENTS ? 'engaged' : 'active'
}
