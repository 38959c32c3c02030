import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { clientOf, expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const titles = (blocks: any[]) => blocks.map((block) => block.values['#title'])

test('C-SYNC-06 C-SYNC-10 C-SYNC-12 all instances of one type arrive without a device header, with values by tag', async () => {
  const ws = await workspace()
  await ws.block('promo', {
    fields: [
      { id: 'f_title', tag: '#title', type: 'text' },
      { id: 'f_price', tag: '#price', type: 'number' },
    ],
  })
  for (const title of ['a', 'b', 'c']) await ws.instance('promo', { values: { '#title': title, '#price': 1 } })
  const blocks = await ws.blocks()
  assert.deepEqual(
    blocks.map((block) => block.key),
    ['promo', 'promo', 'promo'],
  )
  assert.equal(new Set(blocks.map((block) => block.instanceId)).size, 3)
  for (const block of blocks) assert.deepEqual(Object.keys(block.values).sort(), ['#price', '#title'])
})

test('C-SYNC-11 entries of one key come highest priority first, equal ones by earlier publication', async () => {
  const ws = await workspace()
  await ws.block('promo')
  for (const [title, priority] of [
    ['one', 1],
    ['nine', 9],
    ['five', 5],
  ] as const)
    await ws.instance('promo', { priority, values: { '#title': title } })
  const late = await ws.instance('promo', { priority: 9, values: { '#title': 'made first' } }, { publish: false })
  await ws.instance('promo', { priority: 9, values: { '#title': 'published first' } })
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${late.id}/publish`), 200)
  await ws.instance('promo', { priority: -3, values: { '#title': 'below zero' } })
  assert.deepEqual(titles(await ws.blocks()), ['nine', 'published first', 'made first', 'five', 'one', 'below zero'])
})

test('C-SYNC-15 C-SYNC-16 a live key sees live content only, a test key sees both, and a draft reaches neither', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'live' } })
  await ws.instance('promo', { values: { '#title': 'test' } }, { publish: 'test' })
  await ws.instance('promo', { values: { '#title': 'draft' } }, { publish: false })
  assert.deepEqual(titles(await ws.blocks()), ['live'])
  assert.deepEqual(titles(await ws.blocks(undefined, { key: ws.test })).sort(), ['live', 'test'])
})

test('an instance published to live and to test appears once to a test key, and leaves live alone on request', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'both' } })
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/publish`, { target: 'test' }), 200)
  assert.equal((await ws.blocks(undefined, { key: ws.test })).length, 1)
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/unpublish`, { target: 'live' }), 200)
  assert.deepEqual(await ws.blocks(), [])
  assert.deepEqual(titles(await ws.blocks(undefined, { key: ws.test })), ['both'])
})

test('C-SYNC-04 C-SYNC-09 an edit of a published instance is delivered at once, and deleting it takes it away', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'before' } })
  const before = await ws.app.get('/sync')
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'after' } }), 200)
  const after = await ws.app.get('/sync', { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
  assert.equal(after.status, 200)
  assert.deepEqual(titles(after.data.blocks), ['after'])
  assert.ok(after.data.blocks[0].version > before.data.blocks[0].version)
  expectStatus(await ws.admin.delete(`/blocks/promo/instances/${id}`), 200)
  assert.deepEqual(await ws.blocks(), [])
})

test('C-SYNC-21 a manifest that leaves a type out takes its instances out of the answer, and naming it again brings them back', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.block('hero')
  await ws.instance('promo', { values: { '#title': 'kept in store' } })
  await ws.instance('hero', { values: { '#title': 'stays' } })
  const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
  expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'hero', fields }] }), 200)
  assert.deepEqual(titles(await ws.blocks()), ['stays'])
  assert.equal((await ws.app.get('/blocks/promo')).status, 404)
  expectStatus(
    await ws.write.post('/cards/sync', {
      blocks: [
        { key: 'hero', fields },
        { key: 'promo', fields },
      ],
    }),
    200,
  )
  assert.deepEqual(titles(await ws.blocks()).sort(), ['kept in store', 'stays'])
})

test('C-SYNC-22 an unknown, empty or over-long device id reads the untargeted content', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'for all' } })
  const plain = await ws.app.get('/sync')
  for (const device of [
    randomUUID(),
    '',
    ' ',
    'x'.repeat(128),
    'x'.repeat(5_000),
    "' or 1=1 --",
    '__proto__',
    '../../etc',
    '\u00e9\u00ff',
  ]) {
    const answer = await ws.app.get('/sync', { headers: { 'x-cf-device': device } })
    assert.equal(answer.status, 200, device)
    assert.equal(answer.text, plain.text, device)
  }
})

test('every answer is one JSON text, whatever JavaScript name a field carries', async () => {
  const ws = await workspace()
  for (const tag of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
    const fields = [
      { tag, type: 'select', options: ['a'] },
      { tag: '#x', type: 'a_type_of_tomorrow', id: `${tag}2` },
    ]
    await ws.block(`type_${tag.toLowerCase()}`, { fields })
    await ws.instance(`type_${tag.toLowerCase()}`)
  }
  const answer = await ws.app.get('/sync')
  assert.equal(answer.data.blocks.length, 4)
  for (const block of answer.data.blocks) assert.deepEqual(block.values, {})
})

test('X-INT-02 with a retired test environment a test key gets exactly the live content', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'live' } })
  await ws.instance('promo', { values: { '#title': 'test' } }, { publish: 'test' })
  assert.equal((await ws.blocks(undefined, { key: ws.test })).length, 2)
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  const live = await ws.app.get('/sync')
  const retired = await ws.testApp.get('/sync')
  assert.equal(retired.status, 200)
  assert.deepEqual(retired.data.blocks, live.data.blocks)
  assert.deepEqual(titles(retired.data.blocks), ['live'])
  assert.equal(retired.headers.get('x-cf-env'), 'test')
  assert.equal((await ws.testApp.get('/blocks/promo')).data.instances.length, 1)
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: false }), 200)
  assert.equal((await ws.blocks(undefined, { key: ws.test })).length, 2)
})

test('C-SYNC-05 C-SYNC-14 with a retired test environment live and test calls of one device keep their own ETags', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'live' } })
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  const device = { 'x-cf-device': randomUUID() }
  const etags: (string | null)[] = []
  for (const client of [ws.testApp, ws.app, ws.testApp, ws.app, ws.testApp])
    etags.push((await client.get('/sync', { headers: device })).headers.get('etag'))
  assert.deepEqual(etags, [etags[0], etags[1], etags[0], etags[1], etags[0]])
  assert.notEqual(etags[0], etags[1])
})

test('C-SYNC-07 C-SYNC-23 locale is taken from the query and config has the ten switches with the poll interval', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'Sale' }, translations: { ar: { '#title': 'تخفيضات' } } })
  assert.deepEqual(titles(await ws.blocks(undefined, { locale: 'ar' })), ['تخفيضات'])
  const { config } = (await ws.app.get('/sync')).data
  const names = ['analyticsEvents', 'campaigns', 'contentSync', 'frequency_caps', 'geofences', 'live_updates', 'location', 'profileUpdates']
  assert.deepEqual(Object.keys(config.features).sort(), [...names, 'pushPreferences', 'strings'].sort())
  for (const value of Object.values(config.features)) assert.equal(typeof value, 'boolean')
  assert.equal(config.pollIntervalSeconds, 30)
  assert.deepEqual(config.popupDefaultFrequency, { per: 'day', max: 1 })
})

test('C-SYNC-02 C-SYNC-03 C-BLK-12 C-BLK-13 a list and a single block have an ETag and answer 304 to it, under both roots', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'x' } })
  const older = clientOf(`${url}/api/v1/sdk`, { 'x-cf-key': ws.live })
  for (const path of ['/sync', '/blocks/promo']) {
    const first = await ws.app.get(path)
    assert.equal((await older.get(path)).text, first.text)
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^"[^"]+"$/)
    for (const client of [ws.app, older]) {
      const same = await client.get(path, { headers: { 'if-none-match': etag } })
      assert.deepEqual([same.status, same.text, same.headers.get('etag'), same.headers.get('x-cf-env')], [304, '', etag, 'live'])
    }
  }
})
