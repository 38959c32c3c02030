/** What apps are served when, told to whoever publishes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const HOUR = 3_600
const path = (id: string) => `/blocks/promo/instances/${id}`
const inHours = (hours: number) => new Date(Math.floor(ctx.clock.ms() / 60_000) * 60_000 + hours * HOUR * 1_000).toISOString()
const live = async (ws: Workspace) => (await ws.blocks()).map(({ values }) => values['#title'])
const told = ({ data }: { data: any }) => (data.warnings ?? []).map(({ code, because }: any) => (because ? `${code} ${because}` : code))

async function shop(title = 'one') {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': title } })
  const draft = async (body: object) => expectStatus(await ws.admin.put(`${path(id)}?draft=true`, body), 200)
  const publish = (body: object = {}) => ws.admin.post(`${path(id)}/publish`, body)
  const serving = async (query: string, body?: object) => {
    const asked = `${path(id)}/impact?${query}`
    return expectStatus(await (body ? ws.admin.post(asked, body) : ws.admin.get(asked)), 200).data.serving
  }
  return { ws, id, draft, publish, serving }
}

test('a moment at or after its own end: the answer, and the question before, say that nobody sees it and what goes', async () => {
  const { ws, draft, publish, serving } = await shop()
  const end = inHours(2)
  await draft({ values: { '#title': 'Eid' }, schedule: { endTime: end } })
  assert.deepEqual((await serving('target=live')).warnings, [])
  const at = inHours(3)
  const before = await serving(`at=${at}`)
  assert.deepEqual(before.warnings, [
    { code: 'never_shown', target: 'live', because: 'ended', at: end },
    { code: 'nothing_shown', target: 'live', from: at, until: null },
  ])
  assert.deepEqual(
    before.periods.map(({ until, shows, revision }: any) => [until, shows, revision]),
    [
      [at, 'other', 1],
      [null, 'nothing', null],
    ],
  )
  const answer = expectStatus(await publish({ at }), 202)
  assert.deepEqual(answer.data.warnings, before.warnings)
  await advance(3 * HOUR + 60)
  assert.deepEqual(await live(ws), [], 'as it was told')
})

test('what begins later than it is published takes away what is there until then', async () => {
  const { ws, draft, publish, serving } = await shop()
  const [at, start] = [inHours(1), inHours(5)]
  await draft({ values: { '#title': 'two' }, schedule: { startTime: start } })
  assert.deepEqual((await serving(`at=${at}`)).warnings, [{ code: 'nothing_shown', target: 'live', from: at, until: start }])
  const now = expectStatus(await publish(), 200)
  assert.deepEqual(told(now), ['nothing_shown'])
  assert.deepEqual(await live(ws), [])
  assert.deepEqual(told(expectStatus(await publish(), 200)), [], 'what is not there is not taken')
})

test('what is planned behind it replaces it before it begins; moved, it is fine', async () => {
  const { ws, id, draft, publish, serving } = await shop()
  expectStatus(await publish({ at: inHours(4) }), 202)
  await draft({ values: { '#title': 'two' }, schedule: { startTime: inHours(6) } })
  const planned = expectStatus(await publish({ at: inHours(2) }), 202)
  assert.deepEqual(told(planned), ['never_shown replaced', 'nothing_shown'])
  const scheduleId = planned.data.scheduled.id
  const later = inHours(7)
  assert.deepEqual((await serving(`at=${later}&revision=2&scheduleId=${scheduleId}`)).warnings, [])
  const sooner = expectStatus(await ws.admin.put(`${path(id)}/schedule/${scheduleId}`, { at: inHours(3) }), 200)
  assert.deepEqual(told(sooner), ['never_shown replaced', 'nothing_shown'])
  assert.deepEqual(told(expectStatus(await ws.admin.put(`${path(id)}/schedule/${scheduleId}`, { at: later }), 200)), [])
})

test('test keys get what is live until something is published to test: both are told apart', async () => {
  const { draft, publish, serving } = await shop()
  await draft({ schedule: { endTime: inHours(2) } })
  const both = expectStatus(await publish({ targets: ['live', 'test'], at: inHours(3) }), 202).data.warnings
  assert.deepEqual(
    both.map(({ code, target }: any) => [target, code]),
    ['live', 'test'].flatMap((target) => [
      [target, 'never_shown'],
      [target, 'nothing_shown'],
    ]),
  )
  const { periods } = await serving('target=test', { schedule: null })
  assert.deepEqual(
    periods.map(({ shows, revision }: any) => [shows, revision]),
    [
      ['this', null],
      ['nothing', null],
    ],
  )
})

test('variants of weight 0 are named; what was sent cannot be read is refused', async () => {
  const { ws, id, publish, draft } = await shop()
  await draft({
    variants: [
      { id: 'a', weight: 1, values: {} },
      { id: 'b', weight: 0, values: {} },
    ],
  })
  assert.deepEqual(expectStatus(await publish(), 200).data.warnings, [{ code: 'variants_never_shown', target: 'live', variants: ['b'] }])
  for (const query of ['at=soon', 'revision=0', 'revision=x', 'target=prod'])
    expectStatus(await ws.admin.get(`${path(id)}/impact?${query}`), 400)
  expectStatus(await ws.admin.get(`${path(id)}/impact?revision=99`), 404)
})
