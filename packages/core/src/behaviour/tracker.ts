/**
 * A tracker is what leaves need to know of each person: events of a type, with conditions, and how much of them is
 * kept. Leaves that differ only in window, count or comparison share one.
 */
import { canonicalJson } from '../json/canonical-json.ts'
import type { Rule } from '../targeting/rule.ts'
import { typeOfLeaf, type EventLeaf } from './did.ts'
import type { Where } from './where.ts'

/** `ring`: moments kept of each person. `sum`: of what the values are kept. */
export type TrackerDefinition = { type: string; where?: Where; sum?: string; ring: number }

/** Enough for counts to 19, as nearly all are; for those to 100; and for sums, behind which hours are kept as sums. */
const RING = { few: 20, many: 101, sums: 256 } as const

export function trackerOf(leaf: EventLeaf): TrackerDefinition {
  const { where } = leaf.value
  const sum = leaf.operator === 'did' ? leaf.value.sum?.property : undefined
  const ring = sum !== undefined ? RING.sums : largestCount(leaf) < RING.few ? RING.few : RING.many
  return { type: typeOfLeaf(leaf), ...(where && { where }), ...(sum !== undefined && { sum }), ring }
}

function largestCount(leaf: EventLeaf): number {
  const count = leaf.operator === 'did' ? leaf.value.count : undefined
  return count === undefined ? 1 : count.operator === 'between' ? count.value[1] : count.value
}

/** The id of a tracker: the same definition has the same in every workspace. FNV-1a with 64 bits, base 36. */
export function trackerId(definition: TrackerDefinition): string {
  let hash = 0xcbf29ce484222325n
  for (const unit of canonicalJson(definition)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit.codePointAt(0) ?? 0)) * 0x100000001b3n)
  }
  return hash.toString(36)
}

/** The leaves about events, at any depth. */
export function listEventLeaves(rules: readonly Rule[]): EventLeaf[] {
  return rules.flatMap((rule) => ('conditions' in rule ? listEventLeaves(rule.conditions) : isEventLeaf(rule) ? [rule] : []))
}

export function isEventLeaf(rule: Rule): rule is EventLeaf {
  return 'field' in rule && rule.field.startsWith('events.')
}

/** A leaf with the id of what it needs, which is worth working out once. */
export type TrackedLeaf = { leaf: EventLeaf; tracker: string }

export function trackLeaf(leaf: EventLeaf): TrackedLeaf {
  return { leaf, tracker: trackerId(trackerOf(leaf)) }
}

/** What these rules need, by id. */
export function trackersOf(rules: readonly Rule[]): Map<string, TrackerDefinition> {
  return new Map(
    listEventLeaves(rules).map((leaf) => {
      const definition = trackerOf(leaf)
      return [trackerId(definition), definition]
    }),
  )
}
