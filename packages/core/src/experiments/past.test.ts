/** CUPED by what histories say: nothing of after the exposure is in it, it narrows as predicted, moves no mean, and calls no winner of nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, type Histories } from '../behaviour/history.ts'
import { trackersOf } from '../behaviour/tracker.ts'
import { DAY_MS, MINUTE_MS } from '../units.ts'
import { adjustedMeans, type PairedSums } from './cuped.ts'
import { judgeExperiment, meanOf, takeReading, type Group } from './judge.ts'
import type { Metric } from './metric.ts'
import { pastIn, pastLeavesOf } from './past.ts'

const NOW = Date.UTC(2026, 0, 1)
const ORDERS: Metric = { event: 'order', of: 'count', days: 7, namesIt: false }

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

function poisson(draw: () => number, mean: number): number {
  const end = Math.exp(-mean)
  let n = 0
  for (let left = draw(); left > end; left *= draw()) n++
  return n
}

/** The history of whoever did `metric` at these moments, as the server folds it. */
function historyOf(metric: Metric, events: readonly { at: number; value: number }[]): Histories {
  const trackers = [...trackersOf(pastLeavesOf(metric, 'instance'))]
  return Object.fromEntries(
    trackers.flatMap(([id, { ring, sum }]) => {
      const history = fold(undefined, events, { ring, hasSum: sum !== undefined, since: NOW - 200 * DAY_MS })
      return history ? [[id, history]] : []
    }),
  )
}

test('only what came in the 90 days before the exposure is the past, whatever came after it', () => {
  const arbitraryEvents = fc.array(
    fc.record({ age: fc.integer({ min: -30 * 1_440, max: 120 * 1_440 }), value: fc.integer({ min: -5, max: 40 }) }),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(arbitraryEvents, fc.constantFrom('count', 'value', 'people'), (ages, of) => {
      const events = ages.map(({ age, value }) => ({ at: NOW - age * MINUTE_MS, value }))
      const metric = { ...ORDERS, of }
      const before = events.filter(({ at }) => at < NOW && at > NOW - 90 * DAY_MS)
      const wanted = of === 'value' ? before.reduce((sum, { value }) => sum + value, 0) : before.length
      const leaves = pastLeavesOf(metric, 'instance')
      assert.equal(pastIn(leaves, historyOf(metric, events), NOW), Math.min(wanted, 1_000))
      assert.equal(pastIn(leaves, historyOf(metric, before), NOW), Math.min(wanted, 1_000), 'what came later says nothing')
    }),
    { numRuns: 1_000, seed: 33 },
  )
  assert.equal(pastIn(pastLeavesOf(ORDERS, 'instance'), undefined, NOW), 0)
  assert.equal(pastIn(pastLeavesOf(ORDERS, 'instance'), historyOf({ ...ORDERS, event: 'other' }, [{ at: NOW - 1, value: 1 }]), NOW), 0)
})

test('days of people say the past of what they count, and histories of everything else, with its conditions', () => {
  const where = { logicalOperator: 'AND', conditions: [{ field: 'value', operator: 'greater_than', value: 3 }] } as const
  const typesIn = (metric: Metric) => pastLeavesOf(metric, 'instance').map(({ field }) => field)
  assert.deepEqual(typesIn({ ...ORDERS, event: 'purchase' }), [])
  assert.deepEqual(typesIn({ ...ORDERS, event: 'click', namesIt: true }), [])
  assert.deepEqual(typesIn(ORDERS), ['events.order'])
  assert.deepEqual(typesIn({ ...ORDERS, event: 'constructor' }), ['events.constructor'])
  assert.deepEqual(typesIn({ ...ORDERS, event: 'conversion', namesIt: true, where: where as never }), [
    'events.purchase',
    'events.conversion',
  ])
  assert.deepEqual(pastLeavesOf({ ...ORDERS, where: where as never }, 'instance')[0]?.value.where, where)
})

/** A group of people of whom each has a rate of their own, which decides what they do before and after. */
function drawGroup(draw: () => number, units: number, rise: number): PairedSums {
  const sums = { units, y: 0, yy: 0, x: 0, xx: 0, xy: 0 }
  const leaves = pastLeavesOf(ORDERS, 'instance')
  for (let unit = 0; unit < units; unit++) {
    const rate = draw() < 0.3 ? 8 : 1
    const events = Array.from({ length: poisson(draw, rate) }, () => ({ at: NOW - 1 - Math.floor(draw() * 80 * DAY_MS), value: 0 }))
    const x = pastIn(leaves, events.length > 0 ? historyOf(ORDERS, events) : undefined, NOW)
    const y = poisson(draw, rate / 2 + rise)
    sums.y += y
    sums.yy += y * y
    sums.x += x
    sums.xx += x * x
    sums.xy += x * y
  }
  return sums
}

const widthOf = (pair: readonly { squaredError: number }[]) => Math.sqrt(pair.reduce((sum, { squaredError }) => sum + squaredError, 0))

test('the interval is narrower by what the past explains, and the difference is on average the true one', () => {
  const draw = drawsFrom(7)
  // Var y = E[r]/2 + Var r/4, Var x = E[r] + Var r, Cov = Var r/2; E[r] = 3.1, Var r = 10.29.
  const rho = 10.29 / 2 / Math.sqrt((3.1 / 2 + 10.29 / 4) * (3.1 + 10.29))
  const [runs, rise] = [120, 0.2]
  let [found, narrower, error] = [0, 0, 0]
  for (let run = 0; run < runs; run++) {
    const groups = [drawGroup(draw, 300, rise), drawGroup(draw, 300, 0)]
    const [a, b] = adjustedMeans(groups)
    assert.ok(a && b)
    found += (a.mean - b.mean) / runs
    error += widthOf([a, b]) / runs
    narrower += widthOf([a, b]) / widthOf(groups.map(({ units, y, yy }) => meanOf({ units, did: units, sum: y, squares: yy }))) / runs
  }
  assert.ok(Math.abs(narrower / Math.sqrt(1 - rho ** 2) - 1) < 0.05, `${narrower}, wanted ${Math.sqrt(1 - rho ** 2)}`)
  assert.ok(Math.abs(found - rise) < (4 * error) / Math.sqrt(runs), `${found}, wanted ${rise}`)
})

test('of 2,000 tests without a difference, looked at on 30 days and read once as planned, with the past taken out, at most one in twenty names a winner', () => {
  const [looks, perLook] = [30, 25]
  let called = 0
  for (let seed = 1; seed <= 2_000; seed++) {
    const draw = drawsFrom(seed * 7_919)
    const sums: PairedSums[] = [0, 1].map(() => ({ units: 0, y: 0, yy: 0, x: 0, xx: 0, xy: 0 }))
    let isCalled = false
    for (let look = 1; look <= looks && !isCalled; look++) {
      for (const group of sums)
        for (let unit = 0; unit < perLook; unit++) {
          const rate = draw() < 0.3 ? 4 : 0.5
          const [x, y] = [poisson(draw, rate), poisson(draw, rate / 2)]
          group.units++
          group.y += y
          group.yy += y * y
          group.x += x
          group.xx += x * x
          group.xy += x * y
        }
      const adjusted = adjustedMeans(sums)
      const groups = sums.map(({ units, y, yy }, index): Group => {
        const mean = adjusted[index]
        return { id: String(index), units, did: units, sum: y, squares: yy, ...(mean && { adjusted: mean }) }
      })
      const reading = look === looks ? takeReading(groups, 'count') : undefined
      isCalled = judgeExperiment(groups, { of: 'count', plannedUnits: looks * perLook * 2, reading }).kind === 'clear'
    }
    if (isCalled) called++
  }
  assert.ok(called <= 100, `${called}`)
  assert.ok(called >= 5, `${called}, so nothing would ever be found`)
})
