import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planCrossings, SAME_CROSSING_MS, type Crossing, type CrossingPlan, type LocationFix, type FenceReport } from './crossings.ts'

const FENCE = { latitude: 24.7, longitude: 46.7, radiusMeters: 100 }
const MINUTE = 60_000

/** About `meters` north of the middle of the fence. */
const fix = (at: number, meters: number, accuracy: number | null = null): LocationFix => ({
  latitude: FENCE.latitude + meters / 111_195,
  longitude: FENCE.longitude,
  at,
  accuracy,
})
const plan = (fixes: LocationFix[], reports: FenceReport[] = [], stored: Crossing[] = [], isInside = false) =>
  planCrossings(FENCE, { isInside, stored }, fixes, reports)
const brief = (events: readonly Crossing[]) => events.map(({ type, source, at }) => `${type} ${source} ${at}`)

test('a movement through the fence is one enter and one exit, computed by the server', () => {
  const { events, isInside } = plan([fix(1, 300), fix(2, 50), fix(3, 0), fix(4, 90), fix(5, 150)])
  assert.deepEqual(brief(events), ['enter server 2', 'exit server 5'])
  assert.equal(isInside, false)
})

test('the first position inside is an enter; one outside says nothing', () => {
  assert.deepEqual(brief(plan([fix(7, 10)]).events), ['enter server 7'])
  assert.deepEqual(plan([fix(7, 500)]).events, [])
})

test('whoever is inside stays so while the position is inaccurate', () => {
  assert.deepEqual(brief(plan([fix(1, 0), fix(2, 130, 50)]).events), ['enter server 1'])
  assert.deepEqual(brief(plan([fix(1, 0), fix(2, 160, 50)]).events), ['enter server 1', 'exit server 2'])
  assert.deepEqual(plan([fix(1, 130, 50)]).events, [], 'inaccuracy takes nobody in')
  assert.equal(plan([fix(1, 0), fix(2, 250, 1e308)]).isInside, false, 'at most as far again as the radius')
})

test('C-LOC-07 what the device reports carries its name, also when the server saw the same crossing in the same batch', () => {
  assert.deepEqual(brief(plan([], [{ type: 'enter', at: 5 }]).events), ['enter device 5'])
  assert.deepEqual(brief(plan([fix(1, 300), fix(2, 0)], [{ type: 'enter', at: 30_000 }]).events), ['enter device 2'])
  assert.deepEqual(brief(plan([fix(2, 0)], [{ type: 'enter', at: 2 }]).events), ['enter device 2'])
})

test('a crossing that was computed before the device reports it is claimed, not doubled', () => {
  const stored: Crossing[] = [{ id: 'e1', type: 'enter', source: 'server', at: 10 * MINUTE }]
  assert.deepEqual(plan([], [{ type: 'enter', at: 12 * MINUTE }], stored), {
    isInside: true,
    events: [],
    claims: [{ id: 'e1', reportedAt: 12 * MINUTE }],
  })
  const later = plan([], [{ type: 'enter', at: 10 * MINUTE + SAME_CROSSING_MS + 1 }], stored)
  assert.deepEqual([brief(later.events), later.claims], [[`enter device ${10 * MINUTE + SAME_CROSSING_MS + 1}`], []])
})

test('positions do not speak against a report of the device until it has settled', () => {
  const stored: Crossing[] = [{ id: 'e1', type: 'enter', source: 'device', at: 0 }]
  assert.deepEqual(plan([fix(SAME_CROSSING_MS - 1, 500)], [], stored), { isInside: true, events: [], claims: [] })
  assert.deepEqual(brief(plan([fix(SAME_CROSSING_MS, 500)], [], stored).events), [`exit server ${SAME_CROSSING_MS}`])
})

test('positions older than the last crossing change nothing', () => {
  const stored: Crossing[] = [{ id: 'e1', type: 'exit', source: 'server', at: 100 }]
  assert.deepEqual(plan([fix(99, 0)], [], stored), { isInside: false, events: [], claims: [] })
})

test('a report that comes late is stored and does not turn back where the device is', () => {
  const stored: Crossing[] = [{ id: 'e1', type: 'exit', source: 'device', at: 100 * MINUTE }]
  const { events, isInside } = plan([], [{ type: 'enter', at: 50 * MINUTE }], stored)
  assert.deepEqual([brief(events), isInside], [[`enter device ${50 * MINUTE}`], false])
})

test('dwelling changes nothing of who is inside, and the same word twice is one', () => {
  const { events, isInside } = plan(
    [],
    [
      { type: 'dwell', at: 5 },
      { type: 'dwell', at: 5 },
    ],
  )
  assert.deepEqual([brief(events), isInside], [['dwell device 5'], false])
})

// --- properties, with times far enough apart that nothing settles, or close together ---

const movement = fc.array(
  fc.record({
    step: fc.integer({ min: 0, max: 8 * MINUTE }),
    meters: fc.oneof(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 105, max: 300 })),
  }),
  {
    maxLength: 30,
  },
)
const fixesOf = (steps: { step: number; meters: number }[]): LocationFix[] => {
  let at = 1_000
  return steps.map(({ step, meters }) => fix((at += step), meters))
}
const reportsArb = fc.array(
  fc.record({ type: fc.constantFrom('enter' as const, 'exit' as const, 'dwell' as const), at: fc.integer({ min: 0, max: 120 * MINUTE }) }),
  { maxLength: 10 },
)

/** Stored as the server does it: with ids, claims applied, by time. */
function store(stored: Crossing[], { events, claims }: CrossingPlan): Crossing[] {
  const kept = stored.map((crossing) => {
    const claim = claims.find(({ id }) => id === crossing.id)
    return claim ? { ...crossing, ...claim, source: 'device' as const } : crossing
  })
  return [...kept, ...events.map((event, index) => ({ ...event, id: `e${stored.length + index}` }))].sort((a, b) => a.at - b.at)
}

test('without reports the events are the changes of inside, in order', () => {
  fc.assert(
    fc.property(movement, (steps) => {
      const fixes = fixesOf(steps)
      const expected: string[] = []
      let isInside = false
      for (const [index, { meters }] of steps.entries()) {
        if (meters <= 100 === isInside) continue
        isInside = meters <= 100
        expected.push(`${isInside ? 'enter' : 'exit'} server ${fixes[index]?.at}`)
      }
      assert.deepEqual(brief(plan(fixes).events), expected)
    }),
    { numRuns: 1000 },
  )
})

test('however a movement is cut into batches, the events are the same', () => {
  fc.assert(
    fc.property(movement, fc.nat(30), (steps, cut) => {
      const fixes = fixesOf(steps)
      const first = plan(fixes.slice(0, cut))
      const second = plan(fixes.slice(cut), [], store([], first), first.isInside)
      assert.deepEqual([...brief(first.events), ...brief(second.events)], brief(plan(fixes).events))
    }),
    { numRuns: 1000 },
  )
})

test('one crossing is one event: every report is answered by one of the device, and no computed one stands beside it', () => {
  fc.assert(
    fc.property(movement, reportsArb, fc.boolean(), (steps, reports, isTogether) => {
      const fixes = fixesOf(steps)
      const first = isTogether ? plan(fixes, reports) : plan(fixes)
      let stored = store([], first)
      if (!isTogether) stored = store(stored, plan([], reports, stored, first.isInside))
      for (const { type, at } of reports) {
        const near = stored.filter((crossing) => crossing.type === type && Math.abs(crossing.at - at) <= SAME_CROSSING_MS)
        assert.ok(near.some(({ source }) => source === 'device'))
      }
      assert.ok(stored.filter(({ source }) => source === 'device').length <= reports.length)
    }),
    { numRuns: 2000 },
  )
})

test('the same batch again changes nothing', () => {
  fc.assert(
    fc.property(movement, reportsArb, (steps, reports) => {
      const fixes = fixesOf(steps)
      const first = plan(fixes, reports)
      const stored = store([], first)
      const again = plan([], reports, stored, first.isInside)
      assert.deepEqual([brief(again.events), again.claims], [[], []])
    }),
    { numRuns: 1000 },
  )
})
