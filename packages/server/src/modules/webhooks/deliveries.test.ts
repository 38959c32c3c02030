/** Deliveries to real receivers on this machine: written with the change, signed, repeated, and nobody waits for them. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { WEBHOOK_EVENTS, type WebhookData } from '@contentflow/core/webhooks/events.ts'
import { clientOf, expectStatus, PASSWORD, patiently, uniqueEmail, type Workspace } from '../../../test/builders/builders.ts'
import { isRightlySigned, openReceiver, startExample, type Receiver } from '../../../test/builders/receivers.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { openOutbound } from '../../infra/outbound/outbound.ts'
import { enqueueWebhook } from './index.ts'

const { url, ctx, workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const receivers: Receiver[] = []
after(() => Promise.all(receivers.map((receiver) => receiver.close())))
const receiver = async () => {
  const opened = await openReceiver()
  receivers.push(opened)
  return opened
}

/** A workspace whose admin can sign in again when days have gone by. */
async function lasting(): Promise<{ ws: Workspace; signIn(): Promise<void> }> {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const signIn = async () => {
    const { token } = expectStatus(
      await patiently(() => clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD })),
      200,
    ).data
    ws.admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  }
  return { ws, signIn }
}

const CAMPAIGN = { campaignId: 'c1', name: 'Ramadan', type: 'push' }
type Data = WebhookData['campaign.status_changed']

/** Those of the audit log come about everything that is done here, by due work. */
const EVENTS = WEBHOOK_EVENTS.filter((event) => !event.startsWith('audit.'))

async function hook({ admin }: Workspace, url: string, events: readonly string[] = EVENTS) {
  return expectStatus(await admin.post('/webhooks', { url, events }), 201).data as { id: string; secret: string }
}
const meOf = async ({ admin }: Workspace) => (await admin.get('/auth/me')).data.user.userId as string
/** What a module does that changes a status. */
const say = (ws: { id: string }, data: Partial<Data> = {}, actor = 'system') =>
  ctx.change({ workspaceId: ws.id, actor }, (change) =>
    enqueueWebhook(change, 'campaign.status_changed', { ...CAMPAIGN, from: 'draft', to: 'active', ...data }),
  )
const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
const deliveriesOf = async ({ admin }: Workspace, id: string, query = '') =>
  expectStatus(await admin.get(`/webhooks/${id}/deliveries${query}`), 200).data.deliveries
/** The newest delivery, once it is not being attempted any more. */
const settled = async (ws: Workspace, id: string, attempts: number) => {
  await until(`${attempts} attempts`, async () => (await deliveriesOf(ws, id))[0]?.attempts.length >= attempts)
  return (await deliveriesOf(ws, id))[0]
}

test('M-HOOK-01 M-HOOK-15 each endpoint hears the events it chose, and an action that has its own event fires both', async () => {
  const ws = await workspace()
  const [all, one] = [await receiver(), await receiver()]
  await hook(ws, all.url)
  await hook(ws, one.url, ['campaign.submitted_for_review', 'campaign.approved'])
  await ctx.change({ workspaceId: ws.id, actor: await meOf(ws) }, async (change) => {
    await enqueueWebhook(change, 'campaign.status_changed', { ...CAMPAIGN, from: 'draft', to: 'pending_review' })
    await enqueueWebhook(change, 'campaign.submitted_for_review', { ...CAMPAIGN, status: 'pending_review' })
  })
  await all.waitFor(2)
  await one.waitFor(1)
  await work()
  assert.deepEqual(all.received.map(({ event }) => event.event).sort(), ['campaign.status_changed', 'campaign.submitted_for_review'])
  assert.deepEqual(
    one.received.map(({ event }) => event.event),
    ['campaign.submitted_for_review'],
  )
  assert.equal(new Set([...all.received, ...one.received].map(({ event }) => event.id)).size, 3)
})

test('M-HOOK-10 M-HOOK-11 M-HOOK-12 M-HOOK-13 M-HOOK-14 a delivery names who did it, and is signed over its time and its bytes with the whole secret', async () => {
  const ws = await workspace()
  const to = await receiver()
  const { secret } = await hook(ws, to.url)
  const me = await meOf(ws)
  const name = 'عرض "رمضان" 🌙\n\u2028</script>\\'
  await say(ws, { name, reason: 'x'.repeat(10_000) }, me)
  await say(ws)
  const [first, second] = await to.waitFor(2).then((received) => received.toSorted((a, b) => b.raw.length - a.raw.length))
  assert.ok(first && second)
  assert.deepEqual(first.event.data, {
    ...CAMPAIGN,
    name,
    from: 'draft',
    to: 'active',
    reason: 'x'.repeat(10_000),
    actor: { userId: me, name: 'Admin' },
  })
  assert.deepEqual(second.event.data.actor, { userId: 'system' })
  assert.deepEqual(Object.keys(first.event), ['id', 'event', 'tenantId', 'occurredAt', 'data'])
  assert.equal(first.event.tenantId, ws.id)
  for (const { headers, event, raw } of [first, second]) {
    assert.equal(headers['x-cf-delivery'], event.id)
    assert.match(String(headers['x-cf-timestamp']), /^\d{10}$/)
    assert.ok(Math.abs(Number(headers['x-cf-timestamp']) * 1000 - ctx.clock.ms()) < 60_000)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.ok(isRightlySigned({ headers, event, raw }, secret))
    assert.ok(!isRightlySigned({ headers, event, raw }, secret.slice('whsec_'.length)))
    assert.ok(!isRightlySigned({ headers, event, raw: `${raw} ` }, secret))
  }
})

test('M-HOOK-13 what fails is repeated after 10 s, 1 min, 5 min, 30 min and 2 h with the same id and bytes and a fresh signature, then it has failed', async () => {
  const ws = await workspace()
  const to = await receiver()
  const { id, secret } = await hook(ws, to.url)
  to.answers.push(500, 302, 404, 201)
  await say(ws)
  const waits = [10, 60, 300]
  for (const [index, seconds] of waits.entries()) {
    const delivery = await settled(ws, id, index + 1)
    assert.equal(delivery.status, 'pending')
    const ends = Date.parse(delivery.attempts.at(-1).at) + delivery.attempts.at(-1).ms
    assert.ok(Math.abs(Date.parse(delivery.nextAttemptAt) - ends - seconds * 1000) < 2_000, JSON.stringify(delivery))
    await advance(seconds - 5)
    assert.equal(to.received.length, index + 1, 'not before it is due')
    await advance(6)
    await to.waitFor(index + 2)
  }
  const done = await settled(ws, id, 4)
  assert.deepEqual([done.status, done.nextAttemptAt], ['delivered', null])
  assert.deepEqual(
    done.attempts.map(({ status }: { status: number }) => status),
    [500, 302, 404, 201],
  )
  const [first] = to.received
  for (const each of to.received) {
    assert.deepEqual([each.raw, each.headers['x-cf-delivery']], [first?.raw, first?.headers['x-cf-delivery']])
    assert.ok(isRightlySigned(each, secret))
  }
  assert.equal(new Set(to.received.map(({ headers }) => headers['x-cf-timestamp'])).size, 4)
})

test('a delivery that is never taken fails after six attempts and is then sent again by hand, with its own id', async () => {
  const { ws, signIn } = await lasting()
  const to = await receiver()
  const { id } = await hook(ws, to.url)
  to.answers.push(500, 500, 500, 500, 500, 500)
  await say(ws)
  await to.waitFor(1)
  for (const seconds of [10, 60, 300, 1_800, 7_200]) {
    await work()
    await advance(seconds + 1)
  }
  const failed = await settled(ws, id, 6)
  assert.deepEqual([failed.status, failed.nextAttemptAt, to.received.length], ['failed', null, 6])
  await advance(86_400)
  await signIn()
  assert.equal(to.received.length, 6)
  const asked = expectStatus(await ws.admin.post(`/webhooks/${id}/deliveries/${failed.id}/resend`, {}), 202).data
  assert.equal(asked.status, 'pending')
  const again = await settled(ws, id, 7)
  assert.deepEqual([again.id, again.status], [failed.id, 'delivered'])
  assert.equal(to.received[6]?.raw, to.received[0]?.raw)
  const shown = expectStatus(await ws.admin.get(`/webhooks/${id}/deliveries/${failed.id}`), 200).data
  assert.equal(shown.request.body, to.received[0]?.raw)
  assert.deepEqual([shown.attempts[0].answer, shown.attempts[6].answer], ['answered 500', 'answered 200'])
})

test('what a change does not commit nobody is told, and what it commits is told however the endpoint fares', async () => {
  const ws = await workspace()
  const to = await receiver()
  const { id } = await hook(ws, to.url)
  await assert.rejects(
    ctx.change({ workspaceId: ws.id, actor: 'system' }, async (change) => {
      await enqueueWebhook(change, 'campaign.approved', { ...CAMPAIGN, status: 'active' })
      throw new Error('not after all')
    }),
    /not after all/,
  )
  await work()
  assert.deepEqual([to.received.length, await deliveriesOf(ws, id)], [0, []])
})

test('M-HOOK-16 a receiver that hangs, talks without end or resets holds up neither the API nor another endpoint nor another workspace', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const [hanging, endless, resetting, good, elsewhere] = [
    await receiver(),
    await receiver(),
    await receiver(),
    await receiver(),
    await receiver(),
  ]
  const ids = new Map<Receiver, string>()
  for (const to of [hanging, endless, resetting, good]) ids.set(to, (await hook(ws, to.url)).id)
  await hook(other, elsewhere.url)
  for (let i = 0; i < 30; i++) {
    hanging.answers.push('hang')
    resetting.answers.push((response) => void response.socket?.resetAndDestroy())
    endless.answers.push((response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
  }
  const began = performance.now()
  for (let i = 0; i < 10; i++) {
    await say(ws, { name: String(i) })
    await say(other)
  }
  await good.waitFor(10)
  await elsewhere.waitFor(10)
  assert.ok(performance.now() - began < 8_000, 'nobody waited for the one that hangs')
  assert.ok(hanging.received.length <= 4, 'it has its own few calls and no more')
  expectStatus(await ws.admin.get('/webhooks'), 200)
  assert.equal((await settled(ws, ids.get(endless) ?? '', 1)).status, 'delivered')
  const reset = await settled(ws, ids.get(resetting) ?? '', 1)
  assert.deepEqual([reset.status, reset.attempts[0].status], ['pending', null])
  assert.match(reset.attempts[0].error, /connection ended/)
  expectStatus(await ws.admin.delete(`/webhooks/${ids.get(hanging)}`), 200)
})

test('a new secret signs from the next attempt on, alone; a ping is sent once, also where nothing is subscribed', async () => {
  const ws = await workspace()
  const to = await receiver()
  const { id, secret } = await hook(ws, to.url, ['campaign.rejected'])
  to.answers.push(500)
  await ctx.change({ workspaceId: ws.id, actor: 'system' }, (change) =>
    enqueueWebhook(change, 'campaign.rejected', { ...CAMPAIGN, status: 'rejected', note: 'no' }),
  )
  await settled(ws, id, 1)
  const rotated = expectStatus(await ws.admin.post(`/webhooks/${id}/rotate-secret`, {}), 200).data.secret
  await advance(11)
  const [before, afterwards] = await to.waitFor(2)
  assert.ok(before && afterwards && isRightlySigned(before, secret) && isRightlySigned(afterwards, rotated))
  assert.ok(!isRightlySigned(afterwards, secret))
  to.answers.push(503)
  const ping: { id: string } = expectStatus(await ws.admin.post(`/webhooks/${id}/ping`, {}), 202).data
  const [, , pinged] = await to.waitFor(3)
  assert.deepEqual([pinged?.event.event, pinged?.event.id, pinged?.event.data.actor.name], ['webhook.ping', ping.id, 'Admin'])
  const failed = await settled(ws, id, 1)
  assert.deepEqual([failed.id, failed.status, failed.attempts.length], [ping.id, 'failed', 1])
})

test('a name that leads to this network when it is called is not called, and the attempt says so', async () => {
  const ws = await workspace()
  const to = await receiver()
  const { id } = await hook(ws, to.url.replace('127.0.0.1', 'rebound.example'))
  const open = ctx.outbound
  ctx.outbound = openOutbound({ isPrivateAllowed: false, metrics: ctx.metrics, resolve: async () => ['127.0.0.1'] })
  try {
    await say(ws)
    const { status, attempts } = await settled(ws, id, 1)
    assert.deepEqual([status, attempts[0].status], ['pending', null])
    assert.match(attempts[0].error, /private network/)
  } finally {
    await ctx.outbound.close()
    ctx.outbound = open
  }
  assert.equal(to.received.length, 0)
})

test('an endpoint that failed for five days is switched off and says so; nothing more is written for it until it is on again', async () => {
  const { ws, signIn } = await lasting()
  const to = await receiver()
  const { id } = await hook(ws, to.url)
  to.answers.push(...Array.from({ length: 50 }, () => 500))
  const endpoint = async () => (await ws.admin.get(`/webhooks/${id}`)).data
  for (let day = 0; day < 5; day++) {
    assert.equal((await endpoint()).active, true, `day ${day}`)
    await say(ws)
    await settled(ws, id, 1)
    await advance(86_401)
    await signIn()
  }
  const off = await endpoint()
  assert.deepEqual([off.active, typeof off.givenUpAt, typeof off.failingSince], [false, 'string', 'string'])
  assert.ok((await deliveriesOf(ws, id, '?status=pending')).length > 0, 'what is not over waits for a day')
  const before = to.received.length
  const listed = (await deliveriesOf(ws, id)).length
  await say(ws)
  await work()
  assert.deepEqual([to.received.length, (await deliveriesOf(ws, id)).length], [before, listed])
  to.answers.length = 0
  const on = expectStatus(await ws.admin.put(`/webhooks/${id}`, { active: true }), 200).data
  assert.deepEqual([on.active, on.givenUpAt, on.failingSince], [true, null, null])
  await say(ws)
  assert.equal((await settled(ws, id, 1)).status, 'delivered')
})

test('one success ends the days of failing', async () => {
  const ws = await workspace()
  const to = await receiver()
  const { id } = await hook(ws, to.url)
  to.answers.push(500)
  await say(ws)
  await settled(ws, id, 1)
  const endpoint = async () => (await ws.admin.get(`/webhooks/${id}`)).data
  assert.equal(typeof (await endpoint()).failingSince, 'string')
  await advance(11)
  await settled(ws, id, 2)
  await until('it is not failing', async () => (await endpoint()).failingSince === null)
})

test('deliveries are listed newest first and page by page, by state, and go after thirty days', async () => {
  const { ws, signIn } = await lasting()
  const to = await receiver()
  const { id } = await hook(ws, to.url)
  for (let i = 0; i < 7; i++) await say(ws, { name: String(i) })
  await to.waitFor(7)
  await work()
  const first = expectStatus(await ws.admin.get(`/webhooks/${id}/deliveries?limit=4`), 200)
  const second = expectStatus(await ws.admin.get(`/webhooks/${id}/deliveries?limit=4&cursor=${first.body.metadata.nextCursor}`), 200)
  assert.deepEqual([first.body.metadata.total, first.data.deliveries.length, second.data.deliveries.length], [7, 4, 3])
  const ids = [...first.data.deliveries, ...second.data.deliveries].map((delivery: { id: string }) => delivery.id)
  assert.deepEqual(ids, ids.toSorted().toReversed())
  assert.deepEqual(
    [(await deliveriesOf(ws, id, '?status=failed')).length, (await deliveriesOf(ws, id, '?status=delivered')).length],
    [0, 7],
  )
  expectStatus(await ws.admin.get(`/webhooks/${id}/deliveries?status=odd`), 400)
  await advance(31 * 86_400)
  await signIn()
  assert.deepEqual(await deliveriesOf(ws, id), [])
})

test('M-HOOK-17 the receiver of the examples takes what is signed and new, once', async () => {
  const ws = await workspace()
  const to = await receiver()
  const { id, secret } = await hook(ws, to.url)
  // The clock of this server was moved by the tests above; the example goes by the real one.
  const ping: { id: string } = expectStatus(await ws.admin.post(`/webhooks/${id}/ping`, {}), 202).data
  const [sent] = await to.waitFor(1)
  assert.ok(sent)
  const example = await startExample(secret)
  const post = (raw: string, seconds: number, signature?: string) => {
    const timestamp = String(Math.floor(Date.now() / 1000) - seconds)
    const own = `sha256=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}`
    return fetch(example.url, {
      method: 'POST',
      body: raw,
      headers: { 'x-cf-timestamp': timestamp, 'x-cf-signature': signature ?? own, 'x-cf-delivery': 'anything' },
    })
  }
  try {
    const wrong = [
      await post(sent.raw, 0, 'sha256=00'),
      await post(sent.raw, 0, ''),
      await post(sent.raw, 0, String(sent.headers['x-cf-signature'])),
    ]
    assert.deepEqual(
      wrong.map(({ status }) => status),
      [401, 401, 401],
    )
    assert.deepEqual([(await post(sent.raw, 301)).status, (await post(sent.raw, -301)).status], [400, 400])
    assert.deepEqual(example.lines, [])
    assert.equal(await (await post(sent.raw, 0)).text(), 'taken')
    assert.equal(await (await post(sent.raw, 1)).text(), 'known')
    assert.deepEqual(
      example.lines.map((event: { id: string }) => event.id),
      [ping.id],
    )
  } finally {
    await example.stop()
  }
})

test('C-STREAM-13 content that changes is told to no webhook', async () => {
  const ws = await workspace()
  const server = await receiver()
  const { id } = await hook(ws, server.url)
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'x' } })
  expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'promo', fields: [] }] }), 200)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
  assert.deepEqual(expectStatus(await ws.admin.get(`/webhooks/${id}/deliveries`), 200).data.deliveries, [])
  assert.deepEqual(server.received, [])
})
