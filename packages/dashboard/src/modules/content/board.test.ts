import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlockType, Summary } from './api.ts'
import { arrangeBoard, inOrder, moveTo } from './board.ts'

const type = (key: string, screen: string) => ({ key, screen, name: key }) as BlockType
const instance = (id: string, blockKey: string) => ({ id, blockKey }) as Summary

test('each screen has its block types with their instances as they came; what has no screen comes last', () => {
  const types = [type('b', ''), type('d', 'home'), type('a', 'home'), type('c', 'cart')]
  const board = arrangeBoard(types, [instance('1', 'a'), instance('2', 'd'), instance('3', 'd')], false)
  assert.deepEqual(
    board.map(({ screen, groups }) => [screen, groups.map((group) => [group.type.key, group.instances.map(({ id }) => id)])]),
    [
      ['cart', [['c', []]]],
      [
        'home',
        [
          ['a', ['1']],
          ['d', ['2', '3']],
        ],
      ],
      ['', [['b', []]]],
    ],
  )
})

test('while instances are still to come, the last key and all behind it are not complete', () => {
  const types = [type('a', 's'), type('b', 's'), type('c', 's')]
  const instances = [instance('1', 'a'), instance('2', 'b')]
  const complete = (hasMore: boolean) =>
    arrangeBoard(types, instances, hasMore).flatMap(({ groups }) => groups.map((group) => group.isComplete))
  assert.deepEqual(complete(true), [true, false, false])
  assert.deepEqual(complete(false), [true, true, true])
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
