import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule } from './rule.ts'
import { isWriteOnly, listWriteOnly, readsWriteOnly, roundedCount } from './write-only.ts'

const leaf = (field: string): Rule => ({ field, operator: 'exists', value: null })

test('industry data, what was imported, and traits of an industry’s name are write-only', () => {
  for (const field of ['industryProfile.banking.salary', 'industryProfile.healthcare', 'enrichment.tier', 'customAttributes.healthcare'])
    assert.ok(isWriteOnly(field), field)
  for (const field of ['customAttributes.plan', 'demographic.email', 'lifecycle', 'no.such', '']) assert.ok(!isWriteOnly(field), field)
})

test('rules read it at any depth; segments also by those they leave out', () => {
  assert.ok(readsWriteOnly([leaf('lifecycle'), { logicalOperator: 'OR', conditions: [leaf('enrichment.tier')] }]))
  assert.ok(!readsWriteOnly([leaf('lifecycle')]))
  const segments = [
    { id: 'further', rules: [leaf('lifecycle')], excluded: ['without'] },
    { id: 'without', rules: [leaf('lifecycle')], excluded: ['own', 'gone'] },
    { id: 'own', rules: [leaf('enrichment.tier')], excluded: [] },
    { id: 'plain', rules: [leaf('lifecycle')], excluded: [] },
  ]
  assert.deepEqual([...listWriteOnly(segments)].toSorted(), ['further', 'own', 'without'])
})

test('of fewer than five people only that is told', () => {
  for (const count of [0, 1, 4]) assert.deepEqual(roundedCount(count), { count: 0, fewerThan: 5 })
  assert.deepEqual(roundedCount(5), { count: 5 })
})
