import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { behaviorOf, repeat, rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { erase, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp()
const { ctx, workspace, operator, advance } = app

const DAY = 86_400
/** An hour later is the same day (UTC) then, whenever the test runs. */
const untilNoon = () => advance(DAY - (Math.floor(ctx.clock.ms() / 1_000 + DAY / 2) % DAY))
const of = (type: string, count = 1) => repeat(count, { type, blockKey: 'promo' })
const EVENTS = [
  ...of('impression', 8),
  ...of('cta_click'),
  ...of('banner_click'),
  ...of('conversion'),
  ...of('dismiss'),
  ...of('custom', 3),
]

async function segment(admin: Client, name: string, field: string, operatorName: string, value: unknown): Promise<string> {
  const rules = [{ field, operator: operatorName, value }]
  return expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201).data.id
}
const membersOf = async (admin: Client, id: string): Promise<string[]> =>
  expectStatus(await admin.get(`/segments/${id}/members`), 200).data.userIds
const person = async (ws: Workspace, id: string) => (await personRow(ctx, ws.id, id)) ?? assert.fail(`${id} is gone`)
const analyticsOf = async (ws: Workspace, id: string) => (await person(ws, id)).enrichment

test('C-SEG-44 M-ENR-93 events become counts of their person when the hour is over, and members of segments follow', async () => {
  await untilNoon()
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'V')
  const seen = await segment(ws.admin, 'Seen', 'behavioral.impressions', 'greater_than_or_equal', 8)
  const enriched = await segment(ws.admin, 'Enriched', 'enrichment.analytics_impressions', 'equals', 8)
  await track(ws.app, 'D', EVENTS)
  assert.deepEqual((await person(ws, 'U')).behavioral, {})
  await advance(3_600)
  const { behavioral, recent_events: recent, last_active_at: last } = await person(ws, 'U')
  assert.deepEqual(behavioral, { impressions: 8, clicks: 2, dismissals: 1, conversions: 1, eventsTotal: 15 })
  assert.equal(recent, 15)
  assert.ok(last && ctx.clock.ms() - last.getTime() < 3_700_000)
  assert.deepEqual(await analyticsOf(ws, 'U'), {
    analytics_impressions: 8,
    analytics_clicks: 2,
    analytics_conversions: 1,
    analytics_events_total: 15,
    analytics_last_active_days: 0,
    analytics_ctr: 0.25,
  })
  assert.deepEqual([await membersOf(ws.admin, seen), await membersOf(ws.admin, enriched)], [['U'], ['U']])
  assert.deepEqual([(await person(ws, 'V')).behavioral, await analyticsOf(ws, 'V')], [{}, {}])
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', of('impression', 2))
  await rollUp(operator)
  assert.equal((await behaviorOf(ctx, ws, 'U'))['impressions'], 10)
  assert.deepEqual([await membersOf(ws.admin, seen), await membersOf(ws.admin, enriched)], [['U'], []])
  await rollUp(operator)
  assert.equal((await behaviorOf(ctx, ws, 'U'))['impressions'], 10)
})

test('M-ENR-93 without impressions the rate of clicks is 0', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', of('cta_click', 3))
  await rollUp(operator)
  assert.deepEqual(await analyticsOf(ws, 'U'), {
    analytics_impressions: 0,
    analytics_clicks: 3,
    analytics_conversions: 0,
    analytics_events_total: 3,
    analytics_last_active_days: 0,
    analytics_ctr: 0,
  })
})

test('C-SBX-02 C-EVT-20 events of test devices count for test people only', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.testApp, 'T', 'U')
  const before = await person(ws, 'U')
  await track(ws.testApp, 'T', EVENTS)
  await rollUp(operator)
  assert.deepEqual(await person(ws, 'U'), before)
  assert.equal((await behaviorOf(ctx, ws, 'U', 'test'))['eventsTotal'], 15)
})

test('C-DEV-31 what somebody did before signing in counts for the user, before and after it was added up', async () => {
  const ws = await workspace()
  const seen = await segment(ws.admin, 'Seen', 'behavioral.impressions', 'equals', 24)
  await identify(ws.app, 'D')
  await track(ws.app, 'D', EVENTS)
  await rollUp(operator)
  await identify(ws.app, 'D')
  await track(ws.app, 'D', EVENTS)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', EVENTS)
  assert.equal((await behaviorOf(ctx, ws, 'U'))['eventsTotal'], 15)
  await rollUp(operator)
  assert.deepEqual((await person(ws, 'U')).behavioral, { impressions: 24, clicks: 6, dismissals: 3, conversions: 3, eventsTotal: 45 })
  assert.equal((await person(ws, 'U')).recent_events, 45)
  assert.equal(((await analyticsOf(ws, 'U')) as Record<string, number>)['analytics_events_total'], 45)
  assert.deepEqual(await membersOf(ws.admin, seen), ['U'])
  // A second device that was anonymous joins the same user.
  await identify(ws.app, 'E')
  await track(ws.app, 'E', of('impression', 5))
  await rollUp(operator)
  await identify(ws.app, 'E', 'U')
  assert.equal((await behaviorOf(ctx, ws, 'U'))['eventsTotal'], 50)
  await rollUp(operator)
  assert.equal(((await analyticsOf(ws, 'U')) as Record<string, number>)['analytics_events_total'], 50)
})

test('C-SEG-40 C-SEG-41 C-SEG-42 G-77 M-ENR-93 M-ENR-94 windows move on with the days, also when nobody does anything', async () => {
  const ws = await workspaceOverTime(app)
  await identify(ws.app, 'D', 'U')
  await advance(5 * DAY)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', of('impression', 20))
  await rollUp(operator)
  const stages = ['new', 'engaged', 'active', 'at-risk', 'dormant', 'churned']
  const admin = await ws.signIn()
  for (const stage of stages) await segment(admin, stage, 'lifecycle', 'equals', stage)
  const stageOf = async () => {
    await operator.post('/test-hooks/jobs', { job: 'segments' })
    const admin = await ws.signIn()
    const { segments } = expectStatus(await admin.get('/segments'), 200).data
    return segments.filter((one: { memberCount: number }) => one.memberCount === 1).map((one: { name: string }) => one.name)
  }
  const figures = async () => {
    const { recent_events: recent, enrichment } = await person(ws, 'U')
    const { analytics_impressions: impressions, analytics_last_active_days: days } = enrichment as Record<string, number>
    return [recent, impressions, days]
  }
  assert.deepEqual([await stageOf(), await figures()], [['new'], [20, 20, 0]])
  await advance(29 * DAY)
  assert.deepEqual([await stageOf(), await figures()], [['engaged'], [20, 20, 29]])
  await advance(2 * DAY)
  assert.deepEqual([await stageOf(), await figures()], [['at-risk'], [0, 20, 31]])
  // One day by itself, and many that no process saw.
  await advance(30 * DAY)
  assert.deepEqual([await stageOf(), await figures()], [['dormant'], [0, 20, 61]])
  await advance(29 * DAY)
  assert.deepEqual(await figures(), [0, 20, 90])
  await advance(DAY)
  assert.deepEqual([await stageOf(), await figures()], [['churned'], [0, 0, 91]])
  await advance(20 * DAY)
  assert.deepEqual(await figures(), [0, 0, 91])
  assert.equal((await person(ws, 'U')).behaviour_due_at, null, 'nothing moves any more')
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', of('impression', 3))
  await rollUp(operator)
  assert.deepEqual([await stageOf(), await figures()], [['active'], [3, 3, 0]])
  assert.equal((await behaviorOf(ctx, ws, 'U'))['impressions'], 23)
})

test('many people at once: each gets their own, whoever is gone gets nothing', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  const few = await segment(ws.admin, 'Few', 'behavioral.eventsTotal', 'less_than', 3)
  const people = Array.from({ length: 40 }, (_, i) => i)
  await Promise.all(people.map((i) => identify(ws.app, `D${i}`, `U${i % 30}`)))
  await Promise.all(people.map((i) => track(ws.app, `D${i}`, of('impression', (i % 5) + 1))))
  expectStatus(await erase(ws.app, 'D29'), 200)
  await rollUp(operator)
  const totals = new Map<string, number>()
  for (const i of people) totals.set(`U${i % 30}`, (totals.get(`U${i % 30}`) ?? 0) + (i % 5) + 1)
  totals.delete('U29')
  for (const [id, total] of totals) assert.equal((await behaviorOf(ctx, ws, id))['eventsTotal'], total, id)
  const expected = [...totals].filter(([, total]) => total < 3).map(([id]) => id)
  assert.deepEqual((await membersOf(ws.admin, few)).sort(), expected.sort())
  assert.equal(await personRow(ctx, ws.id, 'U29'), undefined)
})
