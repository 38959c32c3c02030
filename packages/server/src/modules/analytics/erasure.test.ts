import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { behaviorOf, countsOf, repeat, rollUp, track } from '../../../test/builders/events.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace, operator } = await startApp()

const impression = { type: 'impression', blockKey: 'promo' }

/** Rows of events, active devices and days of people, of one environment. */
async function rowsOf({ id }: Workspace, environment = 'live'): Promise<number[]> {
  const { rows } = await sql<{ events: number; devices: number; days: number }>`select
    (select count(*)::integer from events where workspace_id = ${id} and environment = ${environment}) as events,
    (select count(*)::integer from active_devices where workspace_id = ${id} and environment = ${environment}) as devices,
    (select count(*)::integer from person_days d join profiles p on p.workspace_id = d.workspace_id and p.id = d.profile_id
      where d.workspace_id = ${id} and p.environment = ${environment}) as days`.execute(ctx.db)
  return [rows[0]?.events ?? NaN, rows[0]?.devices ?? NaN, rows[0]?.days ?? NaN]
}
const partOf = async (ws: Workspace, erasureId: string) => {
  const { parts } = expectStatus(await ws.admin.get(`/erasures/${erasureId}`), 200).data
  return parts.find(({ part }: { part: string }) => part === 'analytics_events')
}

test('C-ERASE-07 events of the person and of their devices are gone, also from before they signed in; counts of blocks stay', async () => {
  const ws = await workspace()
  await identify(ws.app, 'other', 'V')
  await identify(ws.testApp, 'test', 'U')
  await identify(ws.app, 'D')
  await track(ws.app, 'D', repeat(2, impression))
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'U')
  for (const device of ['D', 'E', 'other']) await track(ws.app, device, repeat(3, impression))
  await track(ws.testApp, 'test', repeat(4, impression))
  await rollUp(operator)
  // Who uses the device next.
  await identify(ws.app, 'E', 'W')
  await track(ws.app, 'E', [impression])
  assert.deepEqual(await rowsOf(ws), [12, 3, 2])
  const { erasureId } = expectStatus(await erase(ws.app, 'D'), 200).data
  assert.deepEqual(await rowsOf(ws), [4, 2, 1])
  assert.deepEqual((await partOf(ws, erasureId)).count, 8 + 1 + 1)
  assert.deepEqual(await rowsOf(ws, 'test'), [4, 1, 1])
  await rollUp(operator)
  assert.equal((await countsOf(ws, 'promo')).impressions, 12)
  assert.deepEqual(await behaviorOf(ctx, ws, 'V'), {
    impressions: 3,
    clicks: 0,
    dismissals: 0,
    conversions: 0,
    eventsTotal: 3,
  })
  assert.equal((await behaviorOf(ctx, ws, 'W'))['eventsTotal'], 1)
  await ws.admin.delete('/users/W')
  assert.deepEqual(await rowsOf(ws), [3, 1, 1])
})

test('C-ERASE-07 more events than are erased in one go are erased all the same', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', repeat(100, impression))
  await sql`insert into events select e.* from events e, generate_series(1, 449) where e.workspace_id = ${ws.id}`.execute(ctx.db)
  const [events, , days] = await rowsOf(ws)
  assert.deepEqual([events, days], [45_000, 0])
  const { erasureId } = expectStatus(await erase(ws.app, 'D'), 200).data
  assert.ok((await partOf(ws, erasureId)).count >= 45_000)
  assert.deepEqual(await rowsOf(ws), [0, 0, 0])
})

test('C-ERASE-07 whoever comes back is counted anew', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', repeat(5, impression))
  await rollUp(operator)
  expectStatus(await erase(ws.app, 'D'), 200)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [impression])
  await rollUp(operator)
  assert.equal((await behaviorOf(ctx, ws, 'U'))['eventsTotal'], 1)
  assert.deepEqual(await rowsOf(ws), [1, 1, 1])
})
