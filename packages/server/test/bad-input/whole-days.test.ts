/** Days without a time, and times without an offset, at every route that takes some (G-90). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { toClock } from '@contentflow/core/calendar/zoned-time.ts'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { create } from '../builders/campaigns.ts'
import { apply, exported } from '../builders/code.ts'
import { begin, mappingOf, upload } from '../builders/imports.ts'
import { identify } from '../builders/people.ts'
import { repeat, rollUp, track } from '../builders/events.ts'
import { makeJourney } from '../builders/journeys.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

const { ctx, workspace, operator } = await startApp()

const RIYADH = { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: false }

async function inRiyadh(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await ws.admin.put('/settings/calendar', RIYADH), 200)
  return ws
}
const DAY = 86_400_000
/** The name of a day of the zone, so many days from now. */
const dayIn = (zone: string, days: number) => toClock(ctx.clock.ms() + days * DAY, zone).slice(0, 10)

test('G-90 schedules of instances: a start is the midnight of the workspace, an end takes its day whole', async () => {
  for (const [ws, start, end] of [
    [await inRiyadh(), '2035-03-01T21:00:00.000Z', '2035-03-03T21:00:00.000Z'],
    [await workspace(), '2035-03-02T00:00:00.000Z', '2035-03-04T00:00:00.000Z'],
  ] as const) {
    await ws.block('promo')
    const schedule = { startTime: '2035-03-02', endTime: '2035-03-03' }
    const made = expectStatus(await ws.admin.post('/blocks/promo/instances', { title: 'a', schedule }), 201).data
    assert.deepEqual(made.schedule, { startTime: start, endTime: end })
    const path = `/blocks/promo/instances/${made.id}`
    const oneDay = { startTime: '2035-03-02', endTime: '2035-03-02' }
    assert.equal(expectStatus(await ws.admin.put(path, { schedule: oneDay }), 200).data.schedule.startTime, start)
    const exact = { startTime: '2035-03-02T10:00', endTime: '2035-03-02T11:00:00+03:00' }
    expectStatus(await ws.admin.put(path, { schedule: exact }), 400)
    const read = expectStatus(await ws.admin.put(path, { schedule: { startTime: '2035-03-02T10:00' } }), 200).data.schedule
    assert.equal(read.startTime, '2035-03-02T10:00:00.000Z', 'without a zone beside it, UTC as documented')
    expectStatus(await ws.admin.put(path, { schedule: { startTime: '2035-03-02', endTime: '2035-03-01' } }), 400)
  }
})

test('G-90 seeds of a manifest and the workspace as code read days alike', async () => {
  const ws = await inRiyadh()
  const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
  const schedule = { startTime: '2035-03-02', endTime: '2035-03-02' }
  const seeds = [{ name: 'A', externalId: 'a', schedule, values: { '#title': 'x' } }]
  expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'promo', fields, instances: seeds }] }), 200)
  const [seeded] = expectStatus(await ws.admin.get('/blocks/promo/instances'), 200).data.instances
  const whole = { startTime: '2035-03-01T21:00:00.000Z', endTime: '2035-03-02T21:00:00.000Z' }
  assert.deepEqual(seeded.schedule, whole)
  const [instance] = (await exported(ws, 'instances')).data.instances
  await apply(ws, { instances: [{ ...instance, title: 'B', schedule }] })
  assert.deepEqual(expectStatus(await ws.admin.get('/blocks/promo/instances'), 200).data.instances[0].schedule, whole)
})

test('G-90 schedules of campaigns: the zone that the schedule names goes before that of the workspace', async () => {
  const ws = await inRiyadh()
  const scheduleOf = async (schedule: object) => (await create(ws.admin, { schedule })).schedule
  const lima = { timezone: 'America/Lima' }
  assert.deepEqual(await scheduleOf({ startTime: '2035-03-02T18:00', endTime: '2035-03-03', ...lima }), {
    startTime: '2035-03-02T23:00:00.000Z',
    endTime: '2035-03-04T05:00:00.000Z',
    ...lima,
  })
  assert.deepEqual(await scheduleOf({ startTime: '2035-03-02', endTime: '2035-03-02' }), {
    startTime: '2035-03-01T21:00:00.000Z',
    endTime: '2035-03-02T21:00:00.000Z',
  })
  assert.equal((await scheduleOf({ startTime: '2035-03-02T18:00' })).startTime, '2035-03-02T18:00:00.000Z')
  assert.equal((await scheduleOf({ startTime: '2035-03-02T18:00Z', ...lima })).startTime, '2035-03-02T18:00:00.000Z')
  const { id } = await create(ws.admin)
  const changed = expectStatus(await ws.admin.put(`/campaigns/${id}`, { schedule: { startTime: '2035-03-02T18:00', ...lima } }), 200).data
  assert.equal(changed.schedule.startTime, '2035-03-02T23:00:00.000Z')
})

test('G-90 what has a day of planned publications, lists and runs of journeys', async () => {
  const ws = await inRiyadh()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'x' }, schedule: { startTime: '2035-03-01T22:00:00Z' } })
  const path = `/blocks/promo/instances/${id}`
  const { scheduled } = expectStatus(await ws.admin.post(`${path}/publish`, { at: '2035-03-02' }), 202).data
  assert.equal(scheduled.at, '2035-03-01T21:00:00.000Z')
  const moved = expectStatus(await ws.admin.put(`${path}/schedule/${scheduled.id}`, { at: '2035-03-03' }), 200).data
  assert.equal(moved.at, '2035-03-02T21:00:00.000Z')
  assert.equal(expectStatus(await ws.admin.get(`${path}/at?time=2035-03-03`), 200).data.time, '2035-03-02T21:00:00.000Z')

  const count = async (list: string, to: string) =>
    expectStatus(await ws.admin.get(`/${list}?from=2035-03-01&to=${to}`), 200).body.metadata.total
  assert.deepEqual([await count('instances', '2035-03-01'), await count('instances', '2035-03-02')], [0, 1])
  await create(ws.admin, { schedule: { startTime: '2035-03-02T20:00:00Z' } })
  assert.deepEqual([await count('campaigns', '2035-03-01'), await count('campaigns', '2035-03-02')], [0, 1])

  await identify(ws.app, 'D', 'U')
  const journey = await makeJourney(ws.admin, { goal: { eventType: 'CONVERSION', days: 5 } })
  const day = dayIn('Asia/Riyadh', 2)
  const run = { userIds: ['U'], days: 5, events: [{ type: 'CONVERSION', at: day }] }
  const { goalMinute } = expectStatus(await ws.admin.post(`/journeys/${journey.id}/test-run`, run), 200).data
  const until = (Date.parse(`${day}T00:00:00+03:00`) - ctx.clock.ms()) / 60_000
  assert.ok(Math.abs(goalMinute - until) < 60, `${goalMinute} ${until}`)
})

test('G-90 what ends on a day ends with it: loads, saved sources and keys', async () => {
  const ws = await inRiyadh()
  const end = '2035-03-02T21:00:00.000Z'
  const mapping = mappingOf({ a: 'string' }, { expiresAt: '2035-03-02' })
  const source = expectStatus(await ws.admin.post('/enrichment/sources', { name: 'Club', mapping }), 201).data
  assert.equal(source.mapping.expiresAt, end)
  assert.equal(expectStatus(await ws.admin.put(`/enrichment/sources/${source.id}`, { mapping }), 200).data.mapping.expiresAt, end)
  const importId = await begin(ws.admin, { mapping })
  assert.equal(expectStatus(await ws.admin.get(`/enrichment/imports/${importId}`), 200).data.mapping.expiresAt, end)
  // A day that has begun is not over.
  await begin(ws.admin, { more: { expiresAt: dayIn('Asia/Riyadh', 0) } })
  const yesterday = { headers: ['id', 'a'], mapping: mappingOf({ a: 'string' }), expiresAt: dayIn('Asia/Riyadh', -1) }
  expectStatus(await ws.admin.post('/enrichment/imports', yesterday), 400)
  await upload(ws.admin, [{ userId: 'U', attributes: { a: 1 } }], { expiresAt: dayIn('Asia/Riyadh', 0) })
  const key = { environment: 'live', kind: 'secret', expiresAt: '2035-03-02' }
  assert.equal(expectStatus(await ws.admin.post('/settings/identity-keys', key), 201).data.expiresAt, end)
})

test('G-66 G-90 to=D of analytics takes the day whole, and from=D begins at its midnight in the workspace', async () => {
  for (const ws of [await workspace(), await inRiyadh()]) {
    const zone = expectStatus(await ws.admin.get('/settings/calendar'), 200).data.timeZone
    const today = dayIn(zone, 0)
    await identify(ws.app, 'D')
    await track(ws.app, 'D', repeat(3, { type: 'impression', blockKey: 'promo', instanceId: 'i', campaignId: 'c' }))
    const ask = async (path: string, query: string) => expectStatus(await ws.admin.get(`/analytics/${path}?${query}`), 200).data
    await until('they are counted', async () => (await ask('blocks/promo', '')).total > 0)
    await rollUp(operator)
    const [yesterday, tomorrow] = [dayIn(zone, -1), dayIn(zone, 1)]
    for (const path of ['blocks/promo', 'instances/i', 'campaigns/c'])
      for (const [query, total] of [
        [`from=${today}&to=${today}`, 3],
        [`to=${today}`, 3],
        [`from=${today}`, 3],
        [`to=${yesterday}`, 0],
        [`from=${tomorrow}&to=${tomorrow}`, 0],
      ] as const)
        assert.equal((await ask(path, query)).total, total, `${zone} ${path} ${query}`)
    for (const interval of ['day', 'hour']) {
      const whole = await ask('overview', `interval=${interval}&from=${today}&to=${today}`)
      assert.deepEqual([whole.totals.total, whole.series.length], [3, interval === 'day' ? 1 : 24], `${zone} ${interval}`)
      assert.equal(Date.parse(whole.to) - Date.parse(whole.from), DAY)
      assert.equal(toClock(whole.from, zone), `${today} 00:00:00`)
    }
    const days = await ask('overview', `interval=day&from=${yesterday}&to=${tomorrow}`)
    assert.deepEqual(
      days.series.map(({ date, total }: any) => [date, total]),
      [
        [yesterday, 0],
        [today, 3],
        [tomorrow, 0],
      ],
    )
    expectStatus(await ws.admin.get(`/analytics/overview?interval=day&from=${tomorrow}&to=${yesterday}`), 400)
    expectStatus(await ws.admin.get('/analytics/overview?interval=day&from=0001-01-01'), 400)
  }
})

test('G-90 events at the edges of a day of the workspace are of that day, and only of it', async () => {
  const ws = await inRiyadh()
  const at = (text: string, total: number) =>
    sql`(${ws.id}, 'live', 'type', 'impression', 'hour', ${text}::timestamptz, ${total}, 0, 0, 0, ${total})`
  await sql`insert into event_counts (workspace_id, environment, subject, name, unit, starts_at, impressions, clicks, dismissals, conversions, total)
    values ${sql.join([at('2026-03-01T20:00Z', 1), at('2026-03-01T21:00Z', 2), at('2026-03-02T20:00Z', 4), at('2026-03-02T21:00Z', 8)])}`.execute(
    ctx.db,
  )
  const overview = async (query: string) => expectStatus(await ws.admin.get(`/analytics/overview?interval=day&${query}`), 200).data
  assert.deepEqual((await overview('from=2026-03-02&to=2026-03-02')).totals.impressions, 6)
  const { series } = await overview('from=2026-03-01&to=2026-03-03')
  assert.deepEqual(
    series.map(({ impressions }: any) => impressions),
    [1, 6, 8],
  )
})
