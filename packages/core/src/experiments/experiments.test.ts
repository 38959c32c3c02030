/** Verdicts on variants: vectors, and simulated tests that are looked at every day. All draws come from fixed seeds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareGroups } from '../campaigns/statistics.ts'
import { ANY_TIME_ALPHA, chanceOnce, planOf, PLANNED_ALPHA, unitsPerGroup } from './plan.ts'
import { sampleRatioOf } from './sample-ratio.ts'
import { differenceOf, marginOf, progressOf, unitsMissing } from './sequential.ts'
import { chiSquareTail, twoSided, zOfTail } from './tails.ts'

const near = (found: number, wanted: number, within: number) => assert.ok(Math.abs(found - wanted) <= within, `${found}, wanted ${wanted}`)

test('tails of the chi-square and the normal distribution are those of the tables', () => {
  for (const [df, x, tail] of [
    [1, 10.828, 0.00099977],
    [1, 3.841, 0.0500137],
    [2, 13.816, 0.00099976],
    [4, 18.467, 0.00099992],
    [9, 27.877, 0.00100006],
    [19, 43.82, 0.00100006],
  ] as const) {
    near(chiSquareTail(df, x), tail, 5e-9 + tail * 1e-6)
  }
  near(zOfTail(0.015), 2.1700904, 1e-7)
  near(zOfTail(0.025), 1.959964, 1e-6)
  near(zOfTail(0.2), 0.8416212, 1e-7)
  near(twoSided(2), 0.0455002639, 1e-9)
  assert.equal(chiSquareTail(3, 0), 1)
  // Series and continued fraction meet at a + 1.
  near(chiSquareTail(6, 7.999_999), chiSquareTail(6, 8.000_001), 1e-6)
})

test('the margin of the confidence sequence, by how much of the planned size is there', () => {
  const planned = 20_000
  for (const [share, margin] of [
    [0.1, 3.6583],
    [0.25, 3.3969],
    [0.5, 3.3532],
    [1, 3.3782],
    [2, 3.4389],
    [4, 3.5173],
  ] as const) {
    near(marginOf(progressOf(share * planned, 0.02, planned / 2), 0.02), margin, 0.00005)
  }
  near(progressOf(10_000, 0.05), 7.93615, 0.00001)
  near(marginOf(7.93615, 0.05), 3.03521, 0.00001)
})

test('p is the level at which the interval just leaves out 0', () => {
  for (const [done, than] of [
    [260, 200],
    [230, 200],
    [201, 200],
  ] as const) {
    const [a, b] = [
      { done, seen: 1_000 },
      { done: than, seen: 1_100 },
    ]
    const { p } = differenceOf(a, b, 0.05)
    const progress = progressOf(2_100, 0.05)
    const error = Math.sqrt([a, b].reduce((sum, { done: did, seen }) => sum + ((did / seen) * (1 - did / seen)) / (seen - 1), 0))
    near(marginOf(progress, p) * error, Math.abs(a.done / a.seen - b.done / b.seen), p === 1 ? 1 : 1e-9)
  }
  const { low, high } = differenceOf({ done: 300, seen: 1_000 }, { done: 200, seen: 1_000 }, 0.05)
  near((low + high) / 2, 0.1, 1e-12)
})

test('sizes are those of the planner, and a plan says days and what two weeks would show', () => {
  for (const [from, to, planned, fixed] of [
    [0.05, 0.06, 9_427.4, 8_157.7],
    [0.01, 0.013, 22_912.1, 19_826.4],
    [0.2, 0.22, 7_522.6, 6_509.5],
    [0.5, 0.525, 7_250.5, 6_274],
  ] as const) {
    near(unitsPerGroup(from, to), planned, 0.06)
    near(unitsPerGroup(from, to, 0.05), fixed, 0.06)
  }
  assert.deepEqual(planOf({ baseline: 0.05, relativeEffect: 0.2, variants: 2 }), {
    perVariant: 9_428,
    total: 18_856,
    days: null,
    smallestIn14Days: null,
  })
  const plan = planOf({ baseline: 0.05, relativeEffect: 0.2, variants: 2, dailyUnits: 1_000 })
  assert.equal(plan?.days, 19)
  assert.ok(plan?.smallestIn14Days && plan.smallestIn14Days > 0.2 && plan.smallestIn14Days < 0.3)
  assert.ok((planOf({ baseline: 0.05, relativeEffect: 0.2, variants: 4 })?.perVariant ?? 0) > 9_428)
  assert.equal(planOf({ baseline: 0.6, relativeEffect: 1, variants: 2 }), undefined)
  assert.equal(planOf({ baseline: 0.5, relativeEffect: 0.1, variants: 2, dailyUnits: 1 })?.smallestIn14Days, null)
})

/** Deterministic draws from 0 to 1: mulberry32. */
function drawsFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** How many of `seen` did it: exact for few, by the normal distribution (Box and Muller) where both sides are large. */
function drawDone(draw: () => number, seen: number, rate: number): number {
  if (seen * rate > 30 && seen * (1 - rate) > 30) {
    const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
    return Math.min(seen, Math.max(0, Math.round(seen * rate + normal * Math.sqrt(seen * rate * (1 - rate)))))
  }
  let done = 0
  for (let unit = 0; unit < seen; unit++) if (draw() < rate) done++
  return done
}

type Simulated = { rates: [number, number]; looks: number; perLook: number; seed: number }

/** One test of two groups, looked at each day; `isCalled` by a look at any day or by the planned reading at the end. */
function simulate({ rates, looks, perLook, seed }: Simulated): { isCalled: boolean; isCalledOnce: boolean } {
  const draw = drawsFrom(seed)
  const groups = rates.map((_, index) => ({ id: String(index), done: 0, seen: 0 }))
  const planned = looks * perLook * 2
  let isCalled = false
  for (let look = 0; look < looks; look++) {
    for (const [index, group] of groups.entries()) {
      group.done += drawDone(draw, perLook, rates[index] ?? 0)
      group.seen += perLook
    }
    isCalled ||= compareGroups(groups, planned).kind === 'clear'
  }
  const [a, b] = groups
  assert.ok(a && b)
  const chance = chanceOnce(a, b)
  return { isCalled: isCalled || chance < PLANNED_ALPHA, isCalledOnce: chance < 0.05 }
}

const shareOf = (tests: number, call: (test: number) => boolean) =>
  Array.from({ length: tests }, (_, n) => n + 1).filter(call).length / tests

test('of 2,000 tests without a difference that are looked at every day, at most one in twenty ever names a winner', () => {
  for (const rate of [0.01, 0.05, 0.2]) {
    const called = shareOf(2_000, (seed) => simulate({ rates: [rate, rate], looks: 30, perLook: 300, seed }).isCalled)
    assert.ok(called <= 0.05, `${rate}: ${called}`)
    assert.ok(called > 0.01, `${rate}: ${called}, so nothing would ever be found`)
    // Without a plan, looks at any time have all of it.
    const unplanned = shareOf(2_000, (seed) => {
      const draw = drawsFrom(seed * 7)
      const groups = ['a', 'b'].map((id) => ({ id, done: 0, seen: 0 }))
      return Array.from({ length: 30 }).some(() => {
        for (const group of groups) {
          group.done += drawDone(draw, 300, rate)
          group.seen += 300
        }
        return compareGroups(groups).kind === 'clear'
      })
    })
    assert.ok(unplanned <= 0.05, `${rate}, unplanned: ${unplanned}`)
  }
})

test('a difference of the planned size is found nearly as often as by a test that may be looked at once', () => {
  const perGroup = Math.ceil(unitsPerGroup(0.05, 0.06, 0.05))
  const perLook = Math.ceil(perGroup / 30)
  let [called, calledOnce] = [0, 0]
  for (let seed = 1; seed <= 1_000; seed++) {
    const found = simulate({ rates: [0.05, 0.06], looks: 30, perLook, seed: seed * 13 })
    if (found.isCalled) called++
    if (found.isCalledOnce) calledOnce++
  }
  assert.ok(called / calledOnce >= 0.8, `${called} of ${calledOnce}`)
  // And of the size that the planner names, at least the power it promises (0.8), but for the chance of 1,000 draws.
  const planned = Math.ceil(unitsPerGroup(0.05, 0.06) / 30)
  const found = shareOf(1_000, (seed) => simulate({ rates: [0.05, 0.06], looks: 30, perLook: planned, seed: seed * 17 }).isCalled)
  assert.ok(found > 0.78, String(found))
  // The report takes no planned reading: the figure of decision 54.
  const byReport = shareOf(1_000, (seed) => {
    const draw = drawsFrom(seed * 3)
    const groups = [0.05, 0.06].map((rate) => ({ id: String(rate), rate, done: 0, seen: 0 }))
    return Array.from({ length: 30 }).some(() => {
      for (const group of groups) {
        group.done += drawDone(draw, planned, group.rate)
        group.seen += planned
      }
      return compareGroups(groups).kind === 'clear'
    })
  })
  assert.ok(Math.abs(byReport - 0.58) < 0.04, String(byReport))
})

test('with more groups each pair gets its share of alpha', () => {
  const groups = (...done: number[]) => done.map((did, index) => ({ id: String(index), done: did, seen: 1_000 }))
  assert.equal(compareGroups(groups(135, 198)).kind, 'clear')
  assert.equal(compareGroups(groups(135, 198, 136, 137)).kind, 'open')
  const verdict = compareGroups(groups(135, 150))
  assert.ok(verdict.kind === 'open' && verdict.needed && verdict.needed > 1_000)
  // With so many more, the same difference is clear.
  const grown = (done: number, by: number) => ({ id: String(done), done: done * by, seen: 1_000 * by })
  const by = (2_000 + verdict.needed) / 2_000
  assert.equal(compareGroups([grown(135, by * 1.01), grown(150, by * 1.01)]).kind, 'clear')
  assert.equal(compareGroups([grown(135, by * 0.95), grown(150, by * 0.95)]).kind, 'open')
  assert.equal(unitsMissing({ done: 100, seen: 1_000 }, { done: 100, seen: 1_000 }, ANY_TIME_ALPHA), undefined)
})

test('groups that are not as their weights say are noticed, and right ones are left alone', () => {
  const wrong = shareOf(1_000, (seed) => {
    const draw = drawsFrom(seed * 31)
    const first = drawDone(draw, 20_000, 0.48)
    return (
      sampleRatioOf([
        { seen: first, expected: 10_000 },
        { seen: 20_000 - first, expected: 10_000 },
      ])?.isMismatch === true
    )
  })
  assert.ok(wrong >= 0.99, String(wrong))
  const alarmed = shareOf(1_000, (seed) => {
    const draw = drawsFrom(seed * 37)
    let [first, all] = [0, 0]
    return Array.from({ length: 30 }).some(() => {
      first += drawDone(draw, 600, 0.5)
      all += 600
      return (
        sampleRatioOf([
          { seen: first, expected: all / 2 },
          { seen: all - first, expected: all / 2 },
        ])?.isMismatch === true
      )
    })
  })
  assert.ok(alarmed <= 0.02, String(alarmed))
  assert.equal(sampleRatioOf([{ seen: 499, expected: 499 }]), undefined)
  assert.equal(
    sampleRatioOf([
      { seen: 499, expected: 249.5 },
      { seen: 0, expected: 249.5 },
    ]),
    undefined,
  )
})
