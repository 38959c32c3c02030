/** A rule on events while it is edited. */
import type { Json } from '@contentflow/core/blocks/field.ts'
import { readEventLeaf, typeOfLeaf, type EventLeaf, type EventOperator } from '@contentflow/core/behaviour/did.ts'
import type { WhereLeaf } from '@contentflow/core/behaviour/where.ts'
import { VALUELESS_OPERATORS, type Operator } from '@contentflow/core/targeting/operators.ts'

/** The server says what is wrong with a pattern; here only what is missing. */
export function isWholeEvent(leaf: EventLeaf): boolean {
  const { field, operator, value } = leaf
  return typeOfLeaf(leaf).trim() !== '' && readEventLeaf({ field, operator, value }, () => undefined).ok
}

export function newEvent(): EventLeaf {
  return { field: 'events.', operator: 'did', value: { within: { days: 14 } } }
}

/** What the other operator can take over. */
export function withOperator(leaf: EventLeaf, operator: EventOperator): EventLeaf {
  const { field } = leaf
  const where = leaf.value.where && { where: leaf.value.where }
  const within = 'within' in leaf.value && leaf.value.within ? { within: leaf.value.within } : {}
  switch (operator) {
    case 'did':
      return { field, operator, value: { ...within, ...where } }
    case 'did_not':
      return { field, operator, value: { ...within, ...where } }
    case 'first_did':
    case 'last_did':
      return { field, operator, value: { ago: { operator: 'less_than', ...('within' in within ? within.within : { days: 7 }) }, ...where } }
    default:
      return operator satisfies never
  }
}

/** The same leaf with members of its value replaced; undefined takes one out. */
export function withValue(leaf: EventLeaf, changes: Record<string, unknown>): EventLeaf {
  const value = Object.fromEntries(Object.entries({ ...leaf.value, ...changes }).filter(([, member]) => member !== undefined))
  return { ...leaf, value } as EventLeaf
}

/** Comparisons that the form offers for a property; others are kept as they are. */
export const OFFERED: readonly Operator[] = [
  'equals',
  'not_equals',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'contains',
  'not_contains',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
]

/** The conditions of the form, when they are one level of comparisons that it offers. */
export function plainConditions(leaf: EventLeaf): WhereLeaf[] | undefined {
  const { where } = leaf.value
  if (!where) return []
  if (where.logicalOperator !== 'AND') return undefined
  const plain = where.conditions.filter(
    (part): part is WhereLeaf => !('conditions' in part) && OFFERED.includes(part.operator) && typeof part.value !== 'object',
  )
  return plain.length === where.conditions.length ? plain : undefined
}

export function withConditions(leaf: EventLeaf, conditions: readonly WhereLeaf[]): EventLeaf {
  return withValue(leaf, { where: conditions.length === 0 ? undefined : { logicalOperator: 'AND', conditions } })
}

/** A name as it is typed: members of events by their own name, everything else is a property. */
export function fieldOf(name: string): string {
  return ['value', 'currency', 'screen', 'platform', 'blockKey', 'instanceId', 'campaignId', 'fenceId', 'sessionId'].includes(name)
    ? name
    : `properties.${name}`
}

/** Text that looks like a number is compared as a number, because apps send totals as numbers. */
export function typedValue(text: string): Json {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

export function withComparison(condition: WhereLeaf, operator: Operator): WhereLeaf {
  const { field, value = '' } = condition
  return VALUELESS_OPERATORS.has(operator) ? { field, operator } : { field, operator, value }
}
