import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { behaviorOf, repeat, rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp()
const { ctx, workspace, operator, advance } = app

const DAY = 86_400
const ROWS = ['events', 'person_days', 'active_devices', 'event_ids'] as const
async function rowsOf({ id }: Workspace): Promise<number[]> {
  const counts: number[] = []
  for (const table of ROWS)
    counts.push((await ctx.db.selectFrom(table).select('workspace_id').where('workspace_id', '=', id).execute()).length)
  return counts
}
const partitions = async () => {
  const { rows } = await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass
    order by 1`.execute(ctx.db)
  return rows.map(({ name }) => name)
}
const keep = async (ws: { admin: Workspace['admin'] }, days: unknown) => ws.admin.put('/settings/event-retention', { days })

test('events are kept for as many days as the workspace says, 400 unless it does', async () => {
  const ws = await workspace()
  const read = async () => expectStatus(await ws.admin.get('/settings/event-retention'), 200).data
  assert.deepEqual(await read(), { days: 400 })
  for (const days of [0, -1, 3651, 1.5, '30', null, undefined]) expectStatus(await keep(ws, days), 400)
  assert.deepEqual(await read(), { days: 400 })
  assert.deepEqual(expectStatus(await keep(ws, 30), 200).data, { days: 30 })
  assert.deepEqual(await read(), { days: 30 })
  const viewer = await ws.viewer()
  assert.deepEqual(expectStatus(await viewer.get('/settings/event-retention'), 200).data, { days: 30 })
  assert.equal(expectStatus(await keep({ admin: await ws.editor() }, 5), 403).body.code, 'ROLE_REQUIRED')
  expectStatus(await keep(ws, 3_650), 200)
  expectStatus(await keep(ws, 400), 200)
})

test('what is older goes: of a workspace by itself, whole days when nobody keeps them; counts stay', async () => {
  const [short, long] = [await workspaceOverTime(app), await workspaceOverTime(app)]
  expectStatus(await keep(short, 10), 200)
  const spaces = [short, long]
  for (const ws of spaces) {
    await identify(ws.app, 'D', 'U')
    await track(
      ws.app,
      'D',
      Array.from({ length: 3 }, (_, i) => ({ type: 'impression', blockKey: 'promo', eventId: `e${i}` })),
    )
  }
  await rollUp(operator)
  assert.deepEqual(await rowsOf(short), [3, 1, 1, 3])
  const [first] = await partitions()
  await advance(7 * DAY + 60)
  assert.deepEqual(
    [await rowsOf(short), await rowsOf(long)],
    [
      [3, 1, 1, 0],
      [3, 1, 1, 0],
    ],
  )
  await identify(short.app, 'D', 'U')
  await track(short.app, 'D', repeat(2, { type: 'impression', blockKey: 'promo', eventId: 'e0' }))
  await rollUp(operator)
  assert.deepEqual(await rowsOf(short), [4, 2, 2, 1], 'an old id counts as a new event')
  await advance(3 * DAY)
  assert.deepEqual(await rowsOf(short), [4, 2, 2, 1], 'the tenth day is kept')
  await advance(DAY)
  assert.deepEqual(
    [await rowsOf(short), await rowsOf(long)],
    [
      [1, 1, 1, 1],
      [3, 1, 1, 0],
    ],
  )
  assert.equal((await partitions())[0], first)
  await advance(400 * DAY)
  assert.deepEqual(
    [await rowsOf(short), await rowsOf(long)],
    [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
  )
  assert.ok(!(await partitions()).includes(first ?? ''), 'the day is gone as a whole')
  for (const [ws, total] of [
    [short, 4],
    [long, 3],
  ] as const) {
    const admin = await ws.signIn()
    assert.equal(expectStatus(await admin.get('/analytics/blocks/promo'), 200).data.impressions, total)
    assert.equal((await behaviorOf(ctx, ws, 'U'))['impressions'], total)
  }
  await identify(long.app, 'D', 'U')
  await track(long.app, 'D', [{ type: 'impression' }])
  assert.equal((await rowsOf(long))[0], 1)
})

test('a workspace that keeps events for a shorter time from now on loses what is older, and only that', async () => {
  const ws = await workspaceOverTime(app)
  for (let day = 0; day < 4; day++) {
    await identify(ws.app, 'D')
    await track(ws.app, 'D', repeat(day + 1, { type: 'impression' }))
    await advance(DAY)
  }
  await rollUp(operator)
  assert.equal((await rowsOf(ws))[0], 10)
  const admin = await ws.signIn()
  expectStatus(await keep({ admin }, 2), 200)
  await rollUp(operator)
  assert.equal((await rowsOf(ws))[0], 3 + 4)
  expectStatus(await keep({ admin }, 100), 200)
  await advance(DAY)
  assert.equal((await rowsOf(ws))[0], 3 + 4)
  expectStatus(await keep({ admin: await ws.signIn() }, 1), 200)
  await rollUp(operator)
  assert.equal((await rowsOf(ws))[0], 0)
})
