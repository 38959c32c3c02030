import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoff, spread } from './backoff.ts'

test('waits double from the first up to the longest, and jitter moves them by at most its part', () => {
  const policy = { first: 2_000, most: 60_000 }
  assert.deepEqual(
    [1, 2, 3, 5, 6, 7, 5_000].map((failures) => backoff(policy, failures, 0.5)),
    [2_000, 4_000, 8_000, 32_000, 60_000, 60_000, 60_000],
  )
  assert.equal(backoff({ ...policy, jitter: -1 / 4 }, 1, 1), 1_500)
  assert.equal(backoff({ ...policy, jitter: 1 / 5 }, 9, 1), 72_000)
  assert.equal(spread(500, 2, 0), 500)
  assert.equal(spread(500, 2, 1), 1_500)
})
