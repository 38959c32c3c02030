/** What takes people into a journey, found at the check after it happened. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { makeJourney, peopleIn, runsOf, setStatus, startJourney } from '../../../../test/builders/journeys.ts'
import { deny, identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { hijriDate } from '../../calendar/index.ts'

const { workspace, advance, operator, ctx } = await startApp()

const DAY = 86_400
const check = () => journeys.check(operator)
const on = (ws: Workspace, eventType: string, filters?: object) =>
  startJourney(ws, { trigger: { type: 'event', eventType, ...(filters && { filters }) } })
const report = async (ws: Workspace, events: object[], deviceId = 'D') =>
  expectStatus(await ws.app.post('/events', { deviceId, events }), 202).data
const track = async (ws: Workspace, type: string, deviceId = 'D') =>
  expectStatus(await ws.app.post('/track-event', { deviceId, type }), 202)

/** Read from the table: no session lives for weeks. */
async function stored(ws: Workspace, journeyId: string): Promise<(string | null)[]> {
  const rows = await ctx.db
    .selectFrom('journey_runs as r')
    .innerJoin('profiles as p', (join) => join.onRef('p.workspace_id', '=', 'r.workspace_id').onRef('p.id', '=', 'r.profile_id'))
    .select('p.user_id')
    .where('r.workspace_id', '=', ws.id)
    .where('p.workspace_id', '=', ws.id)
    .where('r.journey_id', '=', journeyId)
    .orderBy('p.user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

async function shop() {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'D2', 'U2')
  return ws
}

test('M-JRN-02 C-TRK-05 M-JRN-11 signing up and signing in take people at the next check, once', async () => {
  const ws = await shop()
  const [up, into] = [await on(ws, 'SIGN_UP'), await on(ws, 'SIGN_IN')]
  await track(ws, 'sign_up')
  await track(ws, 'sign_in')
  await track(ws, 'sign_in')
  await track(ws, 'sign_in', 'D2')
  assert.deepEqual(await peopleIn(ws, up), [])
  await check()
  assert.deepEqual([await peopleIn(ws, up), await peopleIn(ws, into)], [['U'], ['U', 'U2']])
  assert.deepEqual((await runsOf(ws, up))[0].trigger, { type: 'event', eventType: 'SIGN_UP' })
  const [before] = await runsOf(ws, up)
  await track(ws, 'sign_up')
  await advance(60)
  await check()
  const [after, ...others] = await runsOf(ws, up)
  assert.deepEqual([after.enteredAt, others], [before.enteredAt, []])
})

test('M-JRN-03 G-57 reported events take people by their type', async () => {
  const ws = await shop()
  const types = {
    BANNER_IMPRESSION: ['impression'],
    BANNER_CLICK: ['click', 'banner_click'],
    CTA_CLICK: ['cta_click'],
    DISMISSED: ['dismiss'],
    CONVERSION: ['purchase', 'conversion'],
  }
  const ids = new Map<string, string>()
  for (const eventType of Object.keys(types)) ids.set(eventType, await on(ws, eventType))
  for (const [eventType, sent] of Object.entries(types))
    for (const type of sent) {
      const deviceId = `D-${type}`
      await identify(ws.app, deviceId, `U-${type}`)
      await report(ws, [{ type, blockKey: 'promo' }], deviceId)
      await check()
      assert.ok((await peopleIn(ws, ids.get(eventType)!)).includes(`U-${type}`), type)
    }
  for (const [eventType, sent] of Object.entries(types))
    assert.deepEqual(await peopleIn(ws, ids.get(eventType)!), sent.map((type) => `U-${type}`).toSorted(), eventType)
})

test('M-JRN-05 filters narrow an event trigger, all of them together', async () => {
  const ws = await shop()
  const byBlock = await on(ws, 'CTA_CLICK', { blockKey: 'promo' })
  const byAll = await on(ws, 'CTA_CLICK', { blockKey: 'promo', screen: 'home', campaignId: 'c1', fenceId: 'f1' })
  const never = await on(ws, 'SIGN_IN', { blockKey: 'promo' })
  await track(ws, 'sign_in')
  await report(ws, [{ type: 'cta_click', blockKey: 'other' }, { type: 'impression', blockKey: 'promo' }, { type: 'cta_click' }])
  await check()
  assert.deepEqual([await peopleIn(ws, byBlock), await peopleIn(ws, never)], [[], []])
  await report(ws, [{ type: 'cta_click', blockKey: 'promo', screen: 'home', campaignId: 'c2', fenceId: 'f1' }])
  await report(ws, [{ type: 'cta_click', blockKey: 'promo', screen: 'home', campaignId: 'c1', fenceId: 'f1' }], 'D2')
  await check()
  assert.deepEqual([await peopleIn(ws, byBlock), await peopleIn(ws, byAll)], [['U', 'U2'], ['U2']])
})

test('M-JRN-04 C-LOC-08 C-FLAG-11 crossings take people, by fence, unless fences are off', async () => {
  const ws = await shop()
  const fence = async (name: string, latitude: number) =>
    expectStatus(await ws.admin.post('/geofences', { name, latitude, longitude: 46.7, radiusMeters: 200 }), 201).data.id as string
  const [mall, park] = [await fence('mall', 24.7), await fence('park', 25.7)]
  const [enter, leave, dwell] = [
    await on(ws, 'GEOFENCE_ENTER', { fenceId: mall }),
    await on(ws, 'GEOFENCE_EXIT', { fenceId: mall }),
    await on(ws, 'GEOFENCE_DWELL'),
  ]
  const elsewhere = await on(ws, 'GEOFENCE_ENTER', { fenceId: park })
  const cross = async (type: string, deviceId = 'D') =>
    expectStatus(
      await ws.app.post('/location', { deviceId, geofenceEvents: [{ fenceId: mall, type, timestamp: ctx.clock.ms() - 3_600_000 }] }),
      202,
    )
  await cross('enter')
  await check()
  assert.deepEqual([await peopleIn(ws, enter), await peopleIn(ws, leave), await peopleIn(ws, elsewhere)], [['U'], [], []])
  assert.deepEqual((await runsOf(ws, enter))[0].trigger, { type: 'event', eventType: 'GEOFENCE_ENTER', fenceId: mall, source: 'device' })
  await cross('dwell')
  await cross('exit')
  await check()
  assert.deepEqual([await peopleIn(ws, leave), await peopleIn(ws, dwell)], [['U'], ['U']])
  expectStatus(await ws.admin.put('/settings/features', { features: { geofences: false } }), 200)
  const { status } = await ws.app.post('/location', { deviceId: 'D2', geofenceEvents: [{ fenceId: mall, type: 'enter' }] })
  assert.ok(status >= 200 && status < 300)
  await check()
  assert.deepEqual(await peopleIn(ws, enter), ['U'])
})

test('M-JRN-08 M-SEG-08 entering a segment, named or by id, takes people: by hand, by rules, by loaded values', async () => {
  const ws = await shop()
  const rules = (field: string) => ({ logicalOperator: 'AND', rules: [{ field, operator: 'equals', value: 'gold' }] })
  const segment = async (name: string, field: string) =>
    expectStatus(await ws.admin.post('/segments', { name, ...rules(field) }), 201).data.id as string
  const [vip, tier] = [await segment('VIP', 'customAttributes.plan'), await segment('Tier', 'enrichment.tier')]
  await identify(ws.app, 'D3', 'U3', { traits: { plan: 'gold' } })
  const entry = (name: string) => startJourney(ws, { trigger: { type: 'segment_entry', segment: name } })
  const [byName, byId, loaded] = [await entry('VIP'), await entry(vip), await entry('Tier')]
  await check()
  assert.deepEqual(await peopleIn(ws, byName), [], 'who was a member before is not entering')
  expectStatus(await ws.admin.post('/users/bulk/segments', { segmentId: vip, userIds: ['U'], action: 'add' }), 200)
  expectStatus(await ws.admin.put(`/segments/${vip}`, { name: 'Renamed' }), 200)
  await identify(ws.app, 'D2', 'U2', { traits: { plan: 'gold' } })
  await check()
  assert.deepEqual(
    [await peopleIn(ws, byName), await peopleIn(ws, byId)],
    [
      ['U', 'U2'],
      ['U', 'U2'],
    ],
  )
  expectStatus(await ws.admin.post('/enrichment/upload', { sourceRef: 's', records: [{ userId: 'U', attributes: { tier: 'gold' } }] }), 201)
  await advance(60)
  await check()
  assert.deepEqual(await peopleIn(ws, loaded), ['U'])
  assert.ok(tier)
  const unknown = await ws.admin.post('/journeys', { name: 'n', trigger: { type: 'segment_entry', segment: 'no such' }, steps: [] })
  assert.match(expectStatus(unknown, 400).body.error, /no such/)
})

test('M-JRN-07 who is silent for 30 days, or for as many as it says, is taken on that day', async () => {
  const ws = await shop()
  const month = await startJourney(ws, { trigger: { type: 'inactivity' } })
  const week = await startJourney(ws, { trigger: { type: 'inactivity', days: 7 } })
  assert.equal(expectStatus(await ws.admin.get(`/journeys/${month}`), 200).data.trigger.days, 30)
  await advance(6 * DAY)
  await identify(ws.app, 'D2', 'U2')
  await advance(DAY + 60)
  await check()
  assert.deepEqual([await stored(ws, week), await stored(ws, month)], [['U'], []])
  await advance(6 * DAY)
  await check()
  assert.deepEqual(await stored(ws, week), ['U', 'U2'])
  await advance(17 * DAY)
  await check()
  assert.deepEqual(await stored(ws, month), ['U'])
})

test('M-JRN-09 G-57 the first day of Ramadan, by the zone of the workspace, takes everybody', async () => {
  const ws = await shop()
  await identify(ws.testApp, 'T', 'of test')
  const ramadan = await startJourney(ws, { trigger: { type: 'hijri', event: 'ramadan_start' } })
  const eid = await startJourney(ws, { trigger: { type: 'hijri', event: 'eid_start' } })
  for (const event of ['hajj', undefined, 1])
    expectStatus(await ws.admin.post('/journeys', { name: 'n', trigger: { type: 'hijri', event }, steps: [] }), 400)
  const until = async (month: number) => {
    const hours = () => {
      for (let hour = 0; ; hour++) {
        const { month: found, day } = hijriDate(new Date(ctx.clock.ms() + hour * 3_600_000), 'Asia/Riyadh')
        if (found === month && day === 1) return hour
      }
    }
    await advance((hours() - 1) * 3_600)
    await check()
    assert.deepEqual(await stored(ws, month === 9 ? ramadan : eid), [])
    await advance(3_600)
    await check()
  }
  await until(9)
  assert.deepEqual([await stored(ws, ramadan), await stored(ws, eid)], [['U', 'U2'], []])
  await until(10)
  assert.deepEqual(await stored(ws, eid), ['U', 'U2'])
})

test('M-JRN-14 M-JRN-11 nothing from while it was paused is taken; an anonymous person stays one when they sign in', async () => {
  const ws = await shop()
  const id = await on(ws, 'CTA_CLICK')
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  await report(ws, [{ type: 'cta_click' }])
  await advance(10)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await check()
  assert.deepEqual(await peopleIn(ws, id), [])
  await identify(ws.app, 'E')
  await report(ws, [{ type: 'cta_click' }], 'E')
  await check()
  const [run, ...others] = await runsOf(ws, id)
  assert.deepEqual([run.userId, run.deviceId, others], [null, 'E', []])
  await identify(ws.app, 'E', 'New')
  assert.deepEqual(await peopleIn(ws, id), ['New'])
  await identify(ws.app, 'E2')
  await report(ws, [{ type: 'cta_click' }], 'E2')
  await check()
  await advance(60)
  await report(ws, [{ type: 'cta_click' }], 'D2')
  await check()
  const [first] = await runsOf(ws, id, 'E2')
  assert.notEqual((await runsOf(ws, id, 'U2'))[0].enteredAt, first.enteredAt)
  await identify(ws.app, 'E2', 'U2')
  assert.deepEqual([await peopleIn(ws, id), (await runsOf(ws, id, 'U2'))[0].enteredAt], [['New', 'U2'], first.enteredAt])
})

test('M-JRN-06 M-JRN-02 denying takes nobody, and what is not known is refused', async () => {
  const ws = await shop()
  const id = await on(ws, 'CTA_CLICK')
  await deny(ws.app, 'D')
  await report(ws, [{ type: 'cta_click' }])
  await check()
  assert.deepEqual(await peopleIn(ws, id), [])
  for (const trigger of [
    { type: 'event', eventType: 'FOO' },
    { type: 'event' },
    { type: 'event', eventType: 'SIGN_UP', filters: { colour: 'red' } },
    { type: 'event', eventType: 'SIGN_UP', filters: { screen: 1 } },
    { type: 'inactivity', days: 0 },
    { type: 'inactivity', days: 1.5 },
    { type: 'segment_entry' },
    { type: 'full_moon' },
    'manual',
    null,
  ])
    expectStatus(await ws.admin.post('/journeys', { name: 'n', trigger, steps: [] }), 400)
  assert.equal((await makeJourney(ws.admin, { trigger: { type: 'event', eventType: 'SIGN_UP', filters: {} } })).status, 'draft')
})
