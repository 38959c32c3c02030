import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOBODY } from '../targeting/subject.ts'
import { advance, beginRun, compileJourney, type Run } from './advance.ts'
import { listSteps, type Step } from './journey.ts'
import { readJourney } from './read-journey.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const content = { en: { title: 'x' } }
const rule = { logicalOperator: 'AND' as const, rules: [{ field: 'customAttributes.plan', operator: 'equals' as const, value: 'gold' }] }
const gold = { ...NOBODY, traits: { plan: 'gold' } }
const message = (id: string): Step => ({ id, type: 'in_app', content })
/** On every day at noon. */
const prayersAround = (at: number) => [0, 1].map((days) => (Math.floor(at / DAY) + days + 0.5) * DAY)
const compile = (steps: readonly Step[]) =>
  compileJourney(steps, {
    journeyId: 'j',
    compileRegex: () => undefined,
    hash32: (text) => Number(/^\d+/.exec(text)?.[0] ?? 0),
    prayersAround,
  })
const traveller = (id: string, subject = NOBODY) => ({ id, subject })
const ANYBODY = traveller('0')

/** Checks every minute until it is over; what was done, in order. */
function walk(steps: readonly Step[], person = ANYBODY): { run: Run; did: string[]; checks: number } {
  const program = compile(steps)
  let run = beginRun(steps, 0)
  const did: string[] = []
  let checks = 0
  for (let now = 0; run.dueAt !== null; now += MINUTE, checks++) {
    const advanced = advance(program, run, person, now, now + 1)
    did.push(...advanced.why.map(({ step, did: what }) => `${step} ${what}`))
    run = advanced.run
  }
  return { run, did, checks }
}

test('M-JRN-13 M-LIMIT-20 a check does 20 steps, however they are nested, and the next goes on', () => {
  const flat = Array.from({ length: 45 }, (_, i) => message(`s${i}`))
  assert.deepEqual([walk(flat).checks, walk(flat).did.length], [3, 45])
  const first = advance(compile(flat), beginRun(flat, 0), ANYBODY, 0, 1)
  assert.deepEqual([first.effects.length, first.run.step, first.run.dueAt], [20, 's20', 1])
  const exactly = walk(flat.slice(0, 20))
  assert.deepEqual([exactly.checks, exactly.run.status], [1, 'completed'])
})

test('G-57 M-JRN-13 a wait of no minutes is a step like others, and keeps nobody', () => {
  const waits = Array.from({ length: 25 }, (_, i): Step => ({ id: `w${i}`, type: 'wait', minutes: 0 }))
  const { run, did, checks } = walk(waits)
  assert.deepEqual([run.status, checks, did.length, did[0]], ['completed', 2, 25, 'w0 waited'])
})

test('G-57 branches meet behind their condition, a wait holds to the minute, an exit ends all', () => {
  const steps: Step[] = [
    { id: 'if', type: 'condition', rule, then: [message('gift')], else: [{ id: 'w', type: 'wait', minutes: 2 }, message('late')] },
    message('both'),
    { id: 'out', type: 'exit' },
    message('never'),
  ]
  assert.deepEqual(walk(steps, traveller('0', gold)).did, ['if then', 'gift sent', 'both sent', 'out exited'])
  const other = walk(steps)
  assert.deepEqual(other.did, ['if else', 'w began_wait', 'w waited', 'late sent', 'both sent', 'out exited'])
  assert.deepEqual([other.checks, other.run.status, other.run.step, other.run.reason], [3, 'exited', 'out', 'exit'])
  const program = compile(steps)
  const { run } = advance(program, beginRun(steps, 0), ANYBODY, 0, 1)
  assert.equal(run.dueAt, 2 * MINUTE)
  assert.deepEqual(advance(program, run, ANYBODY, 2 * MINUTE - 1, 2 * MINUTE), { run, effects: [], why: [] })
})

test('G-57 who stands on a step that is gone leaves; one that became another kind is done', () => {
  const waiting: Run = { step: 'w', isWaiting: true, status: 'active', dueAt: 0, reason: null }
  const gone = advance(compile([message('a')]), waiting, ANYBODY, 0, 1)
  assert.deepEqual([gone.run.status, gone.run.reason, gone.run.step, gone.effects], ['exited', 'step_removed', 'w', []])
  const changed = advance(compile([message('w')]), waiting, ANYBODY, 0, 1)
  assert.deepEqual([changed.run.status, changed.effects.length], ['completed', 1])
  assert.equal(walk([]).run.status, 'completed')
})

test('G-57 a wait until an hour ends when clocks of its zone next show it, summer time or not', () => {
  const until = (hour: number, zone: string, from: string) => {
    const steps: Step[] = [{ id: 'w', type: 'wait_until', hour, zone }]
    const now = Date.parse(from)
    return new Date(advance(compile(steps), beginRun(steps, now), ANYBODY, now, now + 1).run.dueAt ?? 0).toISOString()
  }
  assert.equal(until(9, 'Asia/Riyadh', '2026-03-01T05:59:00Z'), '2026-03-01T06:00:00.000Z')
  assert.equal(until(9, 'Asia/Riyadh', '2026-03-01T06:00:00Z'), '2026-03-02T06:00:00.000Z', 'of the next day')
  assert.equal(until(0, 'Asia/Riyadh', '2026-03-01T20:30:00Z'), '2026-03-01T21:00:00.000Z')
  // Clocks go from 2 to 3, and back from 3 to 2.
  assert.equal(until(2, 'Europe/Berlin', '2026-03-29T00:30:00Z'), '2026-03-29T01:00:00.000Z')
  assert.equal(until(2, 'Europe/Berlin', '2026-10-24T23:30:00Z'), '2026-10-25T00:00:00.000Z')
  assert.equal(until(2, 'Europe/Berlin', '2026-10-25T00:30:00Z'), '2026-10-26T01:00:00.000Z', 'not when they show it again')
})

test('G-57 a wait until after a prayer ends two minutes behind its computed time and the minutes, never before the printed one', () => {
  const until = (minutesAfter: number, from: string) => {
    const steps: Step[] = [{ id: 'w', type: 'wait_until', afterPrayer: 'dhuhr', minutesAfter, latitude: 0, longitude: 0 }]
    const now = Date.parse(from)
    return new Date(advance(compile(steps), beginRun(steps, now), ANYBODY, now, now + 1).run.dueAt ?? 0).toISOString()
  }
  assert.equal(until(0, '2026-03-01T05:59:00Z'), '2026-03-01T12:02:00.000Z')
  assert.equal(until(20, '2026-03-01T12:10:00Z'), '2026-03-01T12:22:00.000Z', 'after the prayer, before the minutes')
  assert.equal(until(20, '2026-03-01T12:22:00Z'), '2026-03-02T12:22:00.000Z', 'of the next day')
  assert.equal(until(180, '2026-03-01T23:59:00Z'), '2026-03-02T15:02:00.000Z')
})

test('G-57 a wait until a prayer takes the names of the five, minutes and a place where each day has them', () => {
  const read = (step: object) => readJourney({ steps: [step] }, { isNew: false, isRegexValid: () => undefined, newId: () => 'new' })
  const right = { type: 'wait_until', afterPrayer: 'isha', minutesAfter: 20, latitude: 24.7, longitude: 46.7 }
  const { minutesAfter: _, ...short } = right
  assert.deepEqual(read({ ...right, colour: 'red' }), { ok: true, value: { steps: [{ id: 'new', ...right }] }, problems: [] })
  assert.deepEqual(read(short), { ok: true, value: { steps: [{ id: 'new', ...right, minutesAfter: 0 }] }, problems: [] })
  const wrong = (part: object) => {
    const found = read({ ...right, ...part })
    return found.ok ? '' : found.error
  }
  const [one, degrees] = ['steps[0]', 'must be a number of degrees']
  for (const afterPrayer of ['Isha', 'jumuah', null, 5])
    assert.equal(wrong({ afterPrayer }), `${one}.afterPrayer must be one of fajr, dhuhr, asr, maghrib, isha`)
  for (const minutesAfter of [-1, 181, 1.5, '20', null])
    assert.equal(wrong({ minutesAfter }), `${one}.minutesAfter must be a whole number from 0 to 180`)
  for (const latitude of [-65.1, 65.1, '24', null, undefined, Number.NaN])
    assert.equal(wrong({ latitude }), `${one}.latitude ${degrees}, -65 to 65; beyond there are days without sunrise`)
  for (const longitude of [-180.1, 181, undefined]) assert.equal(wrong({ longitude }), `${one}.longitude ${degrees}, -180 to 180`)
  const both = `${one} waits until an hour or until after a prayer: send hour or afterPrayer, not both`
  for (const hour of [9, null, 'nine']) assert.equal(wrong({ hour }), both)
})

test('G-57 G-73 a split sends the same people the same way, as many of a hundred as it says', () => {
  const steps: Step[] = [{ id: 's', type: 'split', percent: 30, then: [message('a')], else: [message('b')] }, message('both')]
  const ways = Array.from({ length: 100 }, (_, person) => walk(steps, traveller(String(person))).did)
  assert.equal(ways.filter(([first]) => first === 's then').length, 30)
  assert.deepEqual(ways[29], ['s then', 'a sent', 'both sent'])
  assert.deepEqual(ways[30], ['s else', 'b sent', 'both sent'])
})

test('G-57 an edit without ids keeps those of the steps that stay where they are', () => {
  let made = 0
  const read = (steps: unknown, before: readonly Step[] = []) => {
    const found = readJourney({ steps }, { isNew: false, isRegexValid: () => undefined, newId: () => `new${++made}`, before })
    assert.ok(found.ok)
    return found.value.steps!
  }
  const sent = [
    { type: 'wait', minutes: 1 },
    { type: 'condition', rule, then: [{ type: 'exit' }] },
    { id: 'own', type: 'exit' },
  ]
  const first = read(sent)
  assert.deepEqual(
    listSteps(first).map(({ id }) => id),
    ['new1', 'new2', 'new3', 'own'],
  )
  assert.deepEqual(
    listSteps(read(sent, first)).map(({ id }) => id),
    ['new1', 'new2', 'new3', 'own'],
  )
  const other = read([{ type: 'exit' }, ...sent.slice(1, 2), { id: 'new1', type: 'exit' }], first)
  assert.deepEqual(
    listSteps(other).map(({ id }) => id),
    ['new4', 'new2', 'new3', 'new1'],
  )
})
