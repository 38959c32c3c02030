import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AdaptiveBatchSize } from './batch-size.ts'

test('a batch size is doubled by quick full batches up to its bound, halved by slow ones down to 1, and kept by others', () => {
  const batches = new AdaptiveBatchSize({ first: 8, most: 20, goalMs: 100 })
  const sizes = [[10, 8], [10, 16], [10, 19], [70, 20], [101, 20], [101, 1], ...Array.from({ length: 6 }, () => [500, 1])].map(
    ([tookMs = 0, rows = 0]) => {
      batches.note(tookMs, rows)
      return batches.size
    },
  )
  assert.deepEqual(sizes, [16, 20, 20, 20, 10, 5, 2, 1, 1, 1, 1, 1])
  assert.equal(new AdaptiveBatchSize({ first: 8, most: 3, goalMs: 100 }).size, 3)
})
