import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRetryAfter, retryDelay } from './retry.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

test('C-ERR-27 Retry-After is read as seconds and as an HTTP date, at most one hour, never negative', () => {
  const cases: [string | null, number | undefined][] = [
    ['0', 0],
    ['5', 5_000],
    [' 60 ', 60_000],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
    ['Mon, 02 Mar 2026 12:00:00 GMT', 3_600_000],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ]
  for (const [text, wait] of cases) assert.equal(parseRetryAfter(text, NOW), wait, String(text))
})

test('C-ERR-27 the wait is from 1 second to 5 minutes, grows with every failure, and is spread by chance', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (attempt, random) => {
      const wait = retryDelay(attempt, random)
      assert.ok(wait >= 1_000 && wait <= 300_000, String(wait))
      assert.ok(retryDelay(attempt + 1, random) >= wait)
      assert.ok(retryDelay(attempt, 0) <= wait)
    }),
  )
  assert.notEqual(retryDelay(3, 0.1), retryDelay(3, 0.9))
  assert.ok(retryDelay(60, 0.999) > 299_000)
})

test('C-ERR-27 Retry-After is the least wait at every attempt', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.double({ min: 0, max: 0.999_999, noNaN: true }), fc.nat(3_600_000), (attempt, random, retryAfter) => {
      assert.ok(retryDelay(attempt, random, retryAfter) >= retryAfter)
    }),
  )
})
