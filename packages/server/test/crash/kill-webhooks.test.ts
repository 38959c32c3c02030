/** The process that sends deliveries dies at every step: every one arrives, perhaps twice, always under its own id. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enqueueWebhook } from '../../src/modules/webhooks/index.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../builders/builders.ts'
import { dieAt } from '../harness/die-at.ts'
import { openReceiver } from '../builders/receivers.ts'
import { freshDatabase, startOn } from '../harness/start-app.ts'

/** Longer than a lease. */
const APART = 120
const database = await freshDatabase()
const env = { ...database.env, CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
const receiver = await openReceiver()
after(async () => {
  await receiver.close()
  await database.remove()
})

test('M-HOOK-13 whoever sends is killed before the claim, after it, after the answer and after its note: nothing is lost', async () => {
  const before = await startOn(database.env, env)
  const email = uniqueEmail()
  const ws = await before.workspace({ email })
  const { id } = expectStatus(await ws.admin.post('/webhooks', { url: receiver.url, events: ['campaign.approved'] }), 201).data
  // The first process leaves all of it to those that follow.
  before.ctx.due.nudge = () => undefined
  for (let n = 0; n < 12; n++)
    await before.ctx.change({ workspaceId: ws.id, actor: 'system' }, (change) =>
      enqueueWebhook(change, 'campaign.approved', { campaignId: String(n), name: 'n', type: 'push', status: 'active' }),
    )
  await before.stop()
  assert.equal(receiver.received.length, 0)

  let seconds = APART
  for (const point of ['claim', 'claimed', 'sent', 'finished']) {
    await dieAt(env, 'webhooks', `webhooks: ${point}`, seconds)
    seconds += APART
  }

  const { operator, url, advance, stop } = await startOn(database.env, env)
  try {
    await advance(seconds)
    for (let pass = 0; pass < 12; pass++) expectStatus(await operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
    const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
    const admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
    const { deliveries } = expectStatus(await admin.get(`/webhooks/${id}/deliveries`), 200).data
    assert.deepEqual(new Set(deliveries.map(({ status }: { status: string }) => status)), new Set(['delivered']))
    const idsOf = new Map<string, Set<string>>()
    for (const { event } of receiver.received)
      idsOf.set(event.data.campaignId, (idsOf.get(event.data.campaignId) ?? new Set()).add(event.id))
    assert.equal(idsOf.size, 12)
    assert.ok(
      [...idsOf.values()].every((ids) => ids.size === 1),
      'each has one id, however often it arrived',
    )
    assert.ok(receiver.received.length <= 12 + 8, 'twice at most what two kills had under way')
  } finally {
    await stop()
  }
})
