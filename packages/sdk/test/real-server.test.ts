/** The client against the product itself, on a real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { countsOf, rollUp, track } from '../../server/test/builders/events.ts'
import { identify } from '../../server/test/builders/people.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { setSensor, sync as syncStrings } from '../../server/test/builders/strings.ts'
import { startTcpProxy } from '../../server/test/harness/tcp-proxy.ts'
import { createClient } from '../src/index.ts'
import { memoryStorage } from '../src/shell/storage.ts'
import type { Client, ClientOptions, Snapshot } from '../src/types.ts'
import { until } from '../../server/test/harness/until.ts'

const { workspace, url, fault, operator } = await startApp()

function clientOf(t: { after(run: () => void): void }, ws: Workspace, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ key: ws.live, baseUrl: `${url}/sdk/v1`, platform: 'web', ...options })
  t.after(() => client.stop())
  return client
}

/** The first snapshot that is as wanted. */
async function seen(client: Client, what: string, holds: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
  await until(what, () => holds(client.snapshot()))
  return client.snapshot()
}

const titles = (client: Client) => client.blocks().map(({ values }) => values['#title'])
/** What has arrived, without waiting for the next count. */
const counters = async (ws: Workspace, key: string) => {
  await rollUp(operator)
  return countsOf(ws, key)
}

test('C-STREAM-09 C-STREAM-15 C-SYNC-09 what is published, edited and taken back is seen through the stream', async (t) => {
  const ws = await workspace()
  await ws.block('promo')
  const client = clientOf(t, ws)
  client.start()
  await client.sync()
  assert.deepEqual(client.blocks(), [])
  const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
  await until('the publish', () => titles(client)[0] === 'one')
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'two' } }), 200)
  await until('the edit', () => titles(client)[0] === 'two')
  assert.equal(client.block('promo')?.instanceId, id)
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/unpublish`), 200)
  await until('the end', () => client.blocks().length === 0)
  assert.equal(client.block('promo'), undefined)
})

test('C-IDN-09 C-OUT-04 C-DEV-09 targeted content comes with identify, and goes with logout, with another person and with a denial', async (t) => {
  const ws = await workspace()
  await ws.block('promo')
  expectStatus(
    await ws.admin.post('/segments', {
      name: 'Gold',
      logicalOperator: 'AND',
      rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }],
    }),
    201,
  )
  await ws.instance('promo', { values: { '#title': 'all' } })
  await ws.instance('promo', { values: { '#title': 'gold' }, seg: 'Gold', priority: 9 })
  const client = clientOf(t, ws)
  client.start()
  await client.sync()
  assert.deepEqual(titles(client), ['all'])

  const identify = () => client.identify({ consent: true, userId: 'sara', traits: { plan: 'gold' } })
  const answer = await identify()
  assert.deepEqual(answer.status === 'done' && [answer.data.consent, answer.data.results.identity.status, answer.data.segments], [
    true,
    'identified',
    ['Gold'],
  ])
  await until('the targeted block', () => titles(client).join() === 'gold,all')
  assert.equal(client.snapshot().userId, 'sara')

  const leaving = client.logout()
  assert.deepEqual(titles(client), ['all'], 'at once')
  assert.equal((await leaving).status, 'done')
  await client.sync()
  assert.deepEqual(titles(client), ['all'])

  await identify()
  await until('the targeted block again', () => titles(client).length === 2)
  await client.identify({ consent: true, userId: 'omar', traits: { plan: 'basic' } })
  await client.sync()
  assert.deepEqual([titles(client), client.snapshot().userId], [['all'], 'omar'])

  await identify()
  await until('the targeted block once more', () => titles(client).length === 2)
  await client.identify({ consent: false })
  assert.deepEqual([titles(client), client.snapshot().consent, client.snapshot().userId], [['all'], 'denied', undefined])
})

test('C-EVT-21 C-BLK-42 impressions count once per view, also of inlined blocks; clicks, dismissals and conversions count', async (t) => {
  const ws = await workspace()
  await ws.block('tile')
  await ws.block('row', { fields: [{ id: 'f', tag: '#items', type: 'collection', allowedBlockKeys: ['tile'] }] })
  const child = await ws.instance('tile', { values: { '#title': 'child' } })
  await ws.instance('row', { values: { '#items': [child.id] } })
  const client = clientOf(t, ws)
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  await until('blocks', () => client.blocks('row').length === 1)
  const [row] = client.blocks('row')
  const [tile] = client.blocks('tile')
  assert.ok(row && tile)
  assert.deepEqual([client.impression(row), client.impression(row), client.impression(tile)], [true, false, true])
  client.setScreen('home')
  assert.equal(client.impression(row), true)
  assert.deepEqual(
    [client.impression(row, 'list-1'), client.impression(row, 'list-1'), client.impression(row, 'list-2')],
    [true, false, true],
  )
  client.click(row, { where: 'top' })
  client.dismiss(row)
  client.conversion(row, { value: 12, currency: 'SAR' })
  client.flush()
  await until('sent', () => client.pending() === 0)
  const counted = await counters(ws, 'row')
  assert.deepEqual([counted.impressions, counted.clicks, counted.dismissals, counted.conversions], [4, 1, 1, 1])
  assert.equal((await counters(ws, 'tile')).impressions, 1)
})

test('events whose answer is lost on the way are stored once', async (t) => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo')
  const { hostname, port } = new URL(url)
  const proxy = await startTcpProxy(hostname, Number(port))
  t.after(() => proxy.close())
  let cutNext = false
  const client = clientOf(t, ws, {
    baseUrl: `http://127.0.0.1:${proxy.port}/sdk/v1`,
    random: () => 0,
    // The server has answered; the answer does not arrive.
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      if (!response.url.endsWith('/events') || !cutNext) return response
      cutNext = false
      throw new TypeError('connection lost')
    },
  })
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  await client.sync()
  const block = client.block('promo')
  assert.ok(block)
  cutNext = true
  client.impression(block)
  client.flush()
  await until('sent', () => client.pending() === 0)
  assert.equal(cutNext, false)
  proxy.cut()
  client.setScreen('other')
  client.impression(block)
  client.flush()
  await until('it failed', () => client.snapshot().status === 'offline' || client.pending() === 1)
  proxy.join()
  await until('sent', () => client.pending() === 0)
  const counted = await counters(ws, 'promo')
  assert.equal(counted.impressions, 2)
})

test('content that an event brings is asked for when the server says that it is ready, without a stream', async (t) => {
  const ws = await workspace()
  await ws.block('promo')
  const rules = [{ field: 'events.bought', operator: 'did', value: {} }]
  expectStatus(await ws.admin.post('/segments', { name: 'Buyers', logicalOperator: 'AND', rules }), 201)
  await ws.instance('promo', { values: { '#title': 'thanks' }, seg: 'Buyers' })
  await identify(ws.app, 'other', 'other')
  await until('the server knows the rule', async () => (await track(ws.app, 'other', [{ type: 'bought' }])).data.syncAfterMs !== undefined)
  const client = clientOf(t, ws, {
    stream: false,
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      // What happened is counted before its answer arrives.
      if (response.url.endsWith('/events')) await rollUp(operator)
      if (response.status !== 200 || !response.url.includes('/sync')) return response
      // It does not come by polling.
      const { data, ...rest } = await response.json()
      const { status, headers } = response
      return new Response(JSON.stringify({ ...rest, data: { ...data, config: { ...data.config, pollIntervalSeconds: 86_400 } } }), {
        status,
        headers: [...headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)),
      })
    },
  })
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  await client.sync()
  assert.deepEqual(titles(client), [])
  client.track('bought')
  client.flush()
  await until('the content for buyers', () => titles(client).join() === 'thanks')
})

test('C-ERASE-02 C-ERASE-03 C-ERASE-11 erase removes the person on the server and here, and a partial erasure is finished before anything is wiped', async (t) => {
  const ws = await workspace()
  const storage = memoryStorage()
  const client = clientOf(t, ws, { storage, random: () => 0 })
  client.start()
  await client.identify({ consent: true, userId: 'sara', traits: { plan: 'gold' } })
  await client.setChannels({ push: true })
  const { deviceId } = client.snapshot()
  t.after(() => fault('erase_part', false))
  await fault('erase_part', true)
  assert.deepEqual(await client.erase(), { status: 'pending' })
  assert.deepEqual([client.snapshot().deviceId, client.snapshot().userId], [deviceId, 'sara'])
  await fault('erase_part', false)
  const after = await seen(client, 'the erasure', (snapshot) => snapshot.deviceId !== deviceId)
  assert.deepEqual([after.userId, after.consent, after.channels], [undefined, 'unknown', {}])
  assert.equal((await ws.read.get('/read/users/sara/segments')).status, 404)
  assert.equal((await ws.read.get(`/read/devices/${deviceId}`)).status, 404)
  client.stop()
  const again = clientOf(t, ws, { storage })
  again.start()
  assert.deepEqual([again.snapshot().deviceId, again.snapshot().consent], [after.deviceId, 'unknown'])
})

test('C-STR-04 C-STR-21 C-STR-22 texts are filled in for the language delivered, and setLocale brings another', async (t) => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  await syncStrings(
    ws,
    {
      key: 'cart',
      sourceText: '{n, plural, one {# item} other {# items}}',
      values: { ar: '{n, plural, zero {لا شيء} one {واحد} two {اثنان} few {# قطع} many {# قطعة} other {# قطعة}}' },
    },
    { key: 'hi', sourceText: 'Hi {name}', values: { ar: 'أهلا {name}' } },
  )
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'Sale' }, translations: { ar: { '#title': 'تخفيضات' } } })
  const client = clientOf(t, ws, { locale: 'en' })
  client.start()
  await client.sync()
  assert.deepEqual(
    [client.t('cart', { n: 2 }), client.t('hi', { name: 'Sara' }), client.t('nothing'), titles(client), client.snapshot().direction],
    ['2 items', 'Hi Sara', 'nothing', ['Sale'], 'ltr'],
  )
  client.setLocale('ar-SA')
  assert.equal(client.t('cart', { n: 2 }), '2 items', 'what is there stays until the answer')
  const arabic = await seen(client, 'Arabic', (snapshot) => snapshot.strings?.locale === 'ar')
  await until('Arabic blocks', () => titles(client)[0] === 'تخفيضات')
  assert.deepEqual([client.t('cart', { n: 2 }), client.t('hi', { name: 'سارة' }), arabic.direction], ['اثنان', 'أهلا سارة', 'rtl'])
  assert.deepEqual((await client.locales()).map(({ code, rtl }) => [code, rtl]).toSorted(), [
    ['ar', true],
    ['en', false],
  ])
})

test('C-EVT-15 C-EVT-17 signals of texts are sent only of sensors', async (t) => {
  const ws = await workspace()
  await syncStrings(ws, { key: 'a', sourceText: 'A' }, { key: 'b', sourceText: 'B' })
  await setSensor(ws, 'a', true)
  const client = clientOf(t, ws)
  const dropped: unknown[] = []
  client.on('dropped', (reasons) => dropped.push(reasons))
  client.start()
  await client.identify({ consent: true })
  await client.sync()
  client.stringSeen('a')
  client.stringUsed('a')
  client.stringSeen('b')
  assert.equal(client.pending(), 2)
  client.flush()
  await until('sent', () => client.pending() === 0)
  assert.deepEqual(dropped, [])
  client.track({ type: 'string_impression', stringKey: 'b' })
  client.flush()
  await until('sent', () => dropped.length === 1)
  assert.deepEqual(dropped, [{ sensor_not_enabled: 1 }])
})

test('C-CONS-01 C-CONS-03 C-CONS-17 C-CONS-18 C-CONS-21 channel consent is given, kept, read back, and is another decision than analytics', async (t) => {
  const ws = await workspace()
  const client = clientOf(t, ws)
  client.start()
  await client.setChannels({ push: true, email: false })
  assert.deepEqual([client.snapshot().channels, client.snapshot().consent], [{ push: true, email: false }, 'unknown'])
  await client.setChannels({ sms: true })
  assert.deepEqual(client.snapshot().channels, { push: true, email: false, sms: true })
  const preset = await client.consentPreset('banking_ksa')
  assert.ok(preset.requiredConsents.length > 0 && preset.legalFramework.country === 'SA')
  const full = await client.setFullConsent({ preset: 'banking_ksa', channels: { marketing: false }, personalOptOut: true })
  assert.deepEqual(full.status === 'done' && full.data.personalOptOut, true)
  await assert.rejects(client.consentPreset('nope'), { status: 404 })
})

test('C-PUSH-01 C-PUSH-08 C-PUSH-19 C-PUSH-20 C-PUSH-23 C-PUSH-24 push tokens, preferences and topics', async (t) => {
  const ws = await workspace()
  const client = clientOf(t, ws)
  client.start()
  const linkage = async () => {
    const sent = await client.registerPush({ token: 'token-1', platform: 'web' })
    return sent.status === 'done' && sent.data.linkage.status
  }
  assert.equal(await linkage(), 'anonymous')
  await client.identify({ consent: true, userId: 'sara' })
  assert.equal(await linkage(), 'identified')
  const preferences = await client.setPushPreferences({ digest: 'daily', quietHours: { start: '22:00', end: '07:00' } })
  assert.deepEqual(preferences.status === 'done' && preferences.data.preferences?.digest, 'daily')
  assert.deepEqual(await client.subscribeTopic('news'), ['news'])
  assert.deepEqual(await client.pushTopics(), ['news'])
  assert.deepEqual(await client.unsubscribeTopic('news'), [])
  const removed = await client.unregisterPush()
  assert.deepEqual(removed.status === 'done' && removed.data.removed, true)
  await assert.rejects(client.registerPush({ token: '', platform: 'web' }), { status: 400 })
  assert.deepEqual(await client.locationOfAddress(), { country: null, region: null, city: null })
})

test('C-TRK-01 C-PROF-01 C-LOC-01 sign-ups, industry data and places go to their own routes', async (t) => {
  const ws = await workspace()
  const client = clientOf(t, ws)
  client.start()
  await assert.rejects(client.setIndustryData('retail', { tier: 'gold' }), { code: 'DEVICE_NOT_IDENTIFIED' })
  await client.identify({ consent: true, userId: 'sara' })
  assert.throws(() => client.track({ type: 'sign_in' }), TypeError)
  const signed = [await client.signedUp({ via: 'mail' }), await client.signedIn()]
  assert.deepEqual(
    signed.map((sent) => sent.status === 'done' && sent.data.accepted),
    [true, true],
  )
  assert.equal((await client.setIndustryData('retail', { tier: 'gold' })).status, 'done')
  const places = await client.trackLocation([
    { latitude: 24.7, longitude: 46.6 },
    { latitude: 24.8, longitude: 46.7 },
  ])
  assert.deepEqual(places.status === 'done' && places.data.accepted, 2)
})

test('C-AUTH-41 a key that is revoked while the client runs ends it for good', async (t) => {
  const ws = await workspace()
  const made = await ws.key('publishable', 'live')
  const client = clientOf(t, ws, { key: made.key })
  const codes: unknown[] = []
  client.on('rejected', ({ code }) => codes.push(code))
  client.start()
  await client.sync()
  expectStatus(await ws.admin.delete(`/settings/sdk-keys/${made.id}`), 200)
  await until('the end', () => client.snapshot().status === 'rejected')
  assert.deepEqual(codes, ['INVALID_SDK_KEY'])
})

test('C-SBX-03 the same storage with a key of the other environment is another device, and starts with content of its own', async (t) => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'test only' } }, { publish: 'test' })
  const storage = memoryStorage()
  const testing = clientOf(t, ws, { key: ws.test, storage })
  testing.start()
  await testing.identify({ consent: true, userId: 'sara' })
  await until('test content', () => titles(testing).length === 1)
  testing.stop()
  const client = clientOf(t, ws, { storage })
  client.start()
  const identified = await client.identify({ consent: true, userId: 'sara' })
  assert.equal(identified.status, 'done')
  const { environment, deviceId, userId } = await seen(
    client,
    'live content',
    ({ environment: name, blocks }) => name === 'live' && blocks.length === 0,
  )
  assert.deepEqual([environment, userId], ['live', 'sara'])
  assert.notEqual(deviceId, testing.snapshot().deviceId)
})
