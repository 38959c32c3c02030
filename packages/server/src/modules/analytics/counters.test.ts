import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Client } from '../../../test/builders/builders.ts'
import { countsOf, repeat, rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { deny, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'

const app = await startApp()
const { ctx, workspace, operator, advance } = app

const NONE = { impressions: 0, clicks: 0, dismissals: 0, conversions: 0, total: 0 }
const about = (blockKey: string, type = 'impression') => ({ type, blockKey })
const hour = (offset = 0) => new Date(Math.floor(ctx.clock.ms() / 3_600_000 + offset) * 3_600_000).toISOString()

test('C-EVT-21 G-47 G-66 events count for their block on their own, each for what it is', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  assert.deepEqual(await countsOf(ws, 'promo'), NONE)
  await track(ws.app, 'D', [
    ...repeat(3, about('promo')),
    ...['click', 'banner_click', 'cta_click', 'dismiss', 'purchase', 'conversion'].map((type) => about('promo', type)),
    about('promo', 'video_play'),
    about('other'),
    { type: 'impression' },
  ])
  await until('they are counted', async () => (await countsOf(ws, 'promo')).total > 0)
  assert.deepEqual(await countsOf(ws, 'promo'), { impressions: 3, clicks: 3, dismissals: 1, conversions: 2, total: 10 })
  assert.deepEqual(await countsOf(ws, 'other'), { ...NONE, impressions: 1, total: 1 })
  assert.deepEqual(await countsOf(ws, 'unknown'), NONE)
})

test('C-EVT-20 C-SBX-02 events of test keys count as test only; of two workspaces each has its own', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  await identify(ws.app, 'D')
  await identify(ws.testApp, 'T')
  await identify(other.app, 'D')
  await track(ws.app, 'D', repeat(2, about('promo')))
  await track(ws.testApp, 'T', repeat(5, about('promo')))
  await track(other.app, 'D', repeat(7, about('promo')))
  await rollUp(operator)
  assert.equal((await countsOf(ws, 'promo')).impressions, 2)
  assert.equal((await countsOf(ws, 'promo', 'environment=live')).impressions, 2)
  assert.equal((await countsOf(ws, 'promo', 'environment=test')).impressions, 5)
  assert.equal((await countsOf(other, 'promo')).impressions, 7)
  assert.equal((await countsOf(other, 'promo', 'environment=test')).impressions, 0)
})

test('C-DEV-14 C-EVT-09 C-EVT-10 what was not taken is not counted', async () => {
  const ws = await workspace()
  await deny(ws.app, 'D')
  expectStatus(await ws.app.post('/events', { deviceId: 'D', events: repeat(3, about('promo')) }), 202)
  await identify(ws.app, 'E')
  expectStatus(await ws.app.post('/events', { deviceId: 'E', events: repeat(101, about('promo')) }), 400)
  expectStatus(await ws.app.post('/events', { deviceId: 'E', events: [about('promo'), { type: 'sign_in' }] }), 400)
  await rollUp(operator)
  assert.deepEqual(await countsOf(ws, 'promo'), NONE)
})

test('G-66 from and to take whole hours; instances and campaigns are counted alike', async () => {
  const ws = await workspace()
  const times: string[] = []
  for (let i = 1; i <= 3; i++) {
    await identify(ws.app, 'D')
    times.push(hour())
    await track(ws.app, 'D', repeat(i, { ...about('promo'), instanceId: 'i1', campaignId: 'c1' }))
    await advance(3_600)
  }
  await rollUp(operator)
  const between = async (from?: string, to?: string) =>
    (await countsOf(ws, 'promo', new URLSearchParams({ ...(from && { from }), ...(to && { to }) }).toString())).impressions
  assert.equal(await between(times[1]), 5)
  assert.equal(await between(undefined, times[1]), 1)
  assert.equal(await between(times[1], times[2]), 2)
  assert.equal(await between(times[1], times[1]), 0)
  const inHour = new Date(Date.parse(times[1] ?? '') + 1_000).toISOString()
  assert.equal(await between(inHour, inHour), 2, 'a part of an hour is the whole hour')
  assert.equal(await between(times[1]?.replace('Z', '+00:00')), 5)
  for (const path of ['instances/i1', 'campaigns/c1']) {
    assert.equal(expectStatus(await ws.admin.get(`/analytics/${path}`), 200).data.impressions, 6)
    assert.equal((await ws.admin.get(`/analytics/${path}?from=${hour(1)}`)).data.impressions, 0)
  }
})

test('G-66 ranges and environments that cannot be read are refused, and say why', async () => {
  const ws = await workspace()
  for (const query of ['from=yesterday', 'to=2026-02-30', 'from=1', 'environment=prod', 'from=2026-05-02&to=2026-05-01', 'from=%00']) {
    for (const path of ['blocks/promo', 'overview']) {
      const refused = expectStatus(await ws.admin.get(`/analytics/${path}?${query}`), 400)
      assert.match(refused.body.error, /from|to|environment/, query)
    }
  }
  const viewer = await ws.viewer()
  assert.equal((await viewer.get('/analytics/blocks/promo')).status, 200)
  assert.equal((await ws.app.get('/analytics/blocks/promo')).status, 404)
})

const overview = async (admin: Client, query = '') => expectStatus(await admin.get(`/analytics/overview?${query}`), 200).data

test('the overview says what happened by day, by type and by block, with days without events', async () => {
  const ws = await workspaceOverTime(app)
  for (const devices of [['A', 'B'], [], ['A', 'B', 'C']]) {
    for (const device of devices) {
      await identify(ws.app, device)
      await track(ws.app, device, [about('promo'), about('promo'), about('promo', 'cta_click'), about('other'), { type: 'custom' }])
      await track(ws.app, device, [{ type: 'custom' }])
    }
    if (devices.length < 3) await advance(86_400)
  }
  await identify(ws.testApp, 'T')
  await track(ws.testApp, 'T', repeat(9, about('promo')))
  await rollUp(operator)
  const admin = await ws.signIn()
  const { series, totals, types, otherTypes, blocks, interval } = await overview(admin)
  assert.equal(interval, 'day')
  assert.equal(series.length, 30)
  assert.deepEqual(
    series.slice(-4).map((point: { total: number; activeDevices: number }) => [point.total, point.activeDevices]),
    [
      [0, 0],
      [12, 2],
      [0, 0],
      [18, 3],
    ],
  )
  assert.ok(series.every(({ at }: { at: string }) => at.endsWith('T00:00:00.000Z')))
  assert.deepEqual(totals, { impressions: 15, clicks: 5, dismissals: 0, conversions: 0, total: 30 })
  assert.deepEqual(types, [
    { type: 'impression', total: 15 },
    { type: 'custom', total: 10 },
    { type: 'cta_click', total: 5 },
  ])
  assert.equal(otherTypes, 0)
  assert.deepEqual(blocks, [
    { key: 'promo', impressions: 10, clicks: 5, clickRate: 0.5 },
    { key: 'other', impressions: 5, clicks: 0, clickRate: 0 },
  ])
  assert.equal((await overview(admin, 'environment=test')).totals.total, 9)
  const hours = await overview(admin, `interval=hour&from=${hour(-1)}`)
  assert.deepEqual(
    hours.series.map(({ total }: { total: number }) => total),
    [0, 18],
  )
  assert.equal(hours.series[0].activeDevices, undefined)
})

test('the overview has at most 400 points, and names the 20 most frequent types', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  await track(ws.app, 'D', Array.from({ length: 25 }, (_, i) => repeat(i < 20 ? 2 : 1, { type: `t${String(i).padStart(2, '0')}` })).flat())
  await rollUp(operator)
  const { types, otherTypes, totals } = await overview(ws.admin)
  assert.deepEqual([types.length, otherTypes, totals.total], [20, 5, 45])
  assert.equal((await overview(ws.admin, `from=${hour(-399 * 24)}`)).series.length, 400)
  for (const query of [`from=${hour(-400 * 24)}`, `interval=hour&from=${hour(-400)}`, 'from=1970-01-01'])
    assert.match(expectStatus(await ws.admin.get(`/analytics/overview?${query}`), 400).body.error, /400/)
})

test('what is counted twice at once, by several processes or after a failure in the middle, counts once', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  await sql`create function stop() returns trigger language plpgsql as 'begin raise exception ''stop''; end'`.execute(ctx.db)
  await sql`create trigger stop before insert on active_devices for each statement execute function stop()`.execute(ctx.db)
  await track(ws.app, 'D', repeat(10, about('promo')))
  assert.notEqual((await operator.post('/test-hooks/jobs', { job: 'rollup' })).status, 200)
  assert.deepEqual(await countsOf(ws, 'promo'), NONE)
  await sql`drop trigger stop on active_devices`.execute(ctx.db)
  await Promise.all(Array.from({ length: 4 }, () => rollUp(operator)))
  assert.equal((await countsOf(ws, 'promo')).impressions, 10)
  await rollUp(operator)
  assert.equal((await countsOf(ws, 'promo')).impressions, 10)
})
