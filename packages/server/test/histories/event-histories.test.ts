/**
 * Random histories of events, merges, erasures and roll-ups. Whenever the numbers are looked at they are what a recount
 * of the history gives: of blocks and types at once, of people when the hour is over. The seed of a failing history is
 * in its error; `fc.assert(..., {seed, path})` repeats it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { rollUp, track } from '../builders/events.ts'
import { erase, identify } from '../builders/people.ts'
import { startApp } from '../harness/start-app.ts'

const { ctx, workspace, operator, advance } = await startApp()

type Environment = 'live' | 'test'
type Act =
  | { kind: 'identify'; space: number; on: Environment; device: string; user: string | undefined }
  | { kind: 'track'; space: number; on: Environment; device: string; events: { type: string; blockKey?: string }[] }
  | { kind: 'erase'; space: number; on: Environment; device: string }
  | { kind: 'advance'; hours: number }
  | { kind: 'rollup' }
  /** A roll-up that ends in the middle. */
  | { kind: 'fail' }

const where = {
  space: fc.constantFrom(0, 0, 0, 1),
  on: fc.constantFrom<Environment>('live', 'live', 'live', 'test'),
  device: fc.constantFrom('D1', 'D2', 'D3', 'D4'),
}
const event = fc.record(
  {
    type: fc.constantFrom('impression', 'impression', 'click', 'banner_click', 'cta_click', 'dismiss', 'purchase', 'conversion', 'custom'),
    blockKey: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: ['type'] },
)
const events = fc.array(event, { minLength: 1, maxLength: 5 })
const rollUps = fc.constantFrom<Act>({ kind: 'rollup' }, { kind: 'fail' })
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('identify' as const), ...where, user: fc.constantFrom(undefined, 'U1', 'U2') }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('track' as const), ...where, events }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), ...where }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance' as const), hours: fc.constantFrom(1, 23, 24, 24 * 30, 24 * 90) }) },
  { weight: 2, arbitrary: rollUps },
)
/** Somebody who does things before they sign in, and after it; added up in between or not. */
const signIn = fc
  .record({ ...where, user: fc.constantFrom('U1', 'U2'), before: events, between: fc.option(rollUps), after: events })
  .map(({ user, before, between, after, ...who }): Act[] => [
    { kind: 'identify', ...who, user: undefined },
    { kind: 'track', ...who, events: before },
    ...(between ? [between] : []),
    { kind: 'identify', ...who, user },
    { kind: 'track', ...who, events: after },
  ])
const history = fc
  .array(fc.oneof({ weight: 5, arbitrary: act.map((one) => [one]) }, { weight: 1, arbitrary: signIn }), { minLength: 15, maxLength: 40 })
  .map((parts) => parts.flat())

const DAY = 86_400_000
const dayOf = (at: number) => Math.floor(at / DAY)

/** A person of the model: whose events they are, added up so far or not. */
type Person = { events: { type: string; at: number }[] }
type Space = {
  /** Who a device is: a user, or the device itself. Missing: never identified, or erased. */
  links: Map<string, { person: string; until: number }>
  people: Map<string, Person>
  /** `subject name` to events. */
  counted: Map<string, string[]>
}

/** What the numbers must be, in plain words: every accepted event counts once, and belongs to whoever it belongs to now. */
class Model {
  readonly spaces = new Map<string, Space>()

  of(space: number, on: Environment): Space {
    const name = `${space} ${on}`
    const found = this.spaces.get(name) ?? { links: new Map(), people: new Map(), counted: new Map() }
    this.spaces.set(name, found)
    return found
  }

  identify({ links, people }: Space, device: string, user: string | undefined, now: number): void {
    const person = user ?? links.get(device)?.person ?? device
    links.set(device, { person, until: now + DAY })
    const own = people.get(person) ?? { events: [] }
    people.set(person, own)
    const anonymous = people.get(device)
    if (user === undefined || !anonymous) return
    own.events.push(...anonymous.events)
    people.delete(device)
  }

  track({ links, people, counted }: Space, device: string, events: readonly { type: string; blockKey?: string }[], now: number): boolean {
    const link = links.get(device)
    if (!link || link.until <= now) return false
    for (const { type, blockKey } of events) {
      people.get(link.person)?.events.push({ type, at: now })
      for (const subject of [`type ${type}`, ...(blockKey === undefined ? [] : [`block ${blockKey}`])])
        counted.set(subject, [...(counted.get(subject) ?? []), type])
    }
    return true
  }

  /** The person with every device; or the anonymous one that the device left behind. */
  erase({ links, people }: Space, device: string): void {
    const person = links.get(device)?.person ?? device
    people.delete(person)
    for (const [id, link] of links) if (link.person === person) links.delete(id)
  }
}

const SUMS: Record<string, readonly string[]> = {
  impressions: ['impression'],
  clicks: ['click', 'banner_click', 'cta_click'],
  dismissals: ['dismiss'],
  conversions: ['purchase', 'conversion'],
}
const sumsOf = (types: readonly string[]) => ({
  ...Object.fromEntries(Object.entries(SUMS).map(([name, counted]) => [name, types.filter((type) => counted.includes(type)).length])),
  total: types.length,
})

async function storedCounts(ws: Workspace, on: Environment, unit: 'hour' | 'day') {
  const { rows } = await sql<{ name: string; counts: object }>`
    select subject || ' ' || name as name, json_build_object('impressions', sum(impressions), 'clicks', sum(clicks),
      'dismissals', sum(dismissals), 'conversions', sum(conversions), 'total', sum(total)) as counts
    from event_counts where workspace_id = ${ws.id} and environment = ${on} and unit = ${unit} and subject <> 'devices'
    group by subject, name`.execute(ctx.db)
  return Object.fromEntries(rows.map(({ name, counts }) => [name, counts]))
}

async function storedPeople(ws: Workspace, on: Environment) {
  const rows = await ctx.db.selectFrom('profiles').selectAll().where('workspace_id', '=', ws.id).where('environment', '=', on).execute()
  return Object.fromEntries(
    rows.map(({ user_id: user, device_id: device, behavioral, recent_events: recent, enrichment }) => {
      const { analytics_impressions: impressions = 0, analytics_events_total: total = 0 } = enrichment as Record<string, number>
      return [user ?? device, { behavioral, recent, impressions, total }]
    }),
  )
}

function expectedPeople({ people }: Space, now: number) {
  return Object.fromEntries(
    [...people].map(([id, { events }]) => {
      const { total, ...counts } = sumsOf(events.map(({ type }) => type))
      const within = (days: number) => events.filter(({ at }) => dayOf(at) >= dayOf(now) - days)
      return [
        id,
        {
          behavioral: total === 0 ? {} : { ...counts, eventsTotal: total },
          recent: within(30).length,
          impressions: within(90).filter(({ type }) => type === 'impression').length,
          total: within(90).length,
        },
      ]
    }),
  )
}

/** Every number of these workspaces is that of the model. */
async function compare(model: Model, spaces: readonly Workspace[]): Promise<void> {
  for (const [index, ws] of spaces.entries())
    for (const on of ['live', 'test'] as const) {
      const space = model.of(index, on)
      const expected = Object.fromEntries([...space.counted].map(([subject, types]) => [subject, sumsOf(types)]))
      for (const unit of ['hour', 'day'] as const) assert.deepEqual(await storedCounts(ws, on, unit), expected, `${on} ${unit}`)
      assert.deepEqual(await storedPeople(ws, on), expectedPeople(space, ctx.clock.ms()), on)
    }
}

/** While a trigger fails in the middle of the roll-up. */
async function failRollUp(table: string): Promise<void> {
  await sql`create or replace function stop() returns trigger language plpgsql as 'begin raise exception ''stop''; end'`.execute(ctx.db)
  await sql`create trigger stop before insert or update on ${sql.table(table)} for each statement execute function stop()`.execute(ctx.db)
  try {
    await operator.post('/test-hooks/jobs', { job: 'rollup' })
  } finally {
    await sql`drop trigger stop on ${sql.table(table)}`.execute(ctx.db)
  }
}

/** Test devices are others: a device belongs to one environment. */
const nameOf = (on: Environment, device: string) => (on === 'live' ? device : `T${device}`)

async function perform(model: Model, spaces: readonly Workspace[], step: Act): Promise<void> {
  if (step.kind === 'advance') return advance(step.hours * 3_600)
  if (step.kind === 'fail') {
    for (const table of ['active_devices', 'person_days']) await failRollUp(table)
    return
  }
  if (step.kind === 'rollup') {
    await rollUp(operator)
    return compare(model, spaces)
  }
  const ws = spaces[step.space] ?? assert.fail()
  const [app, device, space] = [step.on === 'live' ? ws.app : ws.testApp, nameOf(step.on, step.device), model.of(step.space, step.on)]
  if (step.kind === 'identify') {
    await identify(app, device, step.user)
    model.identify(space, device, step.user, ctx.clock.ms())
  } else if (step.kind === 'track') {
    if (model.track(space, device, step.events, ctx.clock.ms())) await track(app, device, step.events)
    else assert.equal(expectStatus(await app.post('/events', { deviceId: device, events: step.events }), 202).data.accepted, 0)
  } else {
    // Whatever was sent counts for its block, though nobody can be found behind it any more.
    await rollUp(operator)
    expectStatus(await erase(app, device), 200)
    model.erase(space, device)
  }
}

/** Histories begun later than this are left out: one that is cut off in the middle would go on under the next test. */
const until = (milliseconds: number) => {
  const end = Date.now() + milliseconds
  return () => Date.now() < end
}

async function shops(): Promise<Workspace[]> {
  const spaces = [await workspace(), await workspace()]
  for (const ws of spaces) expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  return spaces
}

test('I-19 C-EVT-20 C-EVT-21 C-SEG-44 M-ENR-93 C-ERASE-07 after every history all numbers equal a recount', async () => {
  const isTime = until(20_000)
  await fc.assert(
    fc.asyncProperty(history, async (acts) => {
      if (!isTime()) return
      const [model, spaces] = [new Model(), await shops()]
      for (const step of acts) await perform(model, spaces, step)
      await rollUp(operator)
      await compare(model, spaces)
      await rollUp(operator)
      await compare(model, spaces)
    }),
    { numRuns: 25 },
  )
})

/** Everything that is derived from live events. */
async function liveState(ws: Workspace): Promise<unknown> {
  const { rows } = await sql`
    select 'count' as kind, to_jsonb(c) - 'workspace_id' as row from event_counts c where workspace_id = ${ws.id} and environment = 'live'
    union all select 'person', jsonb_build_object('id', coalesce(user_id, device_id), 'behavioral', behavioral, 'recent', recent_events,
      'enrichment', enrichment) from profiles where workspace_id = ${ws.id} and environment = 'live'
    union all select 'device', jsonb_build_object('id', device_id, 'day', day) from active_devices
      where workspace_id = ${ws.id} and environment = 'live'
    order by 1, 2`.execute(ctx.db)
  return rows
}

/** The same without a model: what is dropped is dropped. */
async function send(ws: Workspace, on: Environment, step: Act): Promise<void> {
  if (!('space' in step) || step.kind === 'erase') return
  const [app, device] = [on === 'live' ? ws.app : ws.testApp, nameOf(on, step.device)]
  if (step.kind === 'identify') await identify(app, device, step.user)
  else expectStatus(await app.post('/events', { deviceId: device, events: step.events }), 202)
}

test('I-17 C-SBX-02 C-EVT-20 live numbers are the same with and without all test traffic', async () => {
  const isTime = until(10_000)
  await fc.assert(
    fc.asyncProperty(history, history, async (acts, noise) => {
      if (!isTime()) return
      const [quiet, loud] = await shops()
      assert.ok(quiet && loud)
      for (const [index, step] of acts.entries()) {
        const disturbance = noise[index % noise.length]
        if (disturbance) await send(loud, 'test', disturbance)
        for (const ws of [quiet, loud]) await send(ws, 'live', step)
      }
      await rollUp(operator)
      assert.deepEqual(await liveState(loud), await liveState(quiet))
    }),
    { numRuns: 6 },
  )
})
