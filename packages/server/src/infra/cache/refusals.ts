import { ApiError } from '../../errors.ts'
import type { Clock } from '../clock.ts'
import type { Signals } from '../signals/signals.ts'
import { GenerationalCacheByWorkspace } from './generational-cache-by-workspace.ts'

/** What is refused, and of which installation. */
type RefusalKey = { workspaceId: string; deviceId: string; what: string }
export type Refusals = { <T>(asked: RefusalKey, work: () => Promise<T>): Promise<T> }
type Refusal = { what: string; error: ApiError; until: number }

const INSTALLATIONS_HELD = 10_000
/** How many refusals are kept of one installation: each by its kind and its user. */
const KINDS_HELD = 4
/** Short beside the bounds, which are of an hour and of a day: nobody is refused much longer than they should be. */
const KEPT_MS = 5_000

/**
 * A bound of an hour or of a day refuses whoever comes again at once, without a look into the database: a crowd of what is refused
 * costs nothing. Whatever is told of the installation ends it, because it may be somebody else's by then.
 */
export function openRefusals({ signals, clock }: { signals: Signals; clock: Clock }): Refusals {
  const known = new GenerationalCacheByWorkspace<readonly Refusal[]>(INSTALLATIONS_HELD)
  signals.on('device', ({ workspaceId, deviceId }) => known.delete(workspaceId, deviceId))
  return async ({ workspaceId, deviceId, what }, work) => {
    const before = known.get(workspaceId, deviceId)?.find((refusal) => refusal.what === what && clock.ms() < refusal.until)
    if (before) throw before.error
    try {
      return await work()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'USER_RATE_LIMITED') {
        const others = (known.get(workspaceId, deviceId) ?? []).filter((refusal) => refusal.what !== what)
        known.set(workspaceId, deviceId, [...others.slice(1 - KINDS_HELD), { what, error, until: clock.ms() + KEPT_MS }])
      }
      throw error
    }
  }
}
