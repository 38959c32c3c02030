import type { Parsed } from './definition.ts'
import { byPriority } from './serving/select-blocks.ts'

/** `publishedAt`: to live, milliseconds; undefined for what is not live. */
export type OrderedInstance = { id: string; priority: number; publishedAt: number | undefined }

/** The bound of a priority, either way. */
const HIGHEST = 1_000_000

/**
 * The priorities, by id, that bring instances into the order they are given in; only those that have to change. Of the
 * two ways, raising what must come before and lowering what must come after, the one that changes less.
 */
export function planOrder(wanted: readonly OrderedInstance[]): Parsed<Map<string, number>> {
  const plans = [raise(wanted), lower(wanted)].filter((plan) => [...plan.values()].every((priority) => Math.abs(priority) <= HIGHEST))
  const [best] = plans.sort((a, b) => a.size - b.size)
  return best ? { ok: true, value: best } : { ok: false, error: `a priority would be beyond ${HIGHEST}` }
}

function raise(wanted: readonly OrderedInstance[]): Map<string, number> {
  const changes = new Map<string, number>()
  let next: OrderedInstance | undefined
  for (const placed of wanted.toReversed()) {
    if (next && !isBefore(placed, next)) next = move(changes, placed, next.priority + 1)
    else next = placed
  }
  return changes
}

function lower(wanted: readonly OrderedInstance[]): Map<string, number> {
  const changes = new Map<string, number>()
  let previous: OrderedInstance | undefined
  for (const placed of wanted) {
    if (previous && !isBefore(previous, placed)) previous = move(changes, placed, previous.priority - 1)
    else previous = placed
  }
  return changes
}

function move(changes: Map<string, number>, placed: OrderedInstance, priority: number): OrderedInstance {
  changes.set(placed.id, priority)
  return { ...placed, priority }
}

/** Equal priorities decide by publication, which may still come for what is not live. */
function isBefore(a: OrderedInstance, b: OrderedInstance): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority
  if (a.publishedAt === undefined || b.publishedAt === undefined) return false
  return byPriority({ ...a, publishedAt: a.publishedAt }, { ...b, publishedAt: b.publishedAt }) < 0
}
