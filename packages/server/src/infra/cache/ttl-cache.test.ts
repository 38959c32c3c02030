import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ttlCache } from './ttl-cache.ts'

function makeClock() {
  let now = 1_000
  return { now: () => new Date(now), ms: () => now, advance: (seconds: number) => void (now += seconds * 1000) }
}

test('a question is asked once until its time is over, and each by itself', async () => {
  const clock = makeClock()
  const recall = ttlCache<number>(clock, { keptMs: 5_000, held: 10 })
  let asked = 0
  const ask = async () => ++asked
  assert.deepEqual(await Promise.all([recall('a', ask), recall('a', ask), recall('b', ask)]), [1, 1, 2])
  clock.advance(4.999)
  assert.equal(await recall('a', ask), 1)
  clock.advance(0.001)
  assert.equal(await recall('a', ask), 3)
})

test('what failed or is not worth keeping is asked again, and reaches everybody who waited', async () => {
  const recall = ttlCache<number>(makeClock(), { keptMs: 5_000, held: 10, isWorthIt: (answer) => answer > 1 })
  let asked = 0
  const fail = async (): Promise<number> => {
    asked++
    throw new Error('away')
  }
  const failed = await Promise.allSettled([recall('a', fail), recall('a', fail)])
  assert.deepEqual([failed.map(({ status }) => status), asked], [['rejected', 'rejected'], 1])
  assert.equal(await recall('a', async () => 1), 1)
  assert.equal(await recall('a', async () => 2), 2)
  assert.equal(await recall('a', async () => 3), 2)
})
