/** The client for tests of applications: what it shows and what it says of what was tracked. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { textOf } from '../../src/index.ts'
import { createTestClient, testBlock } from '../../src/testing/index.ts'

test('what the test gives is there at once, and so is every change of it', () => {
  const { client, setBlocks, setStrings, setFeatures } = createTestClient({
    blocks: [testBlock('hero', { '#title': 'Hello', '#price': 5 })],
    strings: { 'cart.items': '{n, plural, one {# item} other {# items}}' },
    features: { campaigns: false },
  })
  const hero = client.block('hero')
  assert.ok(hero)
  assert.deepEqual(
    [textOf(hero, '#title'), hero.fields, client.t('cart.items', { n: 3 }), client.snapshot().isReady],
    [
      'Hello',
      [
        { tag: '#title', type: 'text' },
        { tag: '#price', type: 'number' },
      ],
      '3 items',
      true,
    ],
  )
  client.start()
  assert.deepEqual([client.snapshot().status, client.snapshot().config?.features], ['ready', { campaigns: false }])
  let changes = 0
  client.subscribe(() => changes++)
  setBlocks([testBlock('hero', { '#title': 'Changed' }), testBlock('footer')])
  assert.deepEqual([client.blocks().length, changes, client.block('hero')?.values['#title']], [2, 1, 'Changed'])
  setStrings({ 'cart.items': '{n} عناصر' }, 'ar')
  assert.deepEqual([client.t('cart.items', { n: '2' }), client.snapshot().direction], ['2 عناصر', 'rtl'])
  setFeatures({ live_updates: false })
  assert.deepEqual(client.snapshot().config?.features, { campaigns: false, live_updates: false })
  client.stop()
})

test('starting changes nothing that is shown: no second drawing follows the first', async () => {
  const { client } = createTestClient({ blocks: [testBlock('hero')] })
  client.start()
  const shown = client.snapshot()
  await client.sync()
  assert.equal(client.snapshot(), shown)
  client.stop()
})

test('what the app tracks and writes is told, and nothing without consent', async () => {
  const { client, tracked, writes, clear } = createTestClient({ blocks: [testBlock('promo', { '#title': 'Sale' })], userId: 'sara' })
  client.start()
  const promo = client.block('promo')
  assert.ok(promo)
  client.setScreen('home')
  assert.equal(client.impression(promo), true)
  assert.equal(client.impression(promo), false)
  client.click(promo, { where: 'button' })
  client.track('video_play', { seconds: 12 })
  assert.deepEqual(
    tracked().map(({ type, blockKey, properties }) => [type, blockKey, properties]),
    [
      ['impression', 'promo', undefined],
      ['cta_click', 'promo', { where: 'button' }],
      ['video_play', undefined, { seconds: 12 }],
    ],
  )
  const sent = await client.setChannels({ push: true })
  assert.deepEqual([sent, client.snapshot().channels], [{ status: 'done', data: { channels: { push: true } } }, { push: true }])
  assert.deepEqual(writes(), [{ name: 'consent', body: { channels: { push: true } } }])
  clear()
  await client.identify({ consent: false })
  client.track('not_taken')
  assert.deepEqual([tracked(), client.snapshot().consent, client.snapshot().userId], [[], 'denied', undefined])
  client.stop()
})

test('somebody signs in and out: targeted blocks come and go', async () => {
  const blocks = [testBlock('all'), testBlock('gold', {}, { segment: 'Gold' })]
  const { client } = createTestClient({ blocks })
  const shown = () => client.blocks().map(({ key }) => key)
  client.start()
  assert.equal((await client.identify({ consent: true, userId: 'sara' })).status, 'done')
  assert.deepEqual([shown(), client.snapshot().userId], [['all', 'gold'], 'sara'])
  await client.logout()
  await client.sync()
  assert.deepEqual([shown(), client.snapshot().userId], [['all'], undefined])
  await client.identify({ consent: true, userId: 'adam' })
  await client.sync()
  assert.deepEqual(shown(), ['all', 'gold'])
  client.stop()
})

test('the server can be away, and other routes answer what the test says', async () => {
  const { client, setOffline } = createTestClient({
    campaigns: { home: [{ id: 'c1', name: 'Spring' } as never] },
    locales: [{ code: 'ar', name: 'Arabic', native: 'العربية', rtl: true, coverage: 100 }],
    respond: (method, path) => (`${method} ${path}` === 'GET /inbox' ? { items: [] } : undefined),
  })
  client.start()
  assert.deepEqual([(await client.campaigns('home')).length, (await client.campaigns('other')).length], [1, 0])
  assert.equal((await client.locales())[0]?.code, 'ar')
  assert.deepEqual((await client.request({ method: 'GET', path: '/inbox' }))['data'], { items: [] })
  await assert.rejects(client.request({ method: 'GET', path: '/nothing' }), { status: 404 })
  assert.deepEqual([await client.subscribeTopic('news'), await client.pushTopics()], [['news'], ['news']])
  setOffline(true)
  assert.equal(client.snapshot().status, 'offline')
  await assert.rejects(client.locales(), { code: 'NETWORK' })
  assert.equal((await client.setChannels({ push: true })).status, 'pending')
  setOffline(false)
  await client.sync()
  assert.equal(client.snapshot().status, 'ready')
  client.stop()
})

test('no timer is set and no global is asked: faked time and a world without fetch do no harm', async (t) => {
  const { fetch, setTimeout } = globalThis
  t.after(() => void Object.assign(globalThis, { fetch, setTimeout }))
  const refuse = mock.fn(() => {
    throw new Error('the client of a test asks for none')
  })
  Object.assign(globalThis, { fetch: refuse, setTimeout: refuse })
  const { client, tracked } = createTestClient()
  client.start()
  client.track('x')
  await client.identify({ consent: true, userId: 'sara' })
  client.stop()
  assert.deepEqual([refuse.mock.callCount(), tracked().length, client.pending()], [0, 1, 0])
})
