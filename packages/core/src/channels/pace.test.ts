import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPace, isQuick, nextPace, shareOf, type Pace } from './pace.ts'

const MOST: Pace = { atOnce: 32, batch: 250 }

test('of a channel nobody knows only as much is taken as can be sent at once', () => {
  assert.deepEqual(firstPace(MOST), { atOnce: 32, batch: 32 })
  assert.deepEqual(firstPace({ atOnce: 32, batch: 20 }), { atOnce: 32, batch: 20 })
})

test('a quick one is given a second of messages, a slow one no more than its calls, and those by half as many at a time', () => {
  const cases: [from: Pace, calls: number, ms: number, to: Pace][] = [
    // A call takes 5 ms.
    [{ atOnce: 32, batch: 32 }, 32, 5, { atOnce: 32, batch: 250 }],
    // 200 ms.
    [{ atOnce: 32, batch: 250 }, 250, 1_562, { atOnce: 32, batch: 160 }],
    // 2 s: neither.
    [{ atOnce: 32, batch: 32 }, 32, 2_000, { atOnce: 32, batch: 32 }],
    // Nothing within 10 s.
    [{ atOnce: 32, batch: 250 }, 32, 10_000, { atOnce: 16, batch: 16 }],
    [{ atOnce: 1, batch: 1 }, 1, 10_000, { atOnce: 1, batch: 1 }],
    // It is well again.
    [{ atOnce: 1, batch: 1 }, 1, 10, { atOnce: 2, batch: 200 }],
    [{ atOnce: 2, batch: 200 }, 200, 1_000, { atOnce: 4, batch: 250 }],
    [{ atOnce: 8, batch: 8 }, 0, 0, { atOnce: 8, batch: 8 }],
  ]
  for (const [from, calls, ms, to] of cases) assert.deepEqual(nextPace(from, MOST, { calls, ms }), to, `${calls} in ${ms} ms`)
})

test('the next batch is taken ahead only of a channel that answers within a second', () => {
  const pace = { atOnce: 32, batch: 250 }
  assert.equal(isQuick(pace, { calls: 250, ms: 1_000 }), true)
  assert.equal(isQuick(pace, { calls: 32, ms: 10_000 }), false)
  assert.equal(isQuick(pace, { calls: 0, ms: 0 }), false)
})

test('whoever comes finds room, however many came before', () => {
  let free = 1_000
  for (let taken = 0; taken < 200; taken++) {
    const share = shareOf(32, free)
    assert.ok(share >= 1 && share <= 32)
    free = Math.max(0, free - share)
  }
  assert.equal(shareOf(32, 1_000), 32)
  assert.equal(shareOf(32, 0), 1)
})
