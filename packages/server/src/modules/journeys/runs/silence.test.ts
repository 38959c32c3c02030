/** Who has become silent enters a journey: by their last sign of life, whatever the mark that they are found by. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { rollUp, track, workspaceOverTime } from '../../../../test/builders/events.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { makeJourney, setStatus } from '../../../../test/builders/journeys.ts'
import { identify, personRow } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const app = await startApp()
const { advance, operator, ctx } = app

const HOUR = 3_600
const DAY = 24 * HOUR
const check = () => journeys.check(operator)
/** On and a little further, so that what became due by then is found. */
const after = async (seconds: number) => {
  await advance(seconds)
  await check()
}

type Lasting = Awaited<ReturnType<typeof workspaceOverTime>>

/** A journey by so many days of silence, active from now on. */
async function start(ws: Lasting, days = 1): Promise<string> {
  const by = await ws.signIn()
  const { id } = await makeJourney(by, { trigger: { type: 'inactivity', days } })
  expectStatus(await setStatus(by, id, 'active'), 200)
  return id
}

/** Read from the table: no session lives for weeks. */
async function taken({ id }: Pick<Workspace, 'id'>, journeyId: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(p.user_id, p.device_id) as name from journey_runs r join profiles p on p.workspace_id = ${id} and p.id = r.profile_id
    where r.workspace_id = ${id} and r.journey_id = ${journeyId} order by 1`.execute(ctx.db)
  return rows.map(({ name }) => name)
}

async function marksOf({ id }: Pick<Workspace, 'id'>, person: string) {
  const { activity_mark: mark, last_active_at: last } = (await personRow(ctx, id, person))!
  return { mark: mark?.getTime() ?? 0, last: last?.getTime() ?? 0 }
}

test('M-JRN-07 who is active again within the day counts from then on, though they are looked for by an earlier mark', async () => {
  const ws = await workspaceOverTime(app)
  const id = await start(ws)
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'D2', 'U2')
  await advance(5 * HOUR)
  await identify(ws.app, 'D', 'U')
  const again = await marksOf(ws, 'U')
  assert.ok(again.last - again.mark >= 5 * HOUR * 1_000, 'an identify within hours leaves the mark')
  await after(20 * HOUR)
  assert.deepEqual(await taken(ws, id), ['U2'])
  const settled = await marksOf(ws, 'U')
  assert.deepEqual([settled.mark, settled.last], [again.last, again.last], 'the check sets it right')
  await after(3 * HOUR)
  assert.deepEqual(await taken(ws, id), ['U2'])
  await after(2 * HOUR)
  assert.deepEqual(await taken(ws, id), ['U', 'U2'])
  await identify(ws.app, 'D', 'U')
  await after(2 * DAY)
  assert.deepEqual(await taken(ws, id), ['U', 'U2'], 'once')
})

test('M-JRN-07 events count as signs of life, of one who is signed in and of one who is anonymous', async () => {
  const ws = await workspaceOverTime(app)
  const id = await start(ws)
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E')
  for (let hours = 0; hours < 40; hours += 10) {
    await advance(10 * HOUR)
    await track(ws.app, hours % 20 === 0 ? 'D' : 'E', [{ type: 'impression', blockKey: 'promo' }])
    await rollUp(operator)
    await check()
    assert.deepEqual(await taken(ws, id), [], `after ${hours + 10} hours`)
    await identify(ws.app, hours % 20 === 0 ? 'E' : 'D', hours % 20 === 0 ? undefined : 'U')
  }
  await after(DAY + HOUR)
  assert.deepEqual(await taken(ws, id), ['E', 'U'])
})

test('M-JRN-07 M-JRN-14 who was silent before it turned active, or became so while it was paused, is taken when they return and fall silent again', async () => {
  const ws = await workspaceOverTime(app)
  for (const name of ['A', 'B', 'C']) await identify(ws.app, name, name)
  await advance(11 * HOUR)
  // The mark is of the first time: a day of silence begins here.
  await identify(ws.app, 'B', 'B')
  await advance(14 * HOUR)
  const id = await start(ws)
  await after(60)
  assert.deepEqual(await taken(ws, id), [], 'A and C were silent for a day already')
  await after(11 * HOUR)
  assert.deepEqual(await taken(ws, id), ['B'])
  expectStatus(await setStatus(await ws.signIn(), id, 'paused'), 200)
  await identify(ws.app, 'C', 'C')
  await after(DAY + HOUR)
  expectStatus(await setStatus(await ws.signIn(), id, 'active'), 200)
  await after(HOUR)
  assert.deepEqual(await taken(ws, id), ['B'])
  await identify(ws.app, 'A', 'A')
  await identify(ws.app, 'C', 'C')
  await after(DAY + HOUR)
  assert.deepEqual(await taken(ws, id), ['A', 'B', 'C'])
})

test('M-JRN-07 another number of days counts from when it is active again; several journeys look for their own', async () => {
  const ws = await workspaceOverTime(app)
  const [short, long] = [await start(ws, 1), await start(ws, 3)]
  await identify(ws.app, 'U', 'U')
  await advance(10 * HOUR)
  await identify(ws.app, 'U', 'U')
  await after(DAY + HOUR)
  assert.deepEqual([await taken(ws, short), await taken(ws, long)], [['U'], []])
  const by = await ws.signIn()
  expectStatus(await setStatus(by, long, 'paused'), 200)
  expectStatus(await by.put(`/journeys/${long}`, { trigger: { type: 'inactivity', days: 2 } }), 200)
  expectStatus(await setStatus(by, long, 'active'), 200)
  await after(22 * HOUR)
  assert.deepEqual(await taken(ws, long), [])
  await after(2 * HOUR)
  assert.deepEqual(await taken(ws, long), ['U'])
})

test('M-JRN-07 M-JRN-11 C-DEV-36 an anonymous person who signs in is one person, whose silence counts from then', async () => {
  const ws = await workspaceOverTime(app)
  const id = await start(ws)
  await identify(ws.app, 'D', 'U')
  await advance(6 * HOUR)
  await identify(ws.app, 'E')
  await advance(14 * HOUR)
  await identify(ws.app, 'E', 'U')
  await after(12 * HOUR)
  assert.deepEqual(await taken(ws, id), [])
  await after(12 * HOUR + 60)
  assert.deepEqual(await taken(ws, id), ['U'])
})

test('M-JRN-07 G-66 a crowd that fell silent at one moment enters in bounded steps, once, also where the check dies between them', async () => {
  const ws = await workspaceOverTime(app)
  const crowd = ctx.engine === 'postgres' ? 20_500 : 2_500
  // As a load of contacts makes them, who then all were active at the same microsecond.
  await sql`
    insert into profiles (workspace_id, id, environment, user_id, created_at, updated_at, last_active_at, activity_mark)
    select ${ws.id}, 'p' || i, 'live', 'u' || i, ${ctx.clock.now()}, ${ctx.clock.now()}, at, at
    from generate_series(1, ${crowd}::integer) i, (select ${ctx.clock.now()}::timestamptz + interval '123 microseconds' as at) moment`.execute(
    ctx.db,
  )
  await identify(ws.testApp, 'T', 'of test')
  const id = await start(ws)
  ctx.faults.watch((point) => {
    if (point === 'journeys: entered') throw new Error('dies behind the first step')
  })
  await after(DAY + 60)
  ctx.faults.watch(() => undefined)
  // Without their names: a planner that has not counted the crowd yet compares each run with each person.
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from journey_runs where workspace_id = ${ws.id} and journey_id = ${id}`.execute(ctx.db)
    return rows[0]!.count
  }
  assert.ok((await count()) > 0 && (await count()) < crowd, 'a part of them')
  await after(120)
  assert.equal(await count(), crowd)
  const { rows } = await sql<{ first: Date; last: Date }>`
    select min(entered_at) as first, max(entered_at) as last from journey_runs where workspace_id = ${ws.id}`.execute(ctx.db)
  assert.ok(rows[0]!.last > rows[0]!.first, 'whoever had entered is not entered again')
})
