import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, operator, url, fault } = await startApp()

const listen = (key: string, lastEventId?: string) =>
  openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) })

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  return ws
}

/** Reconnects as a client would. */
async function expectRefused(key: string): Promise<void> {
  const again = await listen(key)
  await again.ended()
  assert.equal(again.status, 401)
  assert.equal(JSON.parse(again.text()).code, 'INVALID_SDK_KEY')
}

test('X-INT-34 switching derived keys off ends their streams, and a new one is refused; other keys stay', async () => {
  const ws = await shop()
  const [live, testing, publishable] = [await listen(`${ws.id}_app`), await listen(`${ws.id}_test`), await listen(ws.live)]
  assert.deepEqual([live.status, testing.status], [200, 200])
  expectStatus(await ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled: false }), 200)
  await live.ended()
  await testing.ended()
  await expectRefused(`${ws.id}_app`)
  await expectRefused(`${ws.id}_test`)
  await ws.instance('promo')
  assert.equal((await publishable.next()).event, 'block.published')
  publishable.close()
  expectStatus(await ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled: true }), 200)
  const back = await listen(`${ws.id}_app`)
  assert.equal(back.status, 200)
  back.close()
})

test('C-AUTH-19 a revoked, rotated or suspended key loses its open stream and cannot open another', async () => {
  const ws = await shop()
  for (const kind of ['publishable', 'secret'] as const) {
    const revoked = await ws.key(kind, 'live')
    const rotated = await ws.key(kind, 'test')
    const streams = [await listen(revoked.key), await listen(rotated.key)]
    expectStatus(await ws.admin.delete(`/settings/sdk-keys/${revoked.id}`), 200)
    const { key: fresh } = expectStatus(await ws.admin.post(`/settings/sdk-keys/${rotated.id}/rotate`), 200).data
    for (const stream of streams) await stream.ended()
    await expectRefused(revoked.key)
    await expectRefused(rotated.key)
    const renewed = await listen(fresh)
    assert.equal(renewed.status, 200)
    renewed.close()
  }
  const untouched = await listen(ws.live)
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/suspend`), 200)
  await untouched.ended()
  await expectRefused(ws.live)
  await expectRefused(`${ws.id}_app`)
  expectStatus(await operator.post(`/operator/workspaces/${ws.id}/resume`), 200)
  const resumed = await listen(ws.live)
  assert.equal(resumed.status, 200)
  resumed.close()
})

test('X-INT-35 a rotated key sees the same ETag for the same view', async () => {
  const ws = await shop()
  await ws.instance('promo', { values: { '#title': 'x' } })
  for (const [kind, environment] of [
    ['publishable', 'live'],
    ['publishable', 'test'],
    ['secret', 'live'],
  ] as const) {
    const made = await ws.key(kind, environment)
    const before = await ws.sdk({ 'x-cf-key': made.key }).get('/sync')
    const { key } = expectStatus(await ws.admin.post(`/settings/sdk-keys/${made.id}/rotate`), 200).data
    assert.equal((await ws.sdk({ 'x-cf-key': made.key }).get('/sync')).status, 401)
    for (const path of ['/sync', '/blocks/promo']) {
      const etag = path === '/sync' ? before.headers.get('etag') : (await ws.sdk({ 'x-cf-key': key }).get(path)).headers.get('etag')
      assert.equal((await ws.sdk({ 'x-cf-key': key }).get(path, { headers: { 'if-none-match': etag ?? '' } })).status, 304, path)
    }
  }
})

test('C-SBX-04..07 linking a sandbox moves test keys over to it: their old streams end and new ones hear the sandbox', async () => {
  const ws = await shop()
  const old = await listen(ws.test)
  const live = await listen(ws.live)
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  await old.ended()
  const inSandbox = { headers: { 'x-tenant-id': workspaceId } }
  const keys = [ws.test, `${ws.id}_test`, (await ws.key('secret', 'test')).key]
  const streams = await Promise.all(keys.map((key) => listen(key)))
  const made = expectStatus(await ws.admin.post('/blocks/promo/instances', { values: { '#title': 'sandbox' } }, inSandbox), 201).data
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${made.id}/publish`, {}, inSandbox), 200)
  for (const stream of streams) {
    assert.equal(stream.headers.get('x-cf-env'), 'test')
    assert.equal((await stream.next()).event, 'block.published')
  }
  await ws.instance('promo', { values: { '#title': 'live' } })
  assert.equal((await live.next()).event, 'block.published')
  assert.equal(live.events.length, 1, 'a change in the sandbox is not signalled to live keys')
  const titles = async (key: string) => (await ws.blocks(undefined, { key })).map((block) => block.values['#title'])
  for (const key of keys) assert.deepEqual(await titles(key), ['sandbox'])
  assert.deepEqual(await titles(ws.live), ['live'])
  expectStatus(await ws.admin.delete('/settings/sandbox'), 200)
  for (const stream of streams) await stream.ended()
  for (const key of keys) assert.deepEqual(await titles(key), ['live'], 'unlinked, a test key is served by its own workspace again')
  for (const stream of [...streams, live]) stream.close()
})

test('C-STREAM-08 a signal waits for the content: while content cannot be reloaded no client is sent to fetch the old one', async () => {
  const ws = await shop()
  const made = await ws.instance('promo', { values: { '#title': 'old' } })
  assert.equal((await ws.blocks())[0].values['#title'], 'old')
  const stream = await listen(ws.live)
  await fault('upstream', true)
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${made.id}`, { values: { '#title': 'new' } }), 200)
  assert.equal((await ws.blocks())[0].values['#title'], 'old', 'the last known content is served')
  const early = stream.events.length
  await fault('upstream', false)
  for (let i = early; ; i++) {
    await stream.until('a signal after which sync shows the change', () => stream.events.length > i)
    if ((await ws.blocks())[0].values['#title'] === 'new') break
  }
  stream.close()
})

test('a publish succeeds and its stream is signalled although this process cannot load content at that moment', async () => {
  const ws = await shop()
  const draft = await ws.instance('promo', { values: { '#title': 'x' } }, { publish: false })
  const stream = await listen(ws.live)
  await fault('upstream', true)
  const published = await ws.admin.post(`/blocks/promo/instances/${draft.id}/publish`)
  await fault('upstream', false)
  expectStatus(published, 200)
  assert.equal((await stream.next()).event, 'block.published')
  assert.equal((await ws.blocks()).length, 1)
  stream.close()
})
