/** In-app messages of campaigns in GET /sync (G-33). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { launch, setStatus } from '../../../test/builders/campaigns.ts'
import { deny, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openMessages } from './index.ts'

const { workspace, ctx, advance, operator } = await startApp()

const DAY = 86_400
const IN_APP = { dispatchChannels: ['in_app'] }
const inSeconds = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1_000).toISOString()
const messages = async (ws: Workspace, device: string, options: { key?: string; locale?: string } = {}) =>
  (await ws.blocks(device, options)).filter(({ key }) => key === 'journey_message')
const count = async (ws: Workspace, device = 'D') => (await messages(ws, device)).length
const report = async (ws: Workspace, event: object, deviceId = 'D') =>
  expectStatus(await ws.app.post('/events', { deviceId, events: [{ blockKey: 'journey_message', ...event }] }), 202).data
const agree = async (ws: Workspace, device: string, inApp: boolean) =>
  expectStatus(await ws.app.post('/consent', { deviceId: device, channels: { inApp } }), 200)

/** A workspace whose user U, on device D, takes in-app messages. */
async function shop() {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { name: 'Sara' })
  await agree(ws, 'D', true)
  return { ws, editor: await ws.editor() }
}

test('C-BLK-21 C-BLK-22 C-BLK-27 an in-app campaign is a block like others, with where it comes from', async () => {
  const { ws, editor } = await shop()
  assert.equal(await count(ws), 0)
  const content = { en: { title: 'Hi {{name}}', body: 'b', imageUrl: 'https://x.example/a.png', ctaLabel: 'Go', ctaUrl: '/offers' } }
  const { id } = await launch(ws, editor, { ...IN_APP, content })
  const [{ instanceId, ...block }, ...others] = await messages(ws, 'D')
  assert.deepEqual(others, [])
  assert.match(instanceId, /^msg_\w+$/)
  assert.deepEqual(block, {
    key: 'journey_message',
    name: 'Message',
    screen: '',
    version: 1,
    values: { '#title': 'Hi Sara', '#body': 'b', '#image': 'https://x.example/a.png', '#cta_label': 'Go', '#cta_url': '/offers' },
    fields: [
      { tag: '#title', type: 'text' },
      { tag: '#body', type: 'textarea' },
      { tag: '#image', type: 'image' },
      { tag: '#cta_label', type: 'text' },
      { tag: '#cta_url', type: 'url' },
    ],
    visible: true,
    source: 'campaign',
    campaignId: id,
  })
  const single = expectStatus(await ws.app.get('/blocks/journey_message', { headers: { 'x-cf-device': 'D' } }), 200).data
  assert.deepEqual([single.instanceId, single.instances.length], [instanceId, 1])
  const nobody = expectStatus(await ws.app.get('/blocks/journey_message'), 200).data
  assert.deepEqual(nobody, { key: 'journey_message', visible: false, version: '1' })
})

test('G-33 A-41 C-CONS-04 only who agreed to exactly that, and to be recognised, gets it', async () => {
  const { ws, editor } = await shop()
  await identify(ws.app, 'D2', 'U2')
  await identify(ws.app, 'D3', 'U3')
  await agree(ws, 'D3', false)
  await launch(ws, editor, IN_APP)
  assert.deepEqual([await count(ws, 'D'), await count(ws, 'D2'), await count(ws, 'D3'), await count(ws, 'unknown')], [1, 0, 0, 0])
  await agree(ws, 'D2', true)
  assert.equal(await count(ws, 'D2'), 1)
  await agree(ws, 'D', false)
  assert.equal(await count(ws, 'D'), 0)
  await deny(ws.app, 'D2')
  assert.equal(await count(ws, 'D2'), 0)
})

test('G-33 a person has one message of a campaign, on every device, and only members of its segments have one', async () => {
  const { ws, editor } = await shop()
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
  await launch(ws, editor, { ...IN_APP, segments: ['Gold'] })
  await launch(ws, editor, { ...IN_APP, segments: [] })
  assert.equal(await count(ws), 0)
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  await identify(ws.app, 'D2', 'U', { traits: { plan: 'gold' } })
  const [first] = await messages(ws, 'D')
  assert.deepEqual(await messages(ws, 'D2'), [first])
})

test('C-BLK-23 C-BLK-24 it stays until it is dismissed or tapped, on every device, and does not come back', async () => {
  const { ws, editor } = await shop()
  await identify(ws.app, 'D2', 'U', { name: 'Sara' })
  for (const type of ['dismiss', 'cta_click']) {
    const { id } = await launch(ws, editor, IN_APP)
    assert.deepEqual([await count(ws), await count(ws), await count(ws, 'D2')], [1, 1, 1])
    const [{ instanceId }] = await messages(ws, 'D')
    await report(ws, { type: 'impression', instanceId })
    assert.equal(await count(ws), 1)
    await report(ws, { type, instanceId })
    assert.deepEqual([await count(ws), await count(ws, 'D2')], [0, 0])
    expectStatus(await setStatus(editor, id, 'paused'), 200)
    expectStatus(await setStatus(editor, id, 'active'), 200)
    assert.equal(await count(ws), 0)
  }
})

test('C-BLK-23 G-33 an event names the campaign, or nothing: then the oldest one that can be seen is over', async () => {
  const { ws, editor } = await shop()
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    ids.push((await launch(ws, editor, IN_APP)).id)
    assert.equal(await count(ws), i + 1)
    await advance(1)
  }
  const left = async () => (await messages(ws, 'D')).map(({ campaignId }) => campaignId)
  assert.deepEqual(await left(), ids)
  await report(ws, { type: 'dismiss', campaignId: ids[1] })
  assert.deepEqual(await left(), [ids[0], ids[2]])
  expectStatus(await setStatus(editor, ids[0]!, 'paused'), 200)
  await report(ws, { type: 'dismiss' })
  assert.deepEqual(await left(), [])
  expectStatus(await setStatus(editor, ids[0]!, 'active'), 200)
  assert.deepEqual(await left(), [ids[0]])
})

test('C-SYNC-11 G-33 G-97 those of campaigns come by priority for everybody, and of several of one moment the oldest follows the same order', async () => {
  const { ws, editor } = await shop()
  for (const [index, priority] of [1, 10, 5, 5].entries()) {
    await launch(ws, editor, { ...IN_APP, priority, content: { en: { title: `${priority} ${index}` } } })
    await advance(1)
  }
  for (let i = 0; i < 6; i++) {
    const device = `D${i}`
    await identify(ws.app, device, `U${i}`)
    await agree(ws, device, true)
    const titles = async () => (await messages(ws, device)).map(({ values }) => values['#title'])
    assert.deepEqual(await titles(), ['10 1', '5 2', '5 3', '1 0'])
    await report(ws, { type: 'dismiss' }, device)
    assert.deepEqual(await titles(), ['5 2', '5 3', '1 0'])
    await report(ws, { type: 'dismiss' }, device)
    assert.deepEqual(await titles(), ['5 3', '1 0'])
  }
})

test('G-97 A-65 a message begins when it becomes one for its person, however long its campaign was live', async () => {
  const { ws, editor } = await shop()
  const begin = async (title: string, priority: number) => {
    await launch(ws, editor, { ...IN_APP, priority, content: { en: { title } } })
    await advance(60)
  }
  await begin('before', 1)
  await begin('before too', 2)
  await identify(ws.app, 'late', 'Late')
  await agree(ws, 'late', true)
  await advance(60)
  await begin('after', 10)
  const titles = async () => (await messages(ws, 'late')).map(({ values }) => values['#title'])
  // Shown by priority; ended by age.
  for (const left of [['after', 'before too', 'before'], ['after', 'before'], ['after'], []]) {
    assert.deepEqual(await titles(), left)
    await report(ws, { type: 'dismiss' }, 'late')
  }
})

test('X-INT-30 a dismissal that is dropped for lack of consent ends nothing', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, IN_APP)
  assert.equal(await count(ws), 1)
  await deny(ws.app, 'D')
  assert.equal((await report(ws, { type: 'dismiss' })).accepted, 0)
  await identify(ws.app, 'D', 'U')
  assert.equal(await count(ws), 1)
})

test('C-BLK-25 it ends with its campaign, to the moment', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, { ...IN_APP, schedule: { endTime: inSeconds(60) } })
  assert.equal(await count(ws), 1)
  ctx.clock.advance(61)
  assert.equal(await count(ws), 0)
})

test('C-BLK-26 without an end it stays seven days', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, IN_APP)
  assert.equal(await count(ws), 1)
  await advance(7 * DAY - 3_600)
  await identify(ws.app, 'D', 'U', { name: 'Sara' })
  assert.equal(await count(ws), 1)
  await advance(3_601)
  assert.equal(await count(ws), 0)
})

test('C-BLK-26 A-65 the seven days of a message begin when it is one for its person, whenever they come for it', async () => {
  const { ws, editor } = await shop()
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
  await launch(ws, editor, { ...IN_APP, content: { en: { title: 'for all' } } })
  await launch(ws, editor, { ...IN_APP, content: { en: { title: 'gold' } }, segments: ['Gold'] })
  for (const id of ['late', 'never', 'gold', 'agrees']) await identify(ws.app, id, `user-${id}`)
  for (const id of ['late', 'never', 'gold']) await agree(ws, id, true)
  const come = async (id: string, body: object = {}) => {
    await identify(ws.app, id, `user-${id}`, body)
    return (await messages(ws, id)).map(({ values }) => values['#title'])
  }
  await advance(7 * DAY - 3_600)
  assert.deepEqual(await come('late'), ['for all'])
  await advance(3_600)
  assert.deepEqual(await come('late'), [])
  assert.deepEqual(await come('never'), [])
  // It is another who comes to belong to it, who agrees, or who is new.
  assert.deepEqual(await come('gold', { traits: { plan: 'gold' } }), ['gold'])
  assert.deepEqual(await come('agrees'), [])
  await agree(ws, 'agrees', true)
  // The ledger goes by the clock of the database.
  await sql`insert into consent_ledger (workspace_id, environment, subject, channel, new_value, source, key_id, recorded_at)
    select workspace_id, environment, subject, channel, new_value, source, key_id, ${ctx.clock.now()} from consent_ledger
    where workspace_id = ${ws.id} and channel = 'inApp' order by id desc limit 1`.execute(ctx.db)
  assert.deepEqual(await come('agrees'), ['for all'])
  assert.deepEqual(await come('new'), [])
  await agree(ws, 'new', true)
  assert.deepEqual(await come('new'), ['for all'])
  await advance(7 * DAY)
  for (const id of ['gold', 'agrees', 'new']) assert.deepEqual(await come(id), [])
})

test('X-INT-28 X-INT-29 paused it is gone and comes back; completed it is gone', async () => {
  const { ws, editor } = await shop()
  const { id } = await launch(ws, editor, IN_APP)
  const [before] = await messages(ws, 'D')
  for (const [status, shown] of [
    ['paused', 0],
    ['active', 1],
    ['completed', 0],
  ] as const) {
    expectStatus(await setStatus(editor, id, status), 200)
    assert.equal(await count(ws), shown, status)
    if (shown) assert.deepEqual(await messages(ws, 'D'), [before])
  }
})

test('X-INT-27 a test campaign is shown to people of the test environment only', async () => {
  const { ws, editor } = await shop()
  await identify(ws.testApp, 'T', 'U')
  expectStatus(await ws.testApp.post('/consent', { deviceId: 'T', channels: { inApp: true } }), 200)
  await launch(ws, editor, IN_APP, 'test')
  assert.deepEqual([await count(ws), (await messages(ws, 'T', { key: ws.test })).length], [0, 1])
})

test('G-33 in the language of the request, and what it says of the person has to be known', async () => {
  const { ws, editor } = await shop()
  await launch(ws, editor, { ...IN_APP, content: { en: { title: 'Hello' }, ar: { title: 'مرحبا' } } })
  await launch(ws, editor, { ...IN_APP, content: { en: { title: 'Your city: {{customAttributes.city}}' } } })
  const titles = async (locale: string) => (await messages(ws, 'D', { locale })).map(({ values }) => values['#title']).toSorted()
  assert.deepEqual(await titles('ar'), ['مرحبا'])
  assert.deepEqual(await titles('en'), ['Hello'])
  assert.deepEqual(await titles('ar'), ['مرحبا'])
  await identify(ws.app, 'D', 'U', { name: 'Sara', traits: { city: 'Riyadh' } })
  assert.deepEqual(await titles('en'), ['Hello', 'Your city: Riyadh'])
})

test('G-33 a message of a journey is delivered the same way', async () => {
  const { ws } = await shop()
  assert.equal(await count(ws), 0)
  const person = (await personRow(ctx, ws.id, 'U'))!
  const message = {
    journeyId: 'j1',
    stepId: 's1',
    position: 0,
    occasion: 0,
    content: { en: { title: 'Hi {{name}}' } },
    expiresAt: new Date(ctx.clock.ms() + 60_000),
  }
  const write = () => ctx.change({ workspaceId: ws.id, actor: 'system' }, (change) => openMessages(change, message, [person.id]))
  await write()
  await write()
  const [block, ...others] = await messages(ws, 'D')
  assert.deepEqual(others, [])
  assert.deepEqual([block.source, block.journeyId, block.campaignId, block.values['#title']], ['journey', 'j1', undefined, 'Hi Sara'])
  ctx.clock.advance(61)
  assert.equal(await count(ws), 0)
})

test('C-BLK-23 the answer changes with its messages, and only then', async () => {
  const { ws, editor } = await shop()
  const tag = async () => (await ws.app.get('/sync', { headers: { 'x-cf-device': 'D' } })).headers.get('etag')
  const empty = await tag()
  await launch(ws, editor, IN_APP)
  const full = await tag()
  assert.notEqual(full, empty)
  assert.equal(await tag(), full)
  await report(ws, { type: 'dismiss' })
  assert.equal(await tag(), empty)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)
})

test('G-33 two that become one person see one message, and none that either of them ended', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  await identify(ws.app, 'D', 'U')
  await agree(ws, 'D', true)
  await identify(ws.app, 'E')
  await agree(ws, 'E', true)
  await launch(ws, editor, IN_APP)
  assert.deepEqual([await count(ws, 'D'), await count(ws, 'E')], [1, 1])
  await identify(ws.app, 'E', 'U')
  assert.deepEqual([await count(ws, 'D'), await count(ws, 'E')], [1, 1])
  await report(ws, { type: 'dismiss' }, 'E')
  assert.deepEqual([await count(ws, 'D'), await count(ws, 'E')], [0, 0])
})

test('G-55 what waits of a campaign goes once it has been over for 30 days, and of no other; until then nobody has it twice', async () => {
  const { ws, editor } = await shop()
  const [over, paused] = [await launch(ws, editor, { ...IN_APP, name: 'Over' }), await launch(ws, editor, { ...IN_APP, name: 'Paused' })]
  assert.equal(await count(ws), 2)
  await report(ws, { type: 'dismiss', campaignId: over.id })
  expectStatus(await setStatus(editor, over.id, 'completed'), 200)
  expectStatus(await setStatus(editor, paused.id, 'paused'), 200)
  const look = async () => {
    expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)
    const rows = await ctx.db.selectFrom('in_app_messages').select('campaign_id').where('workspace_id', '=', ws.id).execute()
    return rows.map(({ campaign_id }) => campaign_id).toSorted()
  }
  assert.deepEqual(await look(), [over.id, paused.id].toSorted())
  await advance(30 * DAY - 60)
  assert.deepEqual(await look(), [over.id, paused.id].toSorted())
  await advance(61)
  assert.deepEqual(await look(), [paused.id])
  const due = await ctx.db.selectFrom('campaigns').select('due_at').where('workspace_id', '=', ws.id).where('id', '=', over.id).execute()
  assert.deepEqual(due, [{ due_at: null }])
})

test('G-55 what waits of a campaign that was live goes with it when it is deleted, and nothing when the deletion is refused', async () => {
  const { ws, editor } = await shop()
  await identify(ws.app, 'D2', 'U2')
  await agree(ws, 'D2', true)
  const [gone, kept] = [await launch(ws, editor, { ...IN_APP, name: 'Gone' }), await launch(ws, editor, { ...IN_APP, name: 'Kept' })]
  assert.deepEqual([await count(ws), await count(ws, 'D2')], [2, 2])
  await report(ws, { type: 'dismiss', campaignId: gone.id })
  const stored = async () => {
    const rows = await ctx.db.selectFrom('in_app_messages').select('campaign_id').where('workspace_id', '=', ws.id).execute()
    return rows.filter(({ campaign_id }) => campaign_id === gone.id).length
  }
  assert.equal((await editor.delete(`/campaigns/${gone.id}`)).status, 409)
  const { version } = expectStatus(await setStatus(editor, gone.id, 'draft'), 200).data
  const late = await editor.delete(`/campaigns/${gone.id}`, { headers: { 'if-match': `"${version - 1}"` } })
  assert.equal(late.status, 412)
  assert.equal(await stored(), 2, 'should it come back, nobody has it twice')
  expectStatus(await editor.delete(`/campaigns/${gone.id}`), 200)
  assert.equal(await stored(), 0)
  assert.deepEqual(
    (await messages(ws, 'D')).map(({ campaignId }) => campaignId),
    [kept.id],
  )
})
