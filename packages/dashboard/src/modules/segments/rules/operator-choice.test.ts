import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { OPERATOR_NAMES, type Operator } from '@contentflow/core/targeting/operators.ts'
import { canEdit, carryValue, editorFor, operatorsFor } from './operator-choice.ts'

const offered = (field: string, kind: Parameters<typeof operatorsFor>[1]) => {
  const { fitting, others } = operatorsFor(field, kind)
  return [...fitting, ...others]
}
const editable = (operator: Operator, value: Json) => canEdit({ field: 'customAttributes.x', operator, value })

test('what can never hold on a field is not offered (C-SEG-33, C-SEG-37)', () => {
  for (const operator of ['date_after', 'date_before', 'days_ago', 'geo_radius'] as const)
    assert.ok(!offered('customAttributes.joined', 'date').includes(operator), operator)
  assert.ok(offered('metadata.lastSeenAt', 'date').includes('days_ago'))
  assert.deepEqual(operatorsFor('currentLocation.point', 'place'), { fitting: ['geo_radius', 'exists', 'not_exists'], others: [] })
})

test('a date in a trait is offered what texts are', () => {
  assert.equal(operatorsFor('customAttributes.joined', 'date').fitting[0], 'equals')
})

test('every operator but those that never hold can be reached on a trait, once', () => {
  const all = offered('customAttributes.x', 'number')
  assert.equal(new Set(all).size, all.length)
  assert.deepEqual(all.toSorted(), OPERATOR_NAMES.filter((name) => !/^date_|days_ago|geo_radius/.test(name)).toSorted())
})

test('a fixed field is offered only what fits its type, one with a list of values only that', () => {
  assert.deepEqual(operatorsFor('behavioral.eventsTotal', 'number').others, [])
  assert.deepEqual(offered('consent.marketing', 'boolean'), ['is_true', 'is_false', 'exists', 'not_exists'])
  assert.deepEqual(offered('device.platform', 'text'), ['equals', 'not_equals', 'in', 'not_in', 'exists', 'not_exists'])
  assert.ok(!offered('demographic.country', 'text').includes('greater_than'))
})

test('every operator has an editor', () => {
  for (const operator of OPERATOR_NAMES) assert.ok(editorFor(operator), operator)
})

test('a value with no control of its own is not edited', () => {
  const cases: [Operator, Json, boolean][] = [
    ['equals', 'gold', true],
    ['equals', 30, true],
    ['equals', false, true],
    ['equals', null, false],
    ['equals', '', false],
    ['equals', ['a'], false],
    ['contains', { a: 1 }, false],
    ['in', ['a', 'b'], true],
    ['in', [1, 2], true],
    ['in', ['a', 1], false],
    ['in', 'a', false],
    ['between', [1, 2], true],
    ['between', [1, 2, 3], false],
    ['greater_than', '30', true],
    ['greater_than', 'many', false],
    ['date_after', '2026-03-01', true],
    ['date_after', 'soon', false],
    ['geo_radius', { latitude: 1, longitude: 2, radiusMeters: 3 }, true],
    ['geo_radius', { latitude: 1 }, false],
    ['app_version_gte', '2.10', true],
    ['app_version_gte', 'latest', false],
    ['is_true', 'whatever', true],
  ]
  for (const [operator, value, expected] of cases) assert.equal(editable(operator, value), expected, `${operator} ${JSON.stringify(value)}`)
})

test('what was entered stays when the comparison changes and it still means the same', () => {
  assert.equal(carryValue('gold', 'equals', 'not_equals'), 'gold')
  assert.deepEqual(carryValue('gold', 'equals', 'in'), ['gold'])
  assert.equal(carryValue(['gold', 'basic'], 'in', 'equals'), 'gold')
  assert.equal(carryValue(5, 'greater_than', 'equals'), 5)
  assert.equal(carryValue('gold', 'equals', 'greater_than'), undefined)
  assert.equal(carryValue('gold', 'equals', 'exists'), undefined)
  assert.equal(carryValue(true, 'equals', 'in'), undefined)
})
