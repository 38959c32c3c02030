import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asKind, rowsFor, rowsOf, valuesOf } from './value-list.ts'

test('rows keep what is typed, and follow values that became others', () => {
  const rows = [
    { name: 'b', value: 1 },
    { name: '', value: '' },
    { name: 'b', value: 2 },
  ]
  assert.deepEqual(valuesOf(rows), { b: 1, '': '' })
  assert.equal(rowsFor(rows, { '': '', b: 1 }), rows)
  assert.deepEqual(rowsFor(rows, { c: true }), [{ name: 'c', value: true }])
  assert.deepEqual(rowsOf(valuesOf([{ name: '__proto__', value: 'x' }])), [{ name: '__proto__', value: 'x' }])
})

test('a value of another kind says the same where it can', () => {
  assert.deepEqual([asKind('12', 'number'), asKind('x', 'number'), asKind('', 'number')], [12, Number.NaN, Number.NaN])
  assert.deepEqual([asKind(12, 'string'), asKind(Number.NaN, 'string'), asKind(true, 'string')], ['12', '', 'true'])
  assert.deepEqual([asKind('true', 'boolean'), asKind(1, 'boolean')], [true, false])
})
