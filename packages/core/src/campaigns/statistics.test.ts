import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceOnce } from '../experiments/plan.ts'
import { compareGroups, rateOf } from './statistics.ts'

const near = (found: number | undefined, wanted: number, within: number) =>
  assert.ok(found !== undefined && Math.abs(found - wanted) <= within, `${found}, wanted ${wanted}`)

test('the interval is that of the examples in Newcombe, Statistics in Medicine 17 (1998), table I, method 3', () => {
  for (const [done, seen, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const rate = rateOf({ done, seen })
    near(rate?.rate, done / seen, 1e-12)
    near(rate?.low, low, 0.00005)
    near(rate?.high, high, 0.00005)
  }
  assert.deepEqual(rateOf({ done: 0, seen: 0 }), undefined)
  assert.equal(rateOf({ done: 20, seen: 20 })?.high, 1)
})

test('the interval always holds the rate and stays between nobody and everybody', () => {
  for (let seen = 1; seen < 60; seen++) {
    for (let done = 0; done <= seen; done++) {
      const { rate, low, high } = rateOf({ done, seen }) ?? { rate: NaN, low: NaN, high: NaN }
      assert.ok(0 <= low && low <= rate && rate <= high && high <= 1, `${done} of ${seen}`)
    }
  }
})

test('the test says what the chi-square test of the same table says: its statistic is the square of z', () => {
  // 20 and 30 of 100: chi-square 2.6667 with one degree of freedom. At 3.8415 it is 0.05 by every table.
  near(chanceOnce({ done: 20, seen: 100 }, { done: 30, seen: 100 }), 0.10247, 0.00001)
  near(chanceOnce({ done: 30, seen: 100 }, { done: 20, seen: 100 }), 0.10247, 0.00001)
  // z = 2: 0.0455; made of 50 % and a difference of 2 standard errors.
  near(chanceOnce({ done: 5_100, seen: 10_000 }, { done: 4_900, seen: 10_000 }), 0.004678, 0.00002)
  assert.equal(chanceOnce({ done: 0, seen: 10 }, { done: 0, seen: 10 }), 1)
  near(chanceOnce({ done: 10, seen: 100 }, { done: 10, seen: 100 }), 1, 1e-6)
})

test('a difference is clear, can be chance, or cannot be told', () => {
  const groups = (...shares: [number, number][]) => shares.map(([done, seen], index) => ({ id: 'abc'.charAt(index), done, seen }))
  assert.deepEqual(compareGroups(groups([9, 100], [50, 100])), { kind: 'too_few' })
  assert.deepEqual(compareGroups(groups([50, 100])), { kind: 'too_few' })
  assert.equal(compareGroups(groups([20, 100], [30, 100])).kind, 'open')
  const clear = compareGroups(groups([200, 1_000], [300, 1_000]))
  assert.ok(clear.kind === 'clear' && clear.best === 'b' && clear.than === 'a' && !clear.isEarly)
  assert.ok(clear.low > 0 && clear.high > 0.1 && clear.p < 0.05)
})
