import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPace, isQuick, nextPace, shareOf, type Pace } from './pace.ts'

const MOST: Pace = { atOnce: 32, batch: 250 }

test('of a channel nobody knows only as much is taken as can be sent at once', () => {
  assert.deepEqual(firstPace(MOST), { atOnce: 32, batch: 32 })
  assert.deepEqual(firstPace({ atOnce: 32, batch: 20 }), { atOnce: 32, batch: 20 })
})

test('a quick one is given a second of messages, a slow one no more than its calls, and those by half as many at a time', () => {
  const cases: [from: Pace, callMs: number, to: Pace][] = [
    [{ atOnce: 32, batch: 32 }, 5, { atOnce: 32, batch: 250 }],
    [{ atOnce: 32, batch: 250 }, 200, { atOnce: 32, batch: 160 }],
    // Neither.
    [{ atOnce: 32, batch: 32 }, 2_000, { atOnce: 32, batch: 32 }],
    // No answer in time.
    [{ atOnce: 32, batch: 250 }, 10_000, { atOnce: 16, batch: 16 }],
    [{ atOnce: 1, batch: 1 }, 10_000, { atOnce: 1, batch: 1 }],
    // It is well again.
    [{ atOnce: 1, batch: 1 }, 10, { atOnce: 2, batch: 200 }],
    [{ atOnce: 2, batch: 200 }, 10, { atOnce: 4, batch: 250 }],
  ]
  for (const [from, callMs, to] of cases) assert.deepEqual(nextPace(from, MOST, callMs), to, `${callMs} ms a call`)
})

test('the next batch is taken ahead only of a channel that answers within a second', () => {
  assert.equal(isQuick(130), true)
  assert.equal(isQuick(10_000), false)
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
