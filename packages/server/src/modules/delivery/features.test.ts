import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openStream } from '../../../test/harness/streams.ts'

const { workspace, url } = await startApp()

const SNAKE = ['campaigns', 'live_updates', 'location', 'frequency_caps']
const CAMEL = ['contentSync', 'strings', 'analyticsEvents', 'pushPreferences', 'geofences', 'profileUpdates']
const ALL = [...SNAKE, ...CAMEL]

const switchTo = async (ws: Workspace, features: Record<string, unknown>) =>
  expectStatus(await ws.admin.put('/settings/features', { features }), 200)
const listen = (ws: Workspace) => openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })

test('C-FLAG-01..03 a new workspace has exactly the ten switches, all on, in their documented spelling', async () => {
  const ws = await workspace()
  const { features } = (await ws.app.get('/sync')).data.config
  assert.deepEqual(features, Object.fromEntries(ALL.map((name) => [name, true])))
  assert.deepEqual((await ws.admin.get('/settings/features')).data, { features })
})

test('C-FLAG-13 C-FLAG-14 each switch shows in config and changes the ETag of its own workspace only', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const otherEtag = (await other.app.get('/sync')).headers.get('etag') ?? ''
  for (const name of ALL) {
    for (const value of [false, true]) {
      const before = (await ws.app.get('/sync')).headers.get('etag') ?? ''
      const told = await switchTo(ws, { [name]: value })
      assert.equal(told.data.features[name], value)
      const after = await ws.app.get('/sync', { headers: { 'if-none-match': before } })
      assert.equal(after.status, 200, name)
      assert.deepEqual(after.data.config.features, Object.fromEntries(ALL.map((other) => [other, other === name ? value : true])))
      assert.equal((await ws.testApp.get('/sync')).data.config.features[name], value)
    }
  }
  assert.equal((await other.app.get('/sync', { headers: { 'if-none-match': otherEtag } })).status, 304)
})

test('switching is partial, for admins only, and refuses unknown names and other values', async () => {
  const ws = await workspace()
  await switchTo(ws, { campaigns: false })
  await switchTo(ws, { strings: false })
  const { features } = (await ws.admin.get('/settings/features')).data
  assert.deepEqual([features.campaigns, features.strings, features.location], [false, false, true])
  for (const bad of [
    { features: { nope: true } },
    { features: { campaigns: 'no' } },
    { features: { campaigns: null } },
    { features: [] },
    {},
    { campaigns: true },
  ])
    assert.equal((await ws.admin.put('/settings/features', bad)).status, 400, JSON.stringify(bad))
  for (const client of [await ws.editor(), await ws.viewer()]) {
    const refused = await client.put('/settings/features', { features: { campaigns: true } })
    assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'])
    assert.equal((await client.get('/settings/features')).status, 200)
  }
  assert.deepEqual((await ws.admin.get('/settings/features')).data.features, features)
})

test('C-FLAG-09 with contentSync off sync is an empty success and a known block is hidden with version "0"', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.block('bare')
  await ws.instance('promo', { values: { '#title': 'x' } })
  const before = (await ws.app.get('/sync')).headers.get('etag') ?? ''
  await switchTo(ws, { contentSync: false })
  for (const client of [ws.app, ws.testApp]) {
    const off = expectStatus(await client.get('/sync'), 200)
    assert.equal(off.body.success, true)
    assert.deepEqual(off.data.blocks, [])
    assert.equal(off.data.config.features.contentSync, false)
    for (const key of ['promo', 'bare']) {
      const hidden = expectStatus(await client.get(`/blocks/${key}`), 200)
      assert.deepEqual(hidden.body, { success: true, data: { key, visible: false, version: '0' } })
      assert.ok(hidden.headers.get('etag'))
    }
    assert.equal((await client.get('/blocks/no_such')).status, 404)
  }
  await switchTo(ws, { contentSync: true })
  assert.equal((await ws.app.get('/sync', { headers: { 'if-none-match': before } })).status, 304)
})

test('C-FLAG-10 with live_updates off a stream opens and stays silent, also for what it missed; switched on it speaks again', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const earlier = await listen(ws)
  await switchTo(ws, { live_updates: false })
  await ws.instance('promo')
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live, 'last-event-id': '0' })
  assert.equal(stream.status, 200)
  await stream.until('the greeting', () => stream.text().startsWith(': connected\n'))
  await ws.instance('promo')
  assert.equal((await ws.blocks()).length, 2)
  await switchTo(ws, { live_updates: true })
  for (const each of [earlier, stream]) {
    assert.equal((await each.next()).event, 'config.updated')
    assert.equal(each.events.length, 1)
    each.close()
  }
})

test('C-FLAG-13 a switch signals open streams of both environments with config.updated', async () => {
  const ws = await workspace()
  const streams = [await listen(ws), await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.test })]
  await switchTo(ws, { campaigns: false })
  for (const stream of streams) {
    assert.equal((await stream.next()).event, 'config.updated')
    stream.close()
  }
})
