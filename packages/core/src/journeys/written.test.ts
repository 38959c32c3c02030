/** What a condition sees behind a step that writes attributes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOBODY } from '../targeting/subject.ts'
import { DAY_MS, MINUTE_MS } from '../units.ts'
import { advance, advanceTo, beginRun, compileJourney, type Participant, type Run } from './advance.ts'
import type { Step } from './journey.ts'
import { rehearse } from './rehearse.ts'
import { afterWriting, listAttributes, withLoaded, type Loaded, type Said } from './written.ts'

const ASKED = ['tier', 'offer']
const said = (name: string, value: string, rank: number, more: Partial<Said> = {}): Said => ({
  name,
  value,
  rank,
  days: null,
  expiresAt: null,
  ...more,
})
const seen = (loaded: Loaded, now = 0) => withLoaded({ ...NOBODY, enrichment: { tier: 'old', other: 1 } }, loaded, ASKED, now).enrichment
const write = (loads: readonly Said[], values: object, days = 0, now = 0) =>
  afterWriting({ rank: 70, said: loads }, { values: values as Record<string, string>, days }, ASKED, now)

test('what is written wins over lower ranks and over what was loaded before it, and loses to higher ranks', () => {
  assert.deepEqual(seen(write([], { tier: 'gold', colour: 'red' })), { other: 1, tier: 'gold' })
  assert.deepEqual(seen(write([said('tier', 'silver', 50), said('tier', 'bronze', 70)], { tier: 'gold' })), { other: 1, tier: 'gold' })
  assert.deepEqual(seen(write([said('tier', 'silver', 50), said('tier', 'black', 100)], { tier: 'gold' })), { other: 1, tier: 'black' })
})

test('of two lengths the one that was written last wins; what its load said of others is as new, unless it has ended', () => {
  const both = afterWriting(write([], { tier: 'gold' }, 30), { values: { tier: 'silver' }, days: 0 }, ASKED, 0)
  assert.equal(seen(both)['tier'], 'silver')
  assert.equal(seen(both, 40 * DAY_MS)['tier'], 'silver')
  const turned = afterWriting(both, { values: { offer: 'x' }, days: 30 }, ASKED, 20 * DAY_MS)
  assert.deepEqual(seen(turned, 40 * DAY_MS), { other: 1, tier: 'gold', offer: 'x' })
  assert.deepEqual(seen(turned, 50 * DAY_MS), { other: 1, tier: 'silver' }, 'it ends 30 days after it was written last')
  const late = afterWriting(both, { values: { offer: 'x' }, days: 30 }, ASKED, 30 * DAY_MS)
  assert.deepEqual(seen(late, 31 * DAY_MS), { other: 1, tier: 'silver', offer: 'x' })
})

test('the attributes that rules ask for are found at any depth', () => {
  const rules = [
    { field: 'enrichment.tier', operator: 'equals' as const, value: 'gold' },
    { field: 'customAttributes.plan', operator: 'equals' as const, value: 'x' },
    { logicalOperator: 'OR' as const, conditions: [{ field: 'enrichment.My offer', operator: 'exists' as const }] },
  ]
  assert.deepEqual(listAttributes(rules), ['tier', 'My offer'])
})

const set = (id: string, values: Record<string, string>, days?: number): Step => ({
  id,
  type: 'update_profile',
  set: values,
  ...(days !== undefined && { expiresInDays: days }),
})
const isGold = (id: string): Step => ({
  id,
  type: 'condition',
  rule: { logicalOperator: 'AND', rules: [{ field: 'enrichment.tier', operator: 'equals', value: 'gold' }] },
  then: [],
  else: [],
})
const compile = (steps: readonly Step[]) =>
  compileJourney(steps, { journeyId: 'J', compileRegex: () => () => false, hash32: () => 0, prayersAround: () => [] })
const personWith = (loads: readonly Said[]): Participant => ({
  id: 'P',
  subject: { ...NOBODY, enrichment: Object.fromEntries(loads.map(({ name, value }) => [name, value])) },
  loaded: { rank: 70, said: loads },
})

test('a condition right behind it sees the new value, with and without events, and so does trying it out', () => {
  const steps = [isGold('before'), set('set', { tier: 'gold' }), isGold('after')]
  const program = compile(steps)
  assert.deepEqual(program.asked, ['tier'])
  for (const [loads, after] of [
    [[], 'then'],
    [[said('tier', 'silver', 50)], 'then'],
    [[said('tier', 'black', 100)], 'else'],
  ] as const) {
    const expected = ['before else', 'set updated', `after ${after}`]
    const shown = (why: readonly { step: string; did: string }[]) => why.map(({ step, did }) => `${step} ${did}`)
    const plain = advance(program, beginRun(steps, 0), personWith(loads), 0, 1)
    assert.deepEqual(shown(plain.why), expected)
    const run: Run & { position: [number, number, number] } = { ...beginRun(steps, 0), position: [0, 0, 0] }
    const heard = advanceTo(program, run, personWith(loads), { now: 0, stepsBy: 0, waitsBy: 0, floor: 0 })
    assert.deepEqual(shown(heard.why), expected)
    const people = [{ ...personWith(loads), name: 'P', barOf: () => undefined }]
    const tried = rehearse(people, { steps, program, goal: null, start: 0, days: 1, samples: 1, happenings: [] })
    let one = tried.next()
    while (!one.done) one = tried.next()
    assert.deepEqual(shown(one.value.timelines.flatMap(({ moments }) => moments)), expected)
  }
})

test('a text that no event fills writes nothing, and a journey that asks for nothing it might write keeps nothing', () => {
  const unsaid = [set('set', { tier: '{{event.tier}}' }), isGold('after')]
  const moved = advance(compile(unsaid), beginRun(unsaid, 0), personWith([said('tier', 'gold', 50)]), 0, 1)
  assert.deepEqual([moved.why.at(-1)?.did, moved.person], ['then', undefined])
  assert.deepEqual(compile([set('set', { tier: 'gold' })]).asked, [])
  assert.deepEqual(compile([isGold('after')]).asked, [])
})

test('trying it out, a value stays over a wait and goes when it ends', () => {
  const wait = (id: string, days: number): Step => ({ id, type: 'wait', minutes: (days * DAY_MS) / MINUTE_MS })
  const steps = [set('set', { tier: 'gold' }, 2), wait('short', 1), isGold('held'), wait('long', 1), isGold('ended')]
  const people = [{ ...personWith([said('tier', 'silver', 50)]), name: 'P', barOf: () => undefined }]
  const tried = rehearse(people, { steps, program: compile(steps), goal: null, start: 0, days: 5, samples: 1, happenings: [] })
  let one = tried.next()
  while (!one.done) one = tried.next()
  const moments = one.value.timelines.flatMap((timeline) => timeline.moments)
  assert.deepEqual(
    moments.filter(({ did }) => did === 'then' || did === 'else').map(({ step, did }) => [step, did]),
    [
      ['held', 'then'],
      ['ended', 'else'],
    ],
  )
})
