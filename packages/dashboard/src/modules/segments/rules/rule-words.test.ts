import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Leaf } from '@contentflow/core/targeting/rule.ts'
import { leafWords, type Wording } from './rule-words.ts'
import { rulesWords } from './row-words.ts'

/** Says the key and the values, so that what is asked for shows. */
const t: Wording['t'] = (key, values = {}) => [key, ...Object.values(values)].join(' ')
const WORDING: Wording = {
  t,
  format: { number: (count) => count.toLocaleString('en'), moment: (at) => `at ${String(at)}`, list: (parts) => parts.join(' + ') },
}
const value = (leaf: Leaf) => leafWords(leaf, WORDING).value

test('a trait is called by its own name, a fixed field by its words', () => {
  assert.equal(leafWords({ field: 'customAttributes.plan', operator: 'exists' }, WORDING).field, 'plan')
  assert.equal(leafWords({ field: 'industryProfile.banking.tier', operator: 'exists' }, WORDING).field, 'banking.tier')
  assert.equal(leafWords({ field: 'consent.push', operator: 'is_true' }, WORDING).field, 'field_consent.push')
})

test('every shape of value has words', () => {
  const field = 'customAttributes.x'
  assert.equal(value({ field, operator: 'in', value: ['gold', 'platinum'] }), 'goldcommaplatinum')
  assert.equal(value({ field, operator: 'between', value: [1, 2] }), 'rangeWords 1 2')
  assert.equal(value({ field, operator: 'days_ago', value: 30 }), 'daysWords 30')
  assert.equal(value({ field, operator: 'equals', value: null }), 'nullWords')
  assert.equal(value({ field, operator: 'equals', value: '' }), 'emptyWords')
  assert.equal(value({ field, operator: 'equals', value: true }), 'yes')
  assert.equal(value({ field, operator: 'equals', value: ['a', 1] }), 'listWords acomma1')
  assert.equal(value({ field, operator: 'equals', value: { a: { b: 1 } } }), 'a: b: 1')
  assert.equal(value({ field, operator: 'is_true', value: 'ignored' }), '')
  assert.equal(
    value({ field: 'currentLocation.point', operator: 'geo_radius', value: { latitude: 24.7, longitude: 46.6, radiusMeters: 5000 } }),
    'circleWords 5,000 24.7 46.6',
  )
})

test('a group inside a group stands in brackets', () => {
  const leaf = (name: string): Leaf => ({ field: `customAttributes.${name}`, operator: 'exists' })
  const rules = [leaf('a'), { logicalOperator: 'OR' as const, conditions: [leaf('b'), leaf('c')] }]
  assert.equal(rulesWords({ logicalOperator: 'AND', rules }, WORDING), 'a op_exists and (b op_exists or c op_exists)')
})
