/** Which of several values of one attribute holds, and why the others do not (M-PRIO-02 to M-PRIO-04, G-49). */
import type { Priorities, ImportSource } from './priorities.ts'

export type LoadedValue = { name: string; source: string; upload_id: string; loaded_at: Date; expires_at: Date | null }
/** `outranked`: a higher source wins; `older`: a newer load of a source as high wins. */
export type Standing = 'holds' | 'outranked' | 'older' | 'ended'

/** Each with how it stands; in the order of names, of one name the best first. The SQL that writes what holds orders the same way. */
export function rankValues<T extends LoadedValue>(
  said: readonly T[],
  priorities: Priorities,
  now: Date,
): { value: T; standing: Standing }[] {
  const rank = ({ source }: LoadedValue) => priorities[source as ImportSource] ?? 0
  const hasEnded = ({ expires_at }: LoadedValue) => expires_at !== null && expires_at <= now
  const ordered = said.toSorted(
    (a, b) =>
      compare(a.name, b.name) ||
      Number(hasEnded(a)) - Number(hasEnded(b)) ||
      rank(b) - rank(a) ||
      b.loaded_at.getTime() - a.loaded_at.getTime() ||
      compare(b.upload_id, a.upload_id),
  )
  let best: T | undefined
  return ordered.map((value) => {
    if (hasEnded(value)) return { value, standing: 'ended' }
    if (best?.name !== value.name) {
      best = value
      return { value, standing: 'holds' }
    }
    return { value, standing: rank(value) < rank(best) ? 'outranked' : 'older' }
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
