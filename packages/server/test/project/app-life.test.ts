/** An app from its first start: what it does in the usual order, and what it is told when it does something wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { startApp } from '../harness/start-app.ts'
import { openStream } from '../harness/streams.ts'

const { url, workspace, operator } = await startApp()

test('C-SYNC-29 identify, sync and strings, events, sync on a signal: the usual order works without any other call', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const instance = await ws.instance('promo', { values: { '#title': 'one' } })
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'hello', sourceText: 'Hello' }] }), 200)
  const phone = ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': 'fresh' })
  const title = async () => expectStatus(await phone.get('/sync'), 200).data.blocks[0].values['#title']

  expectStatus(await phone.post('/identify', { userId: 'U', consent: true }), 200)
  assert.equal(await title(), 'one')
  assert.deepEqual(expectStatus(await phone.get('/strings'), 200).data.strings, { hello: 'Hello' })
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  const sent = await phone.post('/events', { events: [{ type: 'impression', blockKey: 'promo' }] })
  assert.equal(expectStatus(sent, 202).data.accepted, 1)
  const signalled = stream.next()
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${instance.id}`, { values: { '#title': 'two' } }), 200)
  assert.equal((await signalled).event, 'block.updated')
  assert.equal(await title(), 'two')
  stream.close()
})

test('C-HDR-06 a session id changes no answer and may come with events, in the header and in their context', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'one' } })
  const session = { 'x-cf-session-id': 's1' }
  const headers = { 'x-cf-key': ws.live, 'x-cf-device': 'D' }
  const [bare, named] = [ws.sdk(headers), ws.sdk({ ...headers, ...session })]
  for (const path of ['/sync', '/strings', '/locales', '/blocks/promo'])
    assert.equal((await named.get(path)).headers.get('etag'), expectStatus(await bare.get(path), 200).headers.get('etag'))
  expectStatus(await named.post('/identify', { consent: true }), 200)
  const events = [{ type: 'impression' }]
  assert.equal(expectStatus(await named.post('/events', { events, context: { sessionId: 's1', platform: 'web' } }), 202).data.accepted, 1)
})

test('M-AUTH-01 C-AUTH-24 a write key opens the routes of pipelines', async () => {
  const { write } = await workspace()
  const card = { key: 'promo', fields: [] }
  expectStatus(await write.post('/cards/register', card), 201)
  expectStatus(await write.post('/cards/sync', { blocks: [card] }), 200)
  expectStatus(await write.post('/strings/sync', { strings: [{ key: 'k', sourceText: 'K' }] }), 200)
  expectStatus(await write.post('/strings/disable', { keys: ['k'] }), 200)
})

test('X-INT-11 in the source language nothing is withheld, whatever its translations wait for', async () => {
  const ws = await workspace({ sourceLocale: 'en' })
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'k', sourceText: 'Hi' }] }), 200)
  expectStatus(await ws.admin.put('/strings/k/translations/ar', { text: 'A' }), 200)
  assert.deepEqual(expectStatus(await ws.app.get('/strings?locale=ar'), 200).data.withheldKeys, ['k'])
  assert.deepEqual(expectStatus(await ws.app.get('/strings?locale=en'), 200).data.withheldKeys, [])
})

/** One call for each refusal with a code that an application can bring about by itself: body, status, code. */
const REFUSALS: [path: string, body: object, status: number, code: string][] = [
  ['/consent', { deviceId: 'D', push: true }, 400, 'CHANNELS_REQUIRED'],
  ['/consent', { userId: 'U', channels: { push: true } }, 400, 'DEVICE_REQUIRED'],
  ['/consent', { deviceId: 'fresh', userId: 'U', channels: { push: true } }, 403, 'DEVICE_NOT_IDENTIFIED'],
  ['/consent', { deviceId: 'D', userId: 'V', channels: { push: true } }, 403, 'USER_MISMATCH'],
  ['/profile', { deviceId: 'D', userId: 'V', category: 'retail', data: { a: 1 } }, 403, 'USER_ID_DEVICE_MISMATCH'],
  ['/register-push', { deviceId: 'D', token: 't', platform: 'windows' }, 400, 'INVALID_PUSH_PLATFORM'],
  ['/register-push', { deviceId: 'D', token: 't', platform: 'ios', provider: 'gcm' }, 400, 'INVALID_PUSH_PROVIDER'],
  ['/events', { deviceId: 'D', events: [{ type: 'sign_in' }] }, 400, 'ENDPOINT_MISMATCH'],
  ['/events', { deviceId: 'D', events: Array.from({ length: 101 }, () => ({ type: 'a' })) }, 400, 'MAX_BATCH_SIZE'],
  ['/location', { deviceId: 'D', points: Array.from({ length: 101 }, () => ({ latitude: 1, longitude: 1 })) }, 400, 'MAX_BATCH_SIZE'],
  ['/track-event', { deviceId: 'D', type: 'impression' }, 400, 'ENDPOINT_MISMATCH'],
  ['/location', { deviceId: 'denied', points: [{ latitude: 1, longitude: 1 }] }, 202, 'LOCATION_CONSENT_REQUIRED'],
  ['/identify', { deviceId: 'T', consent: true }, 409, 'DEVICE_ENVIRONMENT_MISMATCH'],
  ['/identify?key=x', { deviceId: 'D', consent: true }, 403, 'SDK_KEY_IN_QUERY'],
]

async function assertRefusals(ws: Workspace): Promise<void> {
  for (const [path, body, status, code] of REFUSALS) {
    const answer = expectStatus(await ws.app.post(path, body), status)
    assert.deepEqual([answer.body.success, answer.body.code], [false, code], path)
    assert.ok(typeof answer.body.error === 'string' && answer.body.error !== '', path)
  }
}

test('C-ENV-04 every refusal with a code carries exactly that code', async () => {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  expectStatus(await ws.app.post('/identify', { deviceId: 'D', userId: 'U', consent: true }), 200)
  expectStatus(await ws.app.post('/identify', { deviceId: 'denied', consent: false }), 200)
  expectStatus(await ws.testApp.post('/identify', { deviceId: 'T', consent: true }), 200)
  await assertRefusals(ws)
  assert.equal((await ws.sdk({}).post('/events', {})).body.code, 'MISSING_SDK_KEY')
  assert.equal((await ws.sdk({ 'x-cf-key': 'nobody' }).post('/events', {})).body.code, 'INVALID_SDK_KEY')
  assert.equal((await ws.sdk({ 'x-cf-key': ws.live, 'x-tenant-id': 'other' }).post('/events', {})).body.code, 'TENANT_KEY_MISMATCH')
})
