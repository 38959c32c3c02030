/** Endpoints that are switched off: what waits for them waits for a day, and is sent when they are on again. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, patiently, uniqueEmail, type Workspace } from '../../../test/builders/builders.ts'
import { openReceiver } from '../../../test/builders/receivers.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { enqueueWebhook } from './index.ts'

const { url, ctx, workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const HOUR = 3_600

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
const say = (ws: { id: string }) =>
  ctx.change({ workspaceId: ws.id, actor: 'system' }, (change) =>
    enqueueWebhook(change, 'campaign.status_changed', { campaignId: 'c1', name: 'Eid', type: 'push', from: 'draft', to: 'active' }),
  )

/** An endpoint that failed once, so that a delivery waits for its next attempt. */
async function waiting() {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  /** Once days have gone by. */
  const signIn = async () => {
    const { token } = expectStatus(
      await patiently(() => clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD })),
      200,
    ).data
    ws.admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  }
  const to = await openReceiver()
  after(() => to.close())
  const { id } = expectStatus(await ws.admin.post('/webhooks', { url: to.url, events: ['campaign.status_changed'] }), 201).data
  to.answers.push(500)
  await say(ws)
  await work()
  assert.equal(to.received.length, 1)
  const put = async (active: boolean) => expectStatus(await ws.admin.put(`/webhooks/${id}`, { active }), 200).data
  const newest = async () => (await deliveriesOf(ws, id))[0]
  return { ws, to, id, put, newest, signIn }
}
const deliveriesOf = async ({ admin }: Workspace, id: string) =>
  expectStatus(await admin.get(`/webhooks/${id}/deliveries`), 200).data.deliveries
const backlog = async () =>
  (await ctx.db.selectFrom('webhook_deliveries').select('id').where('due_at', '<=', ctx.clock.now()).execute()).length

test('what waits for an endpoint that is switched off is sent once it is on again, with the same id', async () => {
  const { to, put, newest } = await waiting()
  await put(false)
  const { id } = await newest()
  for (let hour = 0; hour < 23; hour++) {
    await advance(HOUR)
    await work()
  }
  assert.deepEqual([to.received.length, (await newest()).status, await backlog()], [1, 'pending', 0])
  await put(true)
  await work()
  assert.deepEqual([to.received.length, (await newest()).status, (await newest()).id], [2, 'delivered', id])
  assert.equal(to.received[1]?.headers['x-cf-delivery'], id)
})

test('after 24 hours it has failed, which says why; it can be sent again', async () => {
  const { ws, to, id, put, newest, signIn } = await waiting()
  await put(false)
  await advance(HOUR)
  await work()
  // Said twice, and something else of it changed, it is off since the first time.
  await put(false)
  expectStatus(await ws.admin.put(`/webhooks/${id}`, { description: 'CRM' }), 200)
  await advance(23 * HOUR + 1)
  await work()
  await signIn()
  const failed = await newest()
  assert.deepEqual([failed.status, failed.nextAttemptAt, failed.attempts.length], ['failed', null, 2])
  assert.match(failed.attempts.find(({ error }: any) => error).error, /switched off/)
  await put(true)
  await work()
  assert.equal(to.received.length, 1, 'what has failed is not sent by itself')
  expectStatus(await ws.admin.post(`/webhooks/${id}/deliveries/${failed.id}/resend`, {}), 202)
  await work()
  assert.deepEqual([to.received.length, (await newest()).status], [2, 'delivered'])
})

test('nothing is written for an endpoint that is off, and of one that is deleted nothing waits', async () => {
  const { ws, to, id, put } = await waiting()
  await put(false)
  await say(ws)
  assert.equal((await deliveriesOf(ws, id)).length, 1)
  expectStatus(await ws.admin.delete(`/webhooks/${id}`), 200)
  await advance(HOUR)
  await work()
  assert.deepEqual(
    [to.received.length, await ctx.db.selectFrom('webhook_deliveries').select('id').where('workspace_id', '=', ws.id).execute()],
    [1, []],
  )
})
