/** Whether a leaf about events holds for a history, and when time alone can change that. Pure; the time is given. */
import type { JsonObject } from '../blocks/field.ts'
import { HOUR_MS } from '../units.ts'
import { lengthOf, type Ago, type Count, type Did, type EventLeaf, type Sum } from './did.ts'
import { historyIn, type Histories, type History } from './history.ts'
import type { TrackedLeaf } from './tracker.ts'

/** An event is in a window of `length` while it arrived after `now − length`. */
export function holds(leaf: EventLeaf, history: History | undefined, now: number): boolean {
  switch (leaf.operator) {
    case 'did':
      return didHold(leaf.value, history, now)
    case 'did_not':
      return !isAtLeast(1, leaf.value, history, now)
    case 'first_did':
      return history !== undefined && agoHolds(leaf.value, history.f, now)
    case 'last_did':
      return history !== undefined && agoHolds(leaf.value, history.l, now)
    default:
      return leaf satisfies never
  }
}

function agoHolds({ ago }: Ago, at: number, now: number): boolean {
  const isYounger = at > now - lengthOf(ago)
  return ago.operator === 'less_than' ? isYounger : !isYounger
}

function didHold(did: Did, history: History | undefined, now: number): boolean {
  if (!countHolds(did, history, now)) return false
  // A person without such an event has no sum, whatever it would be compared with.
  return did.sum === undefined || (isAtLeast(1, did, history, now) && sumHolds(did.sum, sumIn(did, history, now)))
}

function countHolds(did: Did, history: History | undefined, now: number): boolean {
  const atLeast = (count: number) => isAtLeast(count, did, history, now)
  const { count } = did
  if (count === undefined) return atLeast(1)
  switch (count.operator) {
    case 'greater_than_or_equal':
      return atLeast(count.value)
    case 'less_than':
      return !atLeast(count.value)
    case 'equals':
      return atLeast(count.value) && !atLeast(count.value + 1)
    case 'between':
      return atLeast(count.value[0]) && !atLeast(count.value[1] + 1)
    default:
      return count satisfies never
  }
}

function isAtLeast(count: number, { within }: Pick<Did, 'within'>, history: History | undefined, now: number): boolean {
  if (count === 0) return true
  if (!history) return false
  if (within === undefined) return history.n >= count
  const at = history.a[count - 1]
  return at !== undefined && at > now - lengthOf(within)
}

function sumHolds(sum: Sum, found: number): boolean {
  switch (sum.operator) {
    case 'greater_than':
      return found > sum.value
    case 'greater_than_or_equal':
      return found >= sum.value
    case 'less_than':
      return found < sum.value
    case 'less_than_or_equal':
      return found <= sum.value
    case 'between':
      return sum.value[0] <= found && found <= sum.value[1]
    default:
      return sum satisfies never
  }
}

/** What no longer fits into the ring leaves the window by the hour: an hour counts while any of it is in the window. */
function sumIn({ within }: Pick<Did, 'within'>, history: History | undefined, now: number): number {
  if (!history) return 0
  if (within === undefined) return history.s ?? 0
  const from = now - lengthOf(within)
  const newest = history.a.reduce((sum, at, index) => (at > from ? sum + (history.v?.[index] ?? 0) : sum), 0)
  return Object.entries(history.h ?? {}).reduce((sum, [hour, value]) => (Number(hour) + HOUR_MS > from ? sum + value : sum), newest)
}

/** The next moment at which time alone can change the answer; undefined: never. */
export function changesAt(leaf: EventLeaf, history: History | undefined, now: number): number | undefined {
  if (!history) return undefined
  const length = lengthOf(leaf.operator === 'did' || leaf.operator === 'did_not' ? (leaf.value.within ?? {}) : leaf.value.ago)
  if (length === 0) return undefined
  const ends = momentsOf(leaf, history).map((at) => at + length)
  return ends.reduce<number | undefined>((next, end) => (end > now && (next === undefined || end < next) ? end : next), undefined)
}

/** The next moment at which time alone can turn one of these leaves; null: never. */
export function nextTurn(leaves: readonly TrackedLeaf[], histories: Histories, now: number): number | null {
  return leaves.reduce<number | null>((next, { leaf, tracker }) => {
    const at = changesAt(leaf, historyIn(histories, tracker), now)
    return at !== undefined && (next === null || at < next) ? at : next
  }, null)
}

/** The moments that decide, by leaving the window. */
function momentsOf(leaf: EventLeaf, { f, l, a, h }: History): number[] {
  if (leaf.operator === 'first_did') return [f]
  if (leaf.operator === 'last_did') return [l]
  if (leaf.operator === 'did' && leaf.value.sum) return [...a, ...Object.keys(h ?? {}).map((hour) => Number(hour) + HOUR_MS)]
  const count = leaf.operator === 'did' ? leaf.value.count : undefined
  return bordersOf(count).flatMap((border) => a[border - 1] ?? [])
}

/** The counts at which the answer turns. */
function bordersOf(count: Count | undefined): number[] {
  if (count === undefined) return [1]
  if (count.operator === 'equals') return [count.value, count.value + 1]
  if (count.operator === 'between') return [count.value[0], count.value[1] + 1]
  return [count.value]
}

/** What was found, for an explanation: how many in the window, the first and the last ever, and when time changes the answer. */
export function evidenceOf(leaf: EventLeaf, history: History | undefined, now: number): JsonObject {
  const iso = (at: number) => new Date(at).toISOString()
  if (!history) return { count: 0 }
  const within = leaf.operator === 'did' || leaf.operator === 'did_not' ? leaf.value.within : undefined
  const from = within === undefined ? undefined : now - lengthOf(within)
  const next = changesAt(leaf, history, now)
  return {
    count: from === undefined ? history.n : history.a.filter((at) => at > from).length,
    ...(leaf.operator === 'did' && leaf.value.sum && { sum: sumIn(leaf.value, history, now) }),
    first: iso(history.f),
    last: iso(history.l),
    ...(next !== undefined && { changesAt: iso(next) }),
  }
}
