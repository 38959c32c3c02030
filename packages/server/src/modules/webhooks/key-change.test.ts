/** The operator changes the key that secrets are encrypted with: a minute later the old one is not needed any more. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../test/builders/builders.ts'
import { isRightlySigned, openReceiver } from '../../../test/builders/receivers.ts'
import { freshDatabase, startOn } from '../../../test/harness/start-app.ts'

const database = await freshDatabase()
const receiver = await openReceiver()
after(async () => {
  await receiver.close()
  await database.remove()
})
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const startWith = (keys: string) => startOn(database.env, { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: keys })

test('a secret of the old key is sealed with the new one, also beside one that nobody can read, and signs as before when the old one is gone', async () => {
  const email = uniqueEmail()
  const first = await startWith(key(1))
  const ws = await first.workspace({ email })
  const endpoint = { url: receiver.url, events: ['campaign.approved'] }
  const broken = expectStatus(await ws.admin.post('/webhooks', endpoint), 201).data.id as string
  const { id, secret } = expectStatus(await ws.admin.post('/webhooks', endpoint), 201).data
  const unreadable = { secret: 'v1.gone.' }
  await first.ctx.db.updateTable('webhook_endpoints').set(unreadable).where('workspace_id', '=', ws.id).where('id', '=', broken).execute()
  await first.stop()

  const both = await startWith(`${key(2)},${key(1)}`)
  expectStatus(await both.operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
  await both.stop()

  const last = await startWith(key(2))
  try {
    const { token } = expectStatus(await clientOf(`${last.url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
    const admin = clientOf(`${last.url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
    expectStatus(await admin.post(`/webhooks/${id}/ping`, {}), 202)
    const [sent] = await receiver.waitFor(1)
    assert.ok(sent && isRightlySigned(sent, secret))
  } finally {
    await last.stop()
  }
})
