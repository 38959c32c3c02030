/** Verdicts of stored experiments, guardrails and CUPED: cases, and simulated tests from fixed seeds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adjustedMeans, type PairedSums } from './cuped.ts'
import { judgeGuardrail } from './guardrail.ts'
import { differenceSoFar, intervalOf, judgeExperiment, meanOf, takeReading, type Group } from './judge.ts'
import { DEFAULT_METRIC, typesOf } from './metric.ts'
import { ALPHA } from './plan.ts'
import { differenceOf } from './sequential.ts'

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
const normalOf = (draw: () => number) => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
const near = (found: number, wanted: number, within: number) => assert.ok(Math.abs(found - wanted) <= within, `${found}, wanted ${wanted}`)
const people = (id: string, did: number, units: number): Group => ({ id, units, did, sum: did, squares: did })

test('a verdict on shares is that of the report, and one without enough units is none', () => {
  const [a, b] = [people('a', 198, 1_000), people('b', 135, 1_000)]
  const verdict = judgeExperiment([a, b], { of: 'people' })
  assert.ok(verdict.kind === 'clear' && verdict.by === 'any_time' && verdict.best === 'a' && verdict.than === 'b')
  const { low, high } = differenceOf({ done: 198, seen: 1_000 }, { done: 135, seen: 1_000 }, ALPHA)
  near(verdict.low, low, 1e-12)
  near(verdict.high, high, 1e-12)
  assert.deepEqual(judgeExperiment([a, people('b', 9, 1_000)], { of: 'people' }), { kind: 'too_few' })
  assert.deepEqual(judgeExperiment([a, people('b', 995, 1_000)], { of: 'people' }), { kind: 'too_few' })
  assert.deepEqual(judgeExperiment([], { of: 'count' }), { kind: 'too_few' })
  const open = judgeExperiment([people('a', 150, 1_000), people('b', 135, 1_000)], { of: 'people' })
  assert.ok(open.kind === 'open' && open.needed && open.needed > 1_000)
  // Of many groups each pair gets its share.
  const others = ['c', 'd', 'e'].map((id) => people(id, 136, 1_000))
  assert.equal(judgeExperiment([a, people('b', 137, 1_000), ...others], { of: 'people' }).kind, 'open')
  assert.equal(differenceSoFar(a, people('b', 9, 1_000), { of: 'people' }, 2), undefined)
  near(differenceSoFar(a, b, { of: 'people' }, 2)?.low ?? 0, low, 1e-12)
  assert.equal(intervalOf(people('a', 0, 0)), undefined)
})

test('means of counts and values have the variance of their sums of squares', () => {
  const values = [0, 0, 3, 5, 12]
  const group = { units: 5, did: 3, sum: 20, squares: values.reduce((sum, value) => sum + value ** 2, 0) }
  assert.equal(meanOf(group).mean, 4)
  near(meanOf(group).squaredError, values.reduce((sum, value) => sum + (value - 4) ** 2, 0) / 4 / 5, 1e-12)
})

test('the planned reading is one test at its share of alpha, and what it found stays found', () => {
  const [a, b] = [people('a', 600, 9_428), people('b', 500, 9_428)]
  const reading = takeReading([a, b], 'people')
  assert.ok(reading?.isClear && reading.best === 'a' && reading.low > 0)
  const later = [people('a', 700, 11_000), people('b', 640, 11_000)]
  assert.equal(judgeExperiment(later, { of: 'people', plannedUnits: 18_856 }).kind, 'open')
  const verdict = judgeExperiment(later, { of: 'people', plannedUnits: 18_856, reading })
  assert.ok(verdict.kind === 'clear' && verdict.by === 'planned_reading' && verdict.p < ALPHA)
  const same = takeReading([people('a', 510, 9_428), people('b', 500, 9_428)], 'people')
  assert.ok(same && !same.isClear)
  assert.equal(judgeExperiment(later, { of: 'people', plannedUnits: 18_856, reading: same }).kind, 'open')
  assert.equal(takeReading([people('a', 1, 10)], 'people'), undefined)
})

test('of 1,000 tests without a difference, looked at daily and read once as planned, at most one in twenty names a winner', () => {
  const [looks, perLook] = [20, 200]
  for (const kind of ['people', 'value'] as const) {
    let called = 0
    for (let seed = 1; seed <= 1_000; seed++) {
      const draw = drawsFrom(seed * 101)
      const groups: Group[] = ['a', 'b'].map((id) => ({ id, units: 0, did: 0, sum: 0, squares: 0 }))
      const plannedUnits = looks * perLook * 2
      let isCalled = false
      for (let look = 1; look <= looks; look++) {
        for (const group of groups) {
          for (let unit = 0; unit < perLook; unit++) {
            const y = draw() < 0.1 ? (kind === 'people' ? 1 : Math.exp(normalOf(draw) / 2)) : 0
            if (y !== 0) group.did++
            group.sum += y
            group.squares += y * y
          }
          group.units += perLook
        }
        const reading = look === looks ? takeReading(groups, kind) : undefined
        isCalled ||= judgeExperiment(groups, { of: kind, plannedUnits, reading }).kind === 'clear'
      }
      if (isCalled) called++
    }
    assert.ok(called <= 50, `${kind}: ${called}`)
    assert.ok(called >= 10, `${kind}: ${called}, so nothing would ever be found`)
  }
})

test('a guardrail is harmed or safe only when the whole interval says so', () => {
  for (const [lead, than, mustNot, margin, state] of [
    [500, 1_000, 'fall', 0.01, 'harmed'],
    [1_000, 1_000, 'fall', 0.05, 'safe'],
    [1_000, 1_000, 'fall', 0.001, 'unclear'],
    [1_000, 500, 'fall', 0.01, 'safe'],
    [1_000, 500, 'rise', 0.01, 'harmed'],
    [500, 1_000, 'rise', 0.01, 'safe'],
    [0, 0, 'fall', 0.01, 'unclear'],
  ] as const) {
    const verdict = judgeGuardrail(people('a', lead, 10_000), [people('b', than, 10_000)], { mustNot, margin }, 2)
    assert.equal(verdict.state, state, JSON.stringify([lead, than, mustNot, margin, verdict]))
  }
  assert.deepEqual(judgeGuardrail(people('a', 9, 99), [people('b', 9, 1_000)], { mustNot: 'fall', margin: 0 }, 2), {
    state: 'unclear',
    against: [{ variantId: 'b', state: 'unclear' }],
  })
})

test('CUPED narrows the interval by the root of what the past does not explain, and moves no mean', () => {
  for (const rho of [0.3, 0.5, 0.7]) {
    const draw = drawsFrom(Math.round(rho * 1_000))
    const groups: PairedSums[] = [0, 0.1].map((rise) => {
      const sums = { units: 20_000, y: 0, yy: 0, x: 0, xx: 0, xy: 0 }
      for (let unit = 0; unit < sums.units; unit++) {
        const past = normalOf(draw)
        const [x, y] = [5 + 2 * past, 3 + rise + rho * past + Math.sqrt(1 - rho ** 2) * normalOf(draw)]
        sums.y += y
        sums.yy += y * y
        sums.x += x
        sums.xx += x * x
        sums.xy += x * y
      }
      return sums
    })
    const [a, b] = adjustedMeans(groups)
    assert.ok(a && b)
    const widthOf = (pair: { squaredError: number }[]) => Math.sqrt(pair.reduce((sum, { squaredError }) => sum + squaredError, 0))
    const plain = groups.map(({ units, y, yy }) => meanOf({ units, did: units, sum: y, squares: yy }))
    const narrower = widthOf([a, b]) / widthOf(plain)
    near(narrower / Math.sqrt(1 - rho ** 2), 1, 0.05)
    near(b.mean - a.mean, 0.1, 4 * widthOf([a, b]))
  }
  // Nobody has a past: as it was.
  const none = { units: 100, y: 20, yy: 20, x: 0, xx: 0, xy: 0 }
  const [first] = adjustedMeans([none, none])
  near(first?.mean ?? 0, 0.2, 1e-12)
  near(first?.squaredError ?? 0, meanOf({ units: 100, did: 20, sum: 20, squares: 20 }).squaredError, 1e-12)
})

test('the metric that stands when nobody chose one is the clicks of the reports', () => {
  assert.deepEqual(typesOf(DEFAULT_METRIC, 'instance'), ['click', 'banner_click', 'cta_click'])
  assert.deepEqual(typesOf({ ...DEFAULT_METRIC, event: 'conversion' }, 'campaign'), ['purchase', 'conversion'])
  assert.deepEqual(typesOf({ ...DEFAULT_METRIC, namesIt: false }, 'campaign'), ['click'])
})
