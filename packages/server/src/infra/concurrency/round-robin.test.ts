import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RoundRobin } from './round-robin.ts'

test('owners take turns, each in the order its items came; one that comes later waits for one turn of each', () => {
  const waiting = new RoundRobin<string>()
  for (const item of ['a1', 'a2', 'a3']) waiting.push('a', item)
  waiting.push('b', 'b1')
  const order = [waiting.shift(), waiting.shift()]
  waiting.push('b', 'b2')
  while (!waiting.isEmpty) order.push(waiting.shift())
  assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a3'])
  assert.equal(waiting.shift(), undefined)
  assert.equal(waiting.has('a'), false)
})

test('several of one owner are taken together up to the last one asked for, and the rest waits behind the others', () => {
  const waiting = new RoundRobin<number>()
  for (const item of [1, 2, 3, 4]) waiting.push('a', item)
  waiting.push('b', 5)
  assert.deepEqual(
    waiting.take('a', (item) => item === 2),
    [1, 2],
  )
  assert.deepEqual([...waiting.owners()], ['b', 'a'])
  assert.deepEqual(
    waiting.take('a', () => false),
    [3, 4],
  )
  assert.deepEqual([...waiting.owners()], ['b'])
  assert.deepEqual(
    waiting.take('nobody', () => true),
    [],
  )
})

test('a queue that is never empty keeps its order over many thousand items', () => {
  const waiting = new RoundRobin<number>()
  waiting.push('a', 0)
  for (let item = 1; item <= 5_000; item++) {
    waiting.push('a', item)
    assert.equal(waiting.shift(), item - 1)
  }
})
