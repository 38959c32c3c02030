import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterAttempt, isGivenUp } from './attempts.ts'
import { PING } from './events.ts'

const now = new Date('2026-05-01T00:00:00Z')
const secondsUntil = (dueAt: Date | null) => dueAt && (dueAt.getTime() - now.getTime()) / 1000

test('a delivery that fails is attempted again after 10 s, 1 min, 5 min, 30 min and 2 h, then it has failed', () => {
  const outcomes = [1, 2, 3, 4, 5, 6].map((attempts) => afterAttempt('campaign.approved', attempts, false, now))
  assert.deepEqual(
    outcomes.map(({ dueAt }) => secondsUntil(dueAt)),
    [10, 60, 300, 1_800, 7_200, null],
  )
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['pending', 'pending', 'pending', 'pending', 'pending', 'failed'],
  )
  for (const attempts of [1, 3, 6])
    assert.deepEqual(afterAttempt('campaign.approved', attempts, true, now), { status: 'delivered', dueAt: null })
})

test('a ping is attempted once', () => {
  assert.deepEqual(afterAttempt(PING, 1, false, now), { status: 'failed', dueAt: null })
})

test('an endpoint is given up after five days of failing, not before', () => {
  const failing = (days: number) => isGivenUp(new Date(now.getTime() - days * 86_400_000), now)
  assert.deepEqual([0, 1, 4.999, 5, 6].map(failing), [false, false, false, true, true])
})
