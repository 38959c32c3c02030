import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceOf, compareGroups, rateOf } from './statistics.ts'

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
  near(chanceOf({ done: 20, seen: 100 }, { done: 30, seen: 100 }), 0.10247, 0.00001)
  near(chanceOf({ done: 30, seen: 100 }, { done: 20, seen: 100 }), 0.10247, 0.00001)
  // z = 2: 0.0455; made of 50 % and a difference of 2 standard errors.
  near(chanceOf({ done: 5_100, seen: 10_000 }, { done: 4_900, seen: 10_000 }), 0.004678, 0.00002)
  assert.equal(chanceOf({ done: 0, seen: 10 }, { done: 0, seen: 10 }), 1)
  near(chanceOf({ done: 10, seen: 100 }, { done: 10, seen: 100 }), 1, 1e-6)
})

test('a difference is clear, can be chance, or cannot be told; early ones are said to be', () => {
  const groups = (...shares: [number, number][]) => shares.map(([done, seen], index) => ({ id: 'abc'.charAt(index), done, seen }))
  assert.deepEqual(compareGroups(groups([9, 100], [50, 100]), true), { kind: 'too_few' })
  assert.deepEqual(compareGroups(groups([50, 100]), true), { kind: 'too_few' })
  assert.equal(compareGroups(groups([20, 100], [30, 100]), true).kind, 'open')
  const early = compareGroups(groups([20, 100], [40, 100]), true)
  assert.deepEqual({ ...early, chance: 0 }, { kind: 'clear', best: 'b', than: 'a', chance: 0, isEarly: true })
  assert.equal((compareGroups(groups([20, 100], [40, 100]), false) as { isEarly: boolean }).isEarly, false)
  assert.equal((compareGroups(groups([200, 1_000], [400, 1_000]), true) as { isEarly: boolean }).isEarly, false)
  // 0.03 is below 0.05, but not below a third of it.
  assert.equal(compareGroups(groups([135, 1_000], [170, 1_000]), false).kind, 'clear')
  assert.equal(compareGroups(groups([135, 1_000], [170, 1_000], [137, 1_000]), false).kind, 'open')
})

test('where nothing differs, about one comparison in twenty is called clear', () => {
  // Deterministic: a linear congruential sequence, so that it says the same each time.
  let seed = 42
  const draw = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const some = () => Array.from({ length: 400 }, draw).filter((value) => value < 0.2).length
  let clear = 0
  for (let i = 0; i < 1_000; i++) {
    const groups = ['a', 'b'].map((id) => ({ id, done: some(), seen: 400 }))
    if (compareGroups(groups, false).kind === 'clear') clear++
  }
  assert.ok(clear > 25 && clear < 80, String(clear))
})
