/** The rules while they are edited: the same tree as is stored, with a key for every part so that it can be found again. */
import { isEventsField, type EventLeaf } from '@contentflow/core/behaviour/did.ts'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { Operator } from '@contentflow/core/targeting/operators.ts'
import { RULE_LIMITS, type LogicalOperator, type Rule, type SegmentRules } from '@contentflow/core/targeting/rule.ts'

export type DraftLeaf = { key: string; field: string; operator: Operator; value?: Json }
/** A row on what somebody did. */
export type DraftEvent = { key: string } & EventLeaf
export type DraftRow = DraftLeaf | DraftEvent
export type DraftGroup = { key: string; logicalOperator: LogicalOperator; conditions: DraftRule[] }
export type DraftRule = DraftRow | DraftGroup

let made = 0
function nextKey(): string {
  made++
  return `rule-${made}`
}

export function isGroup(rule: DraftRule): rule is DraftGroup {
  return 'conditions' in rule
}

export function isEvent(row: DraftRow): row is DraftEvent {
  return isEventsField(row.field)
}

export function emptyLeaf(): DraftLeaf {
  return { key: nextKey(), field: '', operator: 'equals' }
}

export function eventRow(leaf: EventLeaf): DraftEvent {
  return { key: nextKey(), ...leaf }
}

export function newGroup(logicalOperator: LogicalOperator): DraftGroup {
  return { key: nextKey(), logicalOperator, conditions: [emptyLeaf()] }
}

/** The segment's own top level is the outermost group. */
export function toDraft({ logicalOperator, rules }: SegmentRules): DraftGroup {
  return { key: nextKey(), logicalOperator, conditions: rules.map(draftOf) }
}

function draftOf(rule: Rule): DraftRule {
  if ('conditions' in rule) return toDraft({ logicalOperator: rule.logicalOperator, rules: rule.conditions })
  return { key: nextKey(), ...rule }
}

export function toRules({ logicalOperator, conditions }: DraftGroup): SegmentRules {
  return { logicalOperator, rules: conditions.map(ruleOf) }
}

function ruleOf(rule: DraftRule): Rule {
  if (isGroup(rule)) return { logicalOperator: rule.logicalOperator, conditions: rule.conditions.map(ruleOf) }
  if (isEvent(rule)) {
    const { key: _, ...leaf } = rule
    return leaf
  }
  const { field, operator, value } = rule
  return value === undefined ? { field, operator } : { field, operator, value }
}

/** The tree with the part of this key replaced. */
export function replaceRule(root: DraftGroup, next: DraftRule): DraftGroup {
  if (root.key === next.key) return isGroup(next) ? next : root
  return { ...root, conditions: root.conditions.map((rule) => replaceIn(rule, next)) }
}

function replaceIn(rule: DraftRule, next: DraftRule): DraftRule {
  if (rule.key === next.key) return next
  return isGroup(rule) ? replaceRule(rule, next) : rule
}

export function addRule(root: DraftGroup, groupKey: string, rule: DraftRule): DraftGroup {
  const conditions = root.conditions.map((each) => (isGroup(each) ? addRule(each, groupKey, rule) : each))
  return { ...root, conditions: root.key === groupKey ? [...conditions, rule] : conditions }
}

/** A group that would become empty is removed too: it would match everyone or nobody by accident. */
export function removeRule(root: DraftGroup, key: string): DraftGroup {
  const conditions = root.conditions
    .filter((rule) => rule.key !== key)
    .map((rule) => (isGroup(rule) ? removeRule(rule, key) : rule))
    .filter((rule) => !isGroup(rule) || rule.conditions.length > 0)
  return { ...root, conditions }
}

export function leavesOf(root: DraftGroup): DraftRow[] {
  return root.conditions.flatMap((rule) => (isGroup(rule) ? leavesOf(rule) : [rule]))
}

/** C-SEG-14: whether a group at this depth (0 is the segment itself) may hold another group. */
export function mayNest(depth: number): boolean {
  return depth < RULE_LIMITS.levels
}

/** The key of the part of the tree to which these indices lead. */
export function keyAt(root: DraftGroup, path: readonly number[]): string | undefined {
  let rule: DraftRule | undefined = root
  for (const index of path) rule = rule && isGroup(rule) ? rule.conditions[index] : undefined
  return rule?.key
}
