import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { addRule, emptyLeaf, keyAt, isGroup, leavesOf, mayNest, newGroup, removeRule, replaceRule, toDraft, toRules } from './rule-tree.ts'

const RULES: SegmentRules = {
  logicalOperator: 'AND',
  rules: [
    { field: 'customAttributes.plan', operator: 'equals', value: 'gold' },
    {
      logicalOperator: 'OR',
      conditions: [
        { field: 'consent.push', operator: 'is_true' },
        { field: 'customAttributes.tags', operator: 'equals', value: ['a', { b: null }] },
      ],
    },
  ],
}

test('rules come back exactly as they were, values that the form cannot enter too', () => {
  assert.deepEqual(toRules(toDraft(RULES)), RULES)
})

test('a part is found by its key wherever it stands', () => {
  const root = toDraft(RULES)
  const [, push] = leavesOf(root)
  assert.ok(push)
  const changed = replaceRule(root, { ...push, operator: 'is_false' })
  assert.deepEqual(
    leavesOf(changed).map(({ operator }) => operator),
    ['equals', 'is_false', 'equals'],
  )
  assert.deepEqual(toRules(root), RULES, 'the tree before stays as it was')
})

test('a row is added to the group it is meant for', () => {
  const root = toDraft(RULES)
  const inner = root.conditions[1]
  assert.ok(inner && isGroup(inner))
  const grown = addRule(root, inner.key, emptyLeaf())
  assert.equal(grown.conditions.length, 2)
  assert.equal(leavesOf(grown).length, 4)
  assert.equal(addRule(root, root.key, newGroup('OR')).conditions.length, 3)
})

test('a group that would be left empty goes with its last row', () => {
  const root = toDraft(RULES)
  const [plan, push, tags] = leavesOf(root)
  const without = removeRule(removeRule(root, push!.key), tags!.key)
  assert.deepEqual(toRules(without).rules, [RULES.rules[0]])
  assert.deepEqual(removeRule(without, plan!.key).conditions, [])
})

test('groups go six levels deep, the segment itself not counted (C-SEG-14)', () => {
  assert.deepEqual([0, 5, 6].map(mayNest), [true, true, false])
})

test('a refusal of the server is shown at the row it names', () => {
  const root = toDraft(RULES)
  assert.equal(keyAt(root, [1, 1]), leavesOf(root)[2]!.key)
  assert.equal(keyAt(root, [7]), undefined)
  assert.equal(keyAt(root, [0, 0]), undefined)
})
