import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlockType, Summary, TypeCounts } from './api.ts'
import { arrangeBoard, inOrder, moveTo, shownOf } from './board.ts'

const type = (key: string, screen: string) => ({ key, screen, name: key }) as BlockType
const counts = (blockKey: string, instances: number, live: number): TypeCounts => ({ blockKey, screen: '', instances, live, changed: 0 })

test('each screen has its block types and what is live on it, as the server counted; what has no screen comes last', () => {
  const types = [type('b', ''), type('d', 'home'), type('a', 'home'), type('c', 'cart'), type('new', 'cart')]
  const board = arrangeBoard(types, [counts('a', 2_000, 3), counts('b', 1, 1), counts('c', 0, 0), counts('d', 5, 2)])
  assert.deepEqual(
    board.map(({ screen, groups, live }) => [screen, live, groups.map((group) => [group.type.key, group.counts.instances])]),
    [
      ['cart', 0, [['c', 0]]],
      [
        'home',
        5,
        [
          ['a', 2_000],
          ['d', 5],
        ],
      ],
      ['', 1, [['b', 1]]],
    ],
  )
})

test('of many the first six are shown until somebody asks for all; a single one more is not held back', () => {
  const loaded = Array.from({ length: 7 }, (_, id) => ({ id: String(id) }) as Summary)
  assert.deepEqual(
    [7, 8].map((total) => shownOf(loaded, total, false).length),
    [7, 6],
  )
  assert.equal(shownOf(loaded, 8, true).length, 7)
})

test('a moved instance takes the place of the one it is dropped on, whichever way it came', () => {
  assert.deepEqual(moveTo(['a', 'b', 'c', 'd'], 'a', 'c'), ['b', 'c', 'a', 'd'])
  assert.deepEqual(moveTo(['a', 'b', 'c', 'd'], 'd', 'b'), ['a', 'd', 'b', 'c'])
  assert.deepEqual(moveTo(['a', 'b'], 'a', 'gone'), ['a', 'b'])
  assert.deepEqual(moveTo(['a', 'b'], 'gone', 'a'), ['a', 'b'])
})

test('an order leaves out what is gone and keeps what it does not name behind', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id }))
  assert.deepEqual(
    inOrder(items, ['c', 'x', 'a']).map(({ id }) => id),
    ['c', 'a', 'b'],
  )
})
