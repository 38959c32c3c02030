import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, url } = await startApp()

const FIELDS = [{ id: 'f_title', tag: '#title', type: 'text' }]
const sync = (ws: Workspace, body: unknown) => ws.write.post('/cards/sync', body)
const declare = async (ws: Workspace, keys: string[], rest: object = {}) =>
  expectStatus(await sync(ws, { blocks: keys.map((key) => ({ key, fields: FIELDS })), ...rest }), 200).data
const active = async (ws: Workspace) => (await ws.admin.get('/blocks')).data.blocks.map(({ key }: any) => key)

/** A workspace with active types `a` and `b`, each with a published instance. */
async function shop() {
  const ws = await workspace()
  for (const key of ['a', 'b']) {
    await ws.block(key)
    await ws.instance(key, { values: { '#title': key } })
  }
  return ws
}

test('M-SYNC-01 M-REG-07 G-38 a manifest declares block types without an earlier register and reports what it did', async () => {
  const ws = await workspace()
  const answer = await sync(ws, { blocks: [{ key: 'a', fields: FIELDS }, { key: 'b' }] })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    success: true,
    data: { created: ['a', 'b'], updated: [], unchanged: [], archived: [], errors: [], instances: { created: 0, updated: 0 } },
  })
  const second = expectStatus(await sync(ws, { blocks: [{ key: 'a', fields: FIELDS }, { key: 'b', name: 'B' }, { key: 'c' }] }), 200).data
  assert.deepEqual([second.created, second.updated, second.unchanged, second.archived], [['c'], ['b'], ['a'], []])
})

test('M-SYNC-02 cards is another name for blocks', async () => {
  const ws = await shop()
  const report = expectStatus(await sync(ws, { cards: [{ key: 'a', fields: FIELDS }, { key: 'c' }] }), 200).data
  assert.deepEqual([report.created, report.archived], [['c'], ['b']])
  assert.deepEqual(await active(ws), ['a', 'c'])
})

test('M-SYNC-03 the route has the same effect under every root', async () => {
  for (const root of ['/api/v1', '/api/v1/sdk']) {
    const ws = await shop()
    const client = clientOf(url + root, { 'x-cf-write-key': ws.writeKey })
    const { data } = expectStatus(await client.post('/cards/sync', { blocks: [{ key: 'a', fields: FIELDS }] }), 200)
    assert.deepEqual(data.archived, ['b'])
    assert.equal((await ws.app.get('/blocks/b')).status, 404)
  }
})

test('M-SYNC-04 M-SYNC-05 A-32 what a manifest does not name is archived, whatever prune says', async () => {
  for (const rest of [{}, { prune: false }, { prune: true }, { prune: 'true' }]) {
    const ws = await shop()
    const report = await declare(ws, ['a'], rest)
    assert.deepEqual([report.archived, report.unchanged], [['b'], ['a']], JSON.stringify(rest))
    const gone = await ws.app.get('/blocks/b')
    assert.deepEqual([gone.status, gone.body], [404, { success: false, error: 'unknown block' }])
    assert.deepEqual(
      (await ws.blocks()).map(({ key }) => key),
      ['a'],
    )
    assert.deepEqual((await ws.app.get('/blocks/a')).data.values, { '#title': 'a' })
  }
})

test('M-SYNC-06 it archives types made by register, in the dashboard and by an earlier manifest alike', async () => {
  const ws = await workspace()
  await ws.block('registered')
  expectStatus(await ws.admin.post('/blocks', { key: 'by_hand' }), 201)
  assert.deepEqual((await declare(ws, ['declared'])).archived.sort(), ['by_hand', 'registered'])
  assert.deepEqual((await declare(ws, ['other'])).archived, ['declared'])
  assert.deepEqual(await active(ws), ['other'])
  assert.deepEqual((await ws.admin.get('/blocks?archived=true')).data.blocks.length, 3)
})

test('M-SYNC-07 M-SYNC-09 M-SYNC-10 A-30 A-31 an empty, malformed or wholly invalid manifest is refused and archives nothing', async () => {
  const ws = await shop()
  const { text } = await ws.app.get('/sync')
  const manifests = [
    {},
    { blocks: [] },
    { cards: [] },
    { blocks: [], prune: false },
    { blocks: [], prune: 'true' },
    { blocks: [], prune: 1 },
    { blocks: [], prune: null },
    { blocks: 'x' },
    { blocks: {} },
    { blocks: 5 },
    { cards: 'x' },
    { blocks: 'x', prune: true },
    { blocks: { a: {} }, prune: true },
    { blocks: null, prune: true },
    { cards: false, prune: true },
    { blocks: [{ key: 'Bad Key' }, { name: 'x' }, 'x'] },
    [],
    [{ key: 'a' }],
    'x',
    5,
  ]
  for (const manifest of manifests) {
    const answer = await sync(ws, manifest)
    assert.equal(answer.status, 400, JSON.stringify(manifest))
    assert.deepEqual([answer.body.success, answer.body.code, typeof answer.body.error], [false, undefined, 'string'])
  }
  assert.equal((await ws.write.post('/cards/sync')).status, 400, 'no body at all')
  assert.equal((await ws.app.get('/sync')).text, text)
  assert.deepEqual(await active(ws), ['a', 'b'])
})

test('M-SYNC-08 A-30 an empty or absent list with prune true archives every block type', async () => {
  for (const list of [{ blocks: [] }, { cards: [] }, {}]) {
    const ws = await shop()
    const report = expectStatus(await sync(ws, { ...list, prune: true }), 200).data
    assert.deepEqual(report.archived.sort(), ['a', 'b'])
    assert.deepEqual(await ws.blocks(), [])
    assert.deepEqual(await active(ws), [])
    assert.deepEqual(expectStatus(await sync(ws, { ...list, prune: true }), 200).data.archived, [])
  }
})

test('M-SYNC-11 M-SYNC-14 G-38 a faulty entry is reported with its place and the rest lands; nothing nested is read', async () => {
  const ws = await workspace()
  const report = expectStatus(
    await sync(ws, {
      blocks: [{ key: 'good' }, { key: 'Bad Key' }, { definition: { key: 'n' } }, 'x', { key: 'good', name: 'again' }, { key: 'also' }],
    }),
    200,
  ).data
  assert.deepEqual(report.created, ['good', 'also'])
  assert.deepEqual(
    report.errors.map(({ index, key }: any) => [index, key]),
    [
      [1, 'Bad Key'],
      [2, null],
      [3, null],
      [4, 'good'],
    ],
  )
  for (const { error } of report.errors) assert.ok(error.length > 0)
  assert.deepEqual(await active(ws), ['also', 'good'])
  assert.equal((await ws.app.get('/blocks/good')).data.visible, false)
  assert.equal((await ws.app.get('/blocks/n')).status, 404)
})

test('M-SYNC-12 a type that is named with bad fields is reported, not archived, and stays as it was', async () => {
  const ws = await shop()
  const before = (await ws.admin.get('/blocks/a')).data
  const report = expectStatus(
    await sync(ws, {
      blocks: [
        { key: 'a', fields: 'x' },
        { key: 'b', fields: FIELDS },
      ],
    }),
    200,
  ).data
  assert.deepEqual([report.archived, report.errors.map(({ index, key }: any) => [index, key])], [[], [[0, 'a']]])
  assert.deepEqual((await ws.admin.get('/blocks/a')).data, before)
  assert.deepEqual((await ws.app.get('/blocks/a')).data.values, { '#title': 'a' })
})

test('A-31 with prune true a wholly invalid manifest archives what it does not name', async () => {
  const ws = await shop()
  const report = expectStatus(await sync(ws, { blocks: [{ key: 'a', fields: 'x' }], prune: true }), 200).data
  assert.deepEqual([report.archived, report.errors.length], [['b'], 1])
  assert.deepEqual(await active(ws), ['a'])
})

test('M-SYNC-13 dryRun is ignored: the manifest is applied', async () => {
  const ws = await shop()
  const report = await declare(ws, ['a', 'c'], { dryRun: true })
  assert.deepEqual([report.created, report.archived], [['c'], ['b']])
  assert.deepEqual(await active(ws), ['a', 'c'])
})

test('M-SYNC-15 M-SYNC-16 an entry takes the members of register, and no blank instance is made', async () => {
  const ws = await workspace()
  const entry = {
    key: 'promo',
    name: 'Promo',
    screen: 'home',
    crumb: 'Home',
    fields: FIELDS,
    blank: { f_title: 'Hi' },
    inCampaigns: true,
    interruptive: true,
    designType: 'popup',
  }
  expectStatus(await sync(ws, { blocks: [{ ...entry, seedInstance: true }] }), 200)
  const stored = (await ws.admin.get('/blocks/promo')).data
  for (const [member, value] of Object.entries(entry)) assert.deepEqual(stored[member], value, member)
  assert.deepEqual((await ws.admin.get('/blocks/promo/instances')).data.instances, [])
  assert.deepEqual((await ws.app.get('/blocks/promo')).data, { key: 'promo', visible: false, version: '1' })
})

test('G-35 the design type chosen in the dashboard stays when a manifest or register does not name one', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/blocks', { key: 'promo', designType: 'hero' }), 201)
  assert.deepEqual(expectStatus(await sync(ws, { blocks: [{ key: 'promo' }] }), 200).data.unchanged, ['promo'])
  expectStatus(await ws.write.post('/cards/register', { key: 'promo', name: 'New' }), 201)
  assert.equal((await ws.admin.get('/blocks/promo')).data.designType, 'hero')
  expectStatus(await sync(ws, { blocks: [{ key: 'promo', designType: 'tile' }] }), 200)
  assert.equal((await ws.admin.get('/blocks/promo')).data.designType, 'tile')
  const report = expectStatus(await sync(ws, { blocks: [{ key: 'promo', designType: 'modal' }, { key: 'other' }] }), 200).data
  assert.deepEqual(
    report.errors.map(({ key }: any) => key),
    ['promo'],
  )
  assert.equal((await ws.write.post('/cards/register', { key: 'promo', designType: 'modal' })).status, 400)
})

test('M-SYNC-24 naming an archived type makes it active again with its published instances', async () => {
  const ws = await shop()
  const before = (await ws.app.get('/blocks/a')).data
  assert.deepEqual((await declare(ws, ['b'])).archived, ['a'])
  assert.deepEqual((await declare(ws, ['b'])).archived, [], 'what is archived already is not archived again')
  const report = await declare(ws, ['a', 'b'])
  assert.deepEqual([report.created, report.updated, report.unchanged], [[], ['a'], ['b']])
  assert.deepEqual((await ws.app.get('/blocks/a')).data, before)
})

test('M-SYNC-25 C-STREAM-08 archiving a type with something published signals the open streams', async () => {
  const ws = await shop()
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  await declare(ws, ['a'])
  assert.equal((await stream.next()).event, 'block.archived')
  assert.deepEqual(
    (await ws.blocks()).map(({ key }) => key),
    ['a'],
  )
  await declare(ws, ['a', 'b'])
  assert.equal((await stream.next()).event, 'block.published')
  stream.close()
})

test('two manifests at once never mix: one of them is the state in the end', async () => {
  const ws = await workspace()
  const manifests = [
    ['a', 'b', 'c'],
    ['c', 'd', 'e'],
    ['f', 'g'],
  ]
  for (const answer of await Promise.all([...manifests, ...manifests].map((keys) => sync(ws, { blocks: keys.map((key) => ({ key })) }))))
    expectStatus(answer, 200)
  assert.ok(manifests.map(String).includes(String(await active(ws))), String(await active(ws)))
})

test('a manifest of hundreds of types is taken whole, and the next one may drop them all but one', async () => {
  const ws = await workspace()
  const keys = Array.from({ length: 400 }, (_, i) => `type_${String(i).padStart(3, '0')}`)
  assert.equal((await declare(ws, keys)).created.length, 400)
  assert.equal((await declare(ws, keys)).unchanged.length, 400)
  assert.equal((await declare(ws, ['type_007'])).archived.length, 399)
  assert.deepEqual(await active(ws), ['type_007'])
})
