/** Short links while the database is away; the embedded one has no connection that could be cut. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { openProvider } from '../../../../test/builders/providers.ts'
import { addPeople } from '../../../../test/builders/sends.ts'
import { freshDatabase, startOn } from '../../../../test/harness/start-app.ts'
import { startTcpProxy } from '../../../../test/harness/tcp-proxy.ts'
import { until } from '../../../../test/harness/until.ts'

const PUBLIC = 'https://flow.example'

test('links that were followed lately lead on while the database is away; others are asked to come again', async (t) => {
  const database = await freshDatabase()
  after(() => database.remove())
  const { DATABASE_URL: address } = database.env
  if (!address) return t.skip('the embedded database has no connection')
  const behind = new URL(address)
  const proxy = await startTcpProxy(behind.hostname, Number(behind.port || 5432))
  Object.assign(behind, { hostname: '127.0.0.1', port: String(proxy.port) })
  const app = await startOn({ ...database.env, DATABASE_URL: behind.href }, { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
  const stub = await openProvider({ judge: () => undefined, answer: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }) })
  after(async () => {
    await app.stop()
    await proxy.close()
    await stub.close()
  })
  const ws = await app.workspace()
  await addChannel(ws.admin, 'sms', 'twilio', { accountSid: 'AC1', authToken: 't', from: '+15005550006', baseUrl: stub.url })
  await addPeople(ws, ['U'], () => ({ phone: '+966500000001' }))
  const send = async (to: string) => {
    const content = { body: 'x', ctaUrl: to, shorten: true }
    expectStatus(await ws.admin.post('/notifications', { userId: 'U', channel: 'sms', content }), 200)
    return stub.taken.at(-1)?.body.Body.split(PUBLIC)[1] as string
  }
  const get = (path: string) => fetch(app.url + path, { redirect: 'manual' })
  const [known, other] = [await send('https://shop.example/1'), await send('https://shop.example/2')]
  assert.equal((await get(known)).headers.get('location'), 'https://shop.example/1')
  await app.advance(601)
  proxy.cut()
  await until('what is not known is asked to come again', async () => {
    const answer = await get(other)
    return answer.status === 503 && answer.headers.get('retry-after') === '5'
  })
  assert.equal((await get(known)).headers.get('location'), 'https://shop.example/1')
  proxy.join()
  await until('all is as before', async () => (await get(other)).headers.get('location') === 'https://shop.example/2')
})
