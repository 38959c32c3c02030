/** The operator changes the key that secrets are encrypted with: a minute later the old one is not needed any more. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../test/builders/builders.ts'
import { openProvider } from '../../../test/builders/providers.ts'
import { freshDatabase, startOn } from '../../../test/harness/start-app.ts'

const database = await freshDatabase()
const provider = await openProvider({
  judge: ({ headers }) => (headers.authorization === 'Bearer t-1' ? undefined : { status: 401 }),
  answer: () => ({ status: 201, body: { statusCode: 201, messageId: '1', rejected: '[]' } }),
})
after(async () => {
  await provider.close()
  await database.remove()
})
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const startWith = (keys: string) => startOn(database.env, { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: keys })

test('M-CHAN-06 secrets of the old key are sealed with the new one, and are sent with when the old one is gone', async () => {
  const email = uniqueEmail()
  const first = await startWith(key(1))
  const ws = await first.workspace({ email })
  const configuration = { bearerToken: 't-1', sender: 'SHOP', baseUrl: provider.url }
  const body = { type: 'sms', provider: 'taqnyat', name: 'n', configuration }
  const { id } = expectStatus(await ws.admin.post('/notifications/channels', body), 201).data
  await first.stop()

  const both = await startWith(`${key(2)},${key(1)}`)
  expectStatus(await both.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  await both.stop()

  const last = await startWith(key(2))
  try {
    const { token } = expectStatus(await clientOf(`${last.url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
    const admin = clientOf(`${last.url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
    const tested = expectStatus(await admin.post(`/notifications/channels/${id}/test`, { to: '+966500000000' }), 200)
    assert.deepEqual(tested.data, { sent: true, provider: 'taqnyat' })
    assert.equal(provider.taken.length, 1)
  } finally {
    await last.stop()
  }
})
