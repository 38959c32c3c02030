/** Steps that tell an endpoint, and steps that write attributes of people. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { hashTables } from '../../../../test/harness/tables.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import * as journeys from '../../../../test/builders/journeys.ts'
import { enroll, makeJourney, runsOf, setStatus, startJourney, wait } from '../../../../test/builders/journeys.ts'
import { erase, identify, personRow } from '../../../../test/builders/people.ts'
import { isRightlySigned, openReceiver } from '../../../../test/builders/receivers.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { ctx, workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const to = await openReceiver()
after(() => to.close())

const CART = { type: 'custom_event', event: 'cart_updated', key: 'cartId' }
const EACH = { policy: 'every_event' }

/** A workspace with an endpoint that chose nothing about journeys, and users U and V. */
async function shop() {
  const ws = await workspace()
  for (const id of ['U', 'V']) await identify(ws.app, id, id)
  const { id: endpoint, secret } = expectStatus(await ws.admin.post('/webhooks', { url: to.url, events: ['campaign.approved'] }), 201).data
  return { ws, endpoint, secret }
}
const webhook = (endpoint: string, data?: object) => ({ id: 'tell', type: 'webhook', endpoint, ...(data && { data }) })
const update = (set: object, more: object = {}) => ({ id: 'set', type: 'update_profile', set, ...more })
async function heard() {
  await rollUp(operator)
  await journeys.check(operator)
}
/** What the receiver got of this workspace. */
const toldOf = (ws: Workspace) => to.received.filter(({ event }) => event.tenantId === ws.id)
async function delivered(ws: Workspace, count: number) {
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
  await to.waitFor(to.received.length - toldOf(ws).length + count)
  return toldOf(ws)
}
const deliveries = async (ws: Workspace, endpoint: string, query = '') =>
  expectStatus(await ws.admin.get(`/webhooks/${endpoint}/deliveries${query}`), 200)
const stepOf = async (ws: Workspace, id: string, step: string) =>
  expectStatus(await ws.admin.get(`/journeys/${id}/report`), 200).data.steps.find((one: any) => one.step === step)
/** Without what is counted from events. */
async function attributesOf(ws: Workspace, userId: string): Promise<Record<string, unknown>> {
  const all = Object.entries((await personRow(ctx, ws.id, userId))?.enrichment ?? {})
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('analytics_')))
}

test('a step tells one endpoint, signed, with what the journey names of the event, and goes on at once', async () => {
  const { ws, endpoint, secret } = await shop()
  const id = await startJourney(ws, {
    trigger: CART,
    entry: EACH,
    steps: [webhook(endpoint, { total: '{{event.total}}', label: 'Cart {{event.cartId}}', gone: '{{event.never}}', plan: 7 })],
  })
  await track(ws.app, 'U', [{ type: 'cart_updated', properties: { cartId: 'A', total: 5.5, card: '4111 1111' } }])
  await heard()
  assert.deepEqual(
    (await runsOf(ws, id)).map(({ status }) => status),
    ['completed'],
  )
  const [first] = await delivered(ws, 1)
  assert.ok(first && isRightlySigned(first, secret))
  const { runId, event, ...data } = first.event.data
  assert.deepEqual(
    [first.event.event, data, event.type, event.key, event.properties],
    [
      'journey.step',
      { journeyId: id, stepId: 'tell', userId: 'U', total: 5.5, label: 'Cart A', plan: 7, actor: { userId: 'system' } },
      'cart_updated',
      'A',
      { cartId: 'A', total: 5.5 },
    ],
  )
  assert.ok(!first.raw.includes('4111'), 'what nobody names stays here')
  assert.match(`${runId} ${first.event.id}`, /^[0-9a-f-]{14}8[0-9a-f-]{21} [0-9a-f-]{14}8[0-9a-f-]{21}$/)
  assert.deepEqual([(await stepOf(ws, id, 'tell')).entered, (await stepOf(ws, id, 'tell')).skipped], [1, {}])
})

test('somebody who enters by hand is told of without an event, of an anonymous person the device is named', async () => {
  const { ws, endpoint } = await shop()
  await identify(ws.app, 'nobody')
  const id = await startJourney(ws, { trigger: { type: 'custom_event', event: 'opened' }, steps: [webhook(endpoint)] })
  const byHand = await startJourney(ws, { steps: [webhook(endpoint)] })
  await enroll(ws, byHand, ['U', 'V'])
  await track(ws.app, 'nobody', [{ type: 'opened', properties: { page: 'x' } }])
  await heard()
  const told = (await delivered(ws, 3)).map(({ event: { data } }) => data)
  assert.deepEqual(
    told.map(({ journeyId, userId, deviceId, event }) => [journeyId, userId, deviceId, event?.properties]).toSorted(),
    [
      [byHand, 'U', undefined, undefined],
      [byHand, 'V', undefined, undefined],
      [id, null, 'nobody', {}],
    ].toSorted(),
  )
  assert.equal(new Set(told.map(({ runId }) => runId)).size, 3)
})

test('what was told of somebody stays when they become another person, and goes when they are erased', async () => {
  const { ws, endpoint } = await shop()
  await identify(ws.app, 'nobody')
  await startJourney(ws, { trigger: { type: 'custom_event', event: 'opened' }, steps: [webhook(endpoint, { page: '{{event.page}}' })] })
  await track(ws.app, 'nobody', [{ type: 'opened', properties: { page: 'prices' } }])
  await heard()
  await delivered(ws, 1)
  const bodies = async () => {
    const rows = await ctx.db.selectFrom('webhook_deliveries').select('body').where('workspace_id', '=', ws.id).execute()
    return rows.map(({ body }) => JSON.parse(body).data.page)
  }
  await identify(ws.app, 'nobody', 'U')
  assert.deepEqual(await bodies(), ['prices'])
  expectStatus(await erase(ws.app, 'nobody'), 200)
  assert.deepEqual(await bodies(), [])
  assert.deepEqual((await deliveries(ws, endpoint)).data.deliveries, [])
})

test('the newest deliveries come first, page by page, also those of journeys', async () => {
  const { ws, endpoint } = await shop()
  const steps = Array.from({ length: 3 }, (_, index) => ({ ...webhook(endpoint), id: `tell ${index}` }))
  const id = await startJourney(ws, { steps: steps.flatMap((step) => [step, wait(1)]) })
  await enroll(ws, id, ['U'])
  for (let at = 0; at < 3; at++) {
    await journeys.check(operator)
    await delivered(ws, at + 1)
    await advance(60)
  }
  const all = (await deliveries(ws, endpoint)).data.deliveries.map((one: any) => one.id)
  assert.deepEqual(
    all,
    toldOf(ws)
      .map(({ event }) => event.id)
      .toReversed(),
  )
  const { data, body } = await deliveries(ws, endpoint, '?limit=2')
  const rest = (await deliveries(ws, endpoint, `?limit=2&cursor=${body.metadata.nextCursor}`)).data
  assert.deepEqual(
    [...data.deliveries, ...rest.deliveries].map((one: any) => one.id),
    all,
  )
})

test('an endpoint that is gone or off is refused with its place when saved and when activated, and skipped at run time', async () => {
  const { ws, endpoint } = await shop()
  const other = await shop()
  const nested = [{ type: 'wait_for', event: 'x', timeoutMinutes: 5, then: [], else: [webhook('none')] }]
  const refused = async (steps: object[], said: RegExp) =>
    assert.match(expectStatus(await ws.admin.post('/journeys', { name: 'N', trigger: { type: 'manual' }, steps }), 400).text, said)
  await refused(nested, /steps\[0\]\.else\[0\]\.endpoint: there is no webhook/)
  await refused([webhook(other.endpoint)], /steps\[0\]\.endpoint: there is no webhook/)
  await refused([webhook('')], /steps\[0\]\.endpoint must be a text/)
  await refused([webhook(endpoint, { userId: 'x' })], /steps\[0\]\.data: .*userId/)
  await refused([webhook(endpoint, { mail: '{{email}}' })], /steps\[0\]\.data\.mail: .*\{\{email\}\}/)
  await refused([webhook(endpoint, { a: '{{event.x' })], /steps\[0\]\.data\.a: a token is not finished/)
  await refused([webhook(endpoint, { a: { b: 1 } })], /steps\[0\]\.data\.a must be a text/)
  await refused([webhook(endpoint, Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`m${at}`, 1])))], /more than 20/)
  const switchTo = async (active: boolean) => expectStatus(await ws.admin.put(`/webhooks/${endpoint}`, { active }), 200)

  const id = await startJourney(ws, { name: 'Told', steps: [wait(1), webhook(endpoint)] })
  const draft = await makeJourney(ws.admin, { name: 'Draft', steps: [webhook(endpoint)] })
  await enroll(ws, id, ['U'])
  await journeys.check(operator)
  await switchTo(false)
  await refused([webhook(endpoint)], /steps\[0\]\.endpoint: this webhook is switched off/)
  assert.match(expectStatus(await setStatus(ws.admin, draft.id, 'active'), 400).text, /switched off/)
  await advance(120)
  await journeys.check(operator)
  assert.deepEqual(
    (await runsOf(ws, id)).map(({ status }) => status),
    ['completed'],
  )
  assert.deepEqual([(await stepOf(ws, id, 'tell')).skipped, (await deliveries(ws, endpoint)).data.deliveries], [{ no_endpoint: 1 }, []])
  const tried = expectStatus(await ws.admin.post(`/journeys/${draft.id}/test-run`, { userIds: ['U'] }), 200).data
  assert.deepEqual(tried.steps[0].skipped, { no_endpoint: 1 })

  const gone = expectStatus(await ws.admin.delete(`/webhooks/${endpoint}`), 409)
  assert.deepEqual([gone.body.code, gone.text.includes('Told'), gone.text.includes('Draft')], ['WEBHOOK_IN_USE', true, true])
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  for (const each of [id, draft.id]) expectStatus(await ws.admin.put(`/journeys/${each}`, { steps: [wait(1)] }), 200)
  expectStatus(await ws.admin.delete(`/webhooks/${endpoint}`), 200)
  expectStatus(await ws.admin.delete(`/webhooks/${endpoint}`), 404)
})

test('trying it out tells nobody and writes nothing, and says what would be told and written', async () => {
  const { ws, endpoint } = await shop()
  const { id } = await makeJourney(ws.admin, {
    trigger: CART,
    entry: EACH,
    steps: [
      webhook(endpoint, { total: '{{event.total}}' }),
      update({ 'Last total': '{{event.total}}', tier: 'gold' }),
      { ...update({ never: '{{event.never}}' }), id: 'nothing' },
    ],
  })
  const before = await hashTables(ctx.db)
  const { timelines, steps } = expectStatus(
    await ws.admin.post(`/journeys/${id}/test-run`, { userIds: ['U'], begin: { properties: { cartId: 'A', total: 9 } } }),
    200,
  ).data
  assert.deepEqual(
    timelines[0].moments.map(({ step, did, reason, values }: any) => [step, did, reason, values]),
    [
      ['tell', 'sent', undefined, { total: 9 }],
      ['set', 'updated', undefined, { 'Last total': 9, tier: 'gold' }],
      ['nothing', 'skipped', 'no_values', undefined],
    ],
  )
  assert.deepEqual(
    steps.map(({ sent }: { sent: number }) => sent),
    [1, 1, 0],
  )
  assert.equal(await hashTables(ctx.db), before)
  assert.deepEqual(toldOf(ws), [])
})

test('a step writes attributes of the person under one load of the journey, which ranks, ends and is taken back like others', async () => {
  const { ws } = await shop()
  const { id: vips } = expectStatus(
    await ws.admin.post('/segments', {
      name: 'VIP',
      logicalOperator: 'AND',
      rules: [{ field: 'enrichment.tier', operator: 'equals', value: 'gold' }],
    }),
    201,
  ).data
  const id = await startJourney(ws, {
    name: 'Loyal',
    trigger: CART,
    entry: EACH,
    steps: [
      update({ tier: 'gold', total: '{{event.total}}', tags: '{{event.tags}}', note: 'Cart {{event.cartId}}' }),
      wait(60),
      { ...update({ offer: '{{event.cartId}}' }, { expiresInDays: 2 }), id: 'offer' },
      { ...update({ nothing: '{{event.object}}' }), id: 'nothing' },
    ],
  })
  const properties = { cartId: 'A', total: 12.5, tags: ['a', 2], object: { a: 1 } }
  await track(ws.app, 'U', [{ type: 'cart_updated', properties }])
  await heard()
  assert.deepEqual(await attributesOf(ws, 'U'), { tier: 'gold', total: 12.5, tags: ['a', 2], note: 'Cart A' })
  const members = expectStatus(await ws.admin.get(`/segments/${vips}/members`), 200)
  assert.match(members.text, /"U"/)
  await track(ws.app, 'U', [{ type: 'cart_updated', properties: { cartId: 'B' } }])
  await advance(3_600)
  await heard()
  assert.deepEqual(await attributesOf(ws, 'U'), { tier: 'gold', total: 12.5, tags: ['a', 2], note: 'Cart B', offer: 'B' })
  assert.deepEqual((await stepOf(ws, id, 'nothing')).skipped, { no_values: 2 })
  // The customer relationship system outranks it, a file does not.
  const load = async (source: string, tier: string) =>
    expectStatus(
      await ws.admin.post('/enrichment/upload', { source, sourceRef: source, records: [{ userId: 'U', attributes: { tier } }] }),
      201,
    )
  await load('csv_upload', 'silver')
  assert.equal((await attributesOf(ws, 'U')).tier, 'gold')
  await load('crm_webhook', 'black')
  assert.equal((await attributesOf(ws, 'U')).tier, 'black')

  const { uploads } = expectStatus(await ws.admin.get('/enrichment/uploads'), 200).data
  assert.deepEqual(
    uploads.map(({ kind }: any) => kind),
    ['simple', 'simple'],
  )
  const loads = await ctx.db
    .selectFrom('uploads')
    .selectAll()
    .where('workspace_id', '=', ws.id)
    .where('kind', '=', 'journey')
    .orderBy('journey_days')
    .execute()
  assert.deepEqual(
    loads.map(({ journey_days, label, source, value_count, written, names }) => [journey_days, label, source, value_count, written, names]),
    [
      [0, 'Loyal', 'manual_api', 4, 2, ['note', 'tags', 'tier', 'total']],
      [2, 'Loyal', 'manual_api', 1, 2, ['offer']],
    ],
  )
  const lasting = loads[0]?.id ?? ''
  expectStatus(await ws.admin.post(`/enrichment/uploads/${lasting}/rerun`), 400)
  expectStatus(await ws.admin.delete(`/enrichment/uploads/${lasting}`), 200)
  assert.deepEqual(await attributesOf(ws, 'U'), { tier: 'black', offer: 'B' })
  // The journey goes on, and writes under another load.
  await track(ws.app, 'U', [{ type: 'cart_updated', properties: { cartId: 'C' } }])
  await heard()
  assert.deepEqual(await attributesOf(ws, 'U'), { tier: 'black', offer: 'B', note: 'Cart C' })
  await advance(3_600)
  await heard()
  assert.equal((await attributesOf(ws, 'U')).offer, 'C')
  // It ends two days after it was written last.
  await advance(2 * 86_400)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
  assert.equal((await attributesOf(ws, 'U')).offer, undefined)
})

test('what cannot be an attribute is refused when it is saved, and left out when an event says it', async () => {
  const { ws } = await shop()
  const refused = async (step: object, said: RegExp) =>
    assert.match(expectStatus(await ws.admin.post('/journeys', { name: 'N', trigger: { type: 'manual' }, steps: [step] }), 400).text, said)
  await refused(update({}), /steps\[0\]\.set must name at least one attribute/)
  await refused(update([]), /steps\[0\]\.set must be an object/)
  await refused(update({ ' x': 1 }), /steps\[0\]\.set: .* is no name of an attribute/)
  await refused(update(JSON.parse('{"__proto__":1}')), /steps\[0\]\.set must name at least one attribute/)
  await refused(update({ a: 'x'.repeat(1_001) }), /steps\[0\]\.set\.a must be a text/)
  await refused(update({ a: null }), /steps\[0\]\.set\.a must be a text/)
  await refused(update({ a: '{{name}}' }), /steps\[0\]\.set\.a: .*\{\{name\}\}/)
  await refused(update({ a: 1 }, { expiresInDays: 0 }), /steps\[0\]\.expiresInDays must be a whole number/)
  const id = await startJourney(ws, {
    trigger: { type: 'custom_event', event: 'x' },
    steps: [update({ long: '{{event.long}}', blank: '{{event.blank}}', constructor: '{{event.constructor}}', ok: true })],
  })
  await track(ws.app, 'U', [{ type: 'x', properties: { long: 'y'.repeat(1_001), blank: '  ' } }])
  await heard()
  assert.deepEqual([await attributesOf(ws, 'U'), (await runsOf(ws, id)).length], [{ ok: true }, 1])
})
