import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOf, cellOf, moved, nextInReview } from './cursor.ts'

const press = (key: string, code = '', more = {}) => ({ key, code, ctrlKey: false, metaKey: false, altKey: false, ...more })

test('keys of the table, also on an Arabic keyboard', () => {
  assert.equal(actOf(press('j', 'KeyJ'), false), 'down')
  assert.equal(actOf(press('ت', 'KeyJ'), false), 'down')
  assert.equal(actOf(press('ش', 'KeyA'), true), 'approve')
  assert.equal(actOf(press('؟', 'Slash'), true), 'help')
  assert.equal(actOf(press('?', 'Slash'), false), 'help')
  // Of a Latin keyboard with another order the letter counts, not its place.
  assert.equal(actOf(press('j', 'KeyC'), false), 'down')
  assert.equal(actOf(press('Tab', 'Tab'), false), undefined)
})

test('keys held with another one belong to the browser', () => {
  for (const held of ['ctrlKey', 'metaKey', 'altKey']) assert.equal(actOf(press('a', 'KeyA', { [held]: true }), false), undefined)
})

test('what points to the side follows the direction of the page', () => {
  for (const key of ['ArrowRight', 'l']) assert.deepEqual([actOf(press(key), false), actOf(press(key), true)], ['forward', 'back'])
  for (const key of ['ArrowLeft', 'h']) assert.deepEqual([actOf(press(key), false), actOf(press(key), true)], ['back', 'forward'])
})

test('a cursor stays with its string, and goes to the one that takes its place', () => {
  const cursor = { key: 'b', locale: 'fr', at: 1 }
  assert.deepEqual(cellOf(cursor, ['x', 'a', 'b'], ['ar', 'fr']), { row: 2, column: 1 })
  assert.deepEqual(cellOf(cursor, ['a', 'c'], ['ar', 'fr']), { row: 1, column: 1 })
  assert.deepEqual(cellOf(cursor, ['a'], ['ar']), { row: 0, column: 0 })
  assert.deepEqual(cellOf(undefined, ['a'], ['ar']), { row: 0, column: 0 })
  assert.equal(cellOf(cursor, [], ['ar']), undefined)
  assert.equal(cellOf(cursor, ['a'], []), undefined)
})

test('moving ends at the edges', () => {
  assert.deepEqual(moved({ row: 0, column: 0 }, 'up', 3, 2), { row: 0, column: 0 })
  assert.deepEqual(moved({ row: 2, column: 1 }, 'down', 3, 2), { row: 2, column: 1 })
  assert.deepEqual(moved({ row: 1, column: 1 }, 'forward', 3, 2), { row: 1, column: 1 })
  assert.deepEqual(moved({ row: 1, column: 1 }, 'back', 3, 2), { row: 1, column: 0 })
  assert.deepEqual(moved({ row: 1, column: 1 }, 'last', 3, 2), { row: 2, column: 1 })
  assert.deepEqual(moved({ row: 1, column: 1 }, 'edit', 3, 2), { row: 1, column: 1 })
})

test('next in review: below, round again, then the other languages, never where one is', () => {
  const table = [
    ['review', 'ok'],
    ['review', 'missing'],
    ['ok', 'review'],
  ] as const
  assert.deepEqual(nextInReview({ row: 0, column: 0 }, table), { row: 1, column: 0 })
  assert.deepEqual(nextInReview({ row: 1, column: 0 }, table), { row: 0, column: 0 })
  assert.deepEqual(nextInReview({ row: 0, column: 1 }, table), { row: 2, column: 1 })
  assert.deepEqual(nextInReview({ row: 2, column: 1 }, table), { row: 0, column: 0 })
  assert.equal(nextInReview({ row: 0, column: 0 }, [['review', 'ok']]), undefined)
  assert.equal(nextInReview({ row: 0, column: 0 }, []), undefined)
})
