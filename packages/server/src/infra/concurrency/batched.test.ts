import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from './batched.ts'

test('groups take turns, and no batch is of two', async () => {
  const batches: string[][] = []
  const work = batched(
    async (items: readonly string[]) => {
      batches.push([...items])
      return items
    },
    { most: 2, atOnce: 1, groupOf: (item) => item.slice(0, 1) },
  )
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'a6', 'c1', 'c2', 'c3'].map(work))
  assert.deepEqual(batches, [['a1', 'a2'], ['b1'], ['c1', 'c2'], ['a3', 'a4'], ['c3'], ['a5', 'a6']])
})

test('each gets its own result, and what fails in a batch fails alone', async () => {
  const work = batched(
    async (items: readonly number[]) => {
      if (items.includes(3)) throw new Error('not three')
      return items.map((item) => item * 2)
    },
    { most: 10, atOnce: 2 },
  )
  const settled = await Promise.allSettled([1, 2, 3, 4].map(work))
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
    [2, 4, 'not three', 8],
  )
})
