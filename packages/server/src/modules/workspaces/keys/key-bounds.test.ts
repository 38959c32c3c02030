/** What an application key may be bound to: an end, and the web pages that may use it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { assertRefusal } from '../../../../test/harness/refusals.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { ctx, workspace, advance } = await startApp()
const SHOP = 'https://shop.example'

const make = async (ws: Workspace, more: object) =>
  expectStatus(await ws.admin.post('/settings/sdk-keys', { kind: 'publishable', environment: 'live', ...more }), 201).data
const read = (ws: Workspace, key: string, headers: Record<string, string> = {}) => ws.sdk({ 'x-cf-key': key, ...headers }).get('/sync')

test('a key with an end opens nothing from then on, warm or not, and says so in its list', async () => {
  const ws = await workspace()
  const expiresAt = new Date(ctx.clock.ms() + 3_600_000).toISOString()
  const [warm, cold] = [await make(ws, { expiresAt }), await make(ws, { expiresAt })]
  assert.deepEqual([warm.expiresAt, warm.allowedOrigins], [expiresAt, null])
  expectStatus(await read(ws, warm.key), 200)
  expectStatus(await read(ws, warm.key), 200)
  await advance(3_601)
  for (const { key } of [warm, cold]) {
    const refused = await read(ws, key)
    assert.deepEqual([refused.status, refused.body.code], [401, 'INVALID_SDK_KEY'])
  }
  expectStatus(await read(ws, ws.live), 200)
})

test('a key for some pages is refused to others, on the first request and on later ones; programs name no page', async () => {
  const ws = await workspace()
  const { key, allowedOrigins } = await make(ws, { allowedOrigins: [SHOP, 'http://localhost:3000', SHOP] })
  assert.deepEqual(allowedOrigins, [SHOP, 'http://localhost:3000'])
  for (let times = 0; times < 3; times++) {
    const refused = await read(ws, key, { origin: 'https://other.example' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'KEY_NOT_ALLOWED_HERE'])
    assert.equal(refused.headers.get('access-control-allow-origin'), '*', 'a page can read why')
    expectStatus(await read(ws, key, { origin: SHOP }), 200)
    expectStatus(await read(ws, key), 200)
  }
  expectStatus(await read(ws, ws.live, { origin: 'https://other.example' }), 200)
  const rotated = expectStatus(await ws.admin.post(`/settings/sdk-keys/${(await listed(ws, key)).id}/rotate`, {}), 200).data
  assert.deepEqual(rotated.allowedOrigins, allowedOrigins, 'its bounds stay')
  assert.equal((await read(ws, rotated.key, { origin: 'https://other.example' })).status, 403)
})

const listed = async (ws: Workspace, key: string) =>
  expectStatus(await ws.admin.get('/settings/sdk-keys'), 200).data.keys.find(({ masked }: any) => masked.endsWith(key.slice(-4)))

test('the list says who made a key; ends that are over and what is no origin are refused', async () => {
  const ws = await workspace()
  const { userId } = expectStatus(await ws.admin.get('/auth/me'), 200).data.user
  const { key } = await make(ws, {})
  assert.equal((await listed(ws, key)).createdBy, userId)
  const body = { kind: 'publishable', environment: 'live' }
  for (const bad of [
    { expiresAt: '2020-01-01T00:00:00Z' },
    { expiresAt: 'soon' },
    { allowedOrigins: [] },
    { allowedOrigins: ['shop.example'] },
    { allowedOrigins: [`${SHOP}/`] },
    { allowedOrigins: ['null'] },
    { allowedOrigins: Array.from({ length: 21 }, (_, at) => `https://${at}.example`) },
  ])
    assertRefusal(await ws.admin.post('/settings/sdk-keys', { ...body, ...bad }), 400, JSON.stringify(bad))
})
