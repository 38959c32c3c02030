import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { insertDevice } from '../../../../test/builders/devices.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, ctx, url } = await startApp()

const FIELDS = [
  { id: 'f_title', tag: '#title', type: 'text', maxLength: 10 },
  { id: 'f_link', tag: '#link', type: 'url' },
  { id: 'f_size', tag: '#size', type: 'select', options: ['S', 'L'] },
]
const path = (id: string, key = 'promo') => `/blocks/${key}/instances/${id}`
const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(path(id)), 200).data
const goldDevice = (ws: Workspace) => insertDevice(ctx, ws.id, randomUUID(), { segments: ['Gold'] })

async function shop() {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  return ws
}

test('G-36 a made instance is a draft with the whole resource, and reads back the same', async () => {
  const ws = await shop()
  const body = {
    title: 'Winter',
    externalId: 'w-1',
    values: { '#title': 'Hi', '#link': '/x' },
    seg: 'Gold',
    priority: 5,
    schedule: { startTime: '2026-03-01T09:00:00+04:00', endTime: '2026-04-01' },
    variants: [{ id: 'v', weight: 2, values: { '#title': 'V' }, translations: { ar: { '#title': 'ع' } } }],
    translations: { ar: { '#title': 'عرض' } },
    frequency: { per: 'week', max: 3 },
  }
  const answer = expectStatus(await ws.admin.post('/blocks/promo/instances', body), 201)
  const { id, createdAt, updatedAt, ...rest } = answer.data
  assert.deepEqual(rest, {
    ...body,
    blockKey: 'promo',
    status: 'draft',
    targets: [],
    version: 1,
    head: 1,
    live: null,
    test: null,
    schedule: { startTime: '2026-03-01T05:00:00.000Z', endTime: '2026-04-02T00:00:00.000Z' },
    warnings: [{ code: 'unknown_segment', segment: 'Gold' }],
  })
  assert.equal(typeof id, 'string')
  for (const time of [createdAt, updatedAt]) assert.equal(new Date(time).toISOString(), time)
  assert.deepEqual(await read(ws, id), answer.data)
  const plain = expectStatus(await ws.admin.post('/blocks/promo/instances'), 201).data
  assert.deepEqual(
    [
      plain.title,
      plain.externalId,
      plain.values,
      plain.seg,
      plain.priority,
      plain.schedule,
      plain.variants,
      plain.translations,
      plain.frequency,
    ],
    ['', null, {}, null, 0, null, [], {}, null],
  )
})

test('M-INST-01 a partial body changes what it names and leaves the rest', async () => {
  const ws = await shop()
  const before = await ws.instance(
    'promo',
    { values: { '#title': 'Hi', '#link': '/x' }, seg: 'Gold', priority: 2, externalId: 'e' },
    { publish: false },
  )
  const answer = expectStatus(await ws.admin.put(path(before.id), { title: 'T' }), 200)
  const { title, version, head, updatedAt, ...rest } = answer.data
  const { title: _title, version: _version, head: _head, updatedAt: _updatedAt, ...others } = before
  assert.deepEqual([title, version, head, rest], ['T', 2, 2, others])
  assert.ok(updatedAt >= before.updatedAt)
  assert.deepEqual(await read(ws, before.id), answer.data)
  const unchanged = expectStatus(await ws.admin.put(path(before.id), {}), 200).data
  assert.deepEqual(unchanged, answer.data)
})

test('G-36 values and translations are merged tag by tag, and null clears one', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', {
    values: { '#title': 'Hi', '#link': '/x' },
    translations: { ar: { '#title': 'ع', '#link': '/ar' } },
  })
  const put = async (body: object) => expectStatus(await ws.admin.put(path(id), body), 200).data
  assert.deepEqual((await put({ values: { '#link': null } })).values, { '#title': 'Hi' })
  assert.deepEqual((await put({ values: { '#size': 'S' } })).values, { '#title': 'Hi', '#size': 'S' })
  assert.deepEqual((await put({ values: { '#size': '' } })).values, { '#title': 'Hi' })
  assert.deepEqual((await put({ translations: { fr: { '#title': 'F' } } })).translations, {
    ar: { '#title': 'ع', '#link': '/ar' },
    fr: { '#title': 'F' },
  })
  assert.deepEqual((await put({ translations: { fr: null, ar: { '#link': null } } })).translations, { ar: { '#title': 'ع' } })
  assert.deepEqual((await ws.blocks(undefined, { locale: 'ar' }))[0].values, { '#title': 'ع' })
})

test('M-INST-02 M-INST-03 M-INST-04 seg sets the target, null or an empty text clears it, and leaving it out keeps it', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { values: { '#title': 'Hi' } })
  const gold = await goldDevice(ws)
  const seenBy = async (device?: string) => (await ws.blocks(device)).map(({ segment }) => segment)
  for (const clear of [null, '']) {
    assert.equal(expectStatus(await ws.admin.put(path(id), { seg: 'Gold' }), 200).data.seg, 'Gold')
    assert.deepEqual([await seenBy(), await seenBy(randomUUID()), await seenBy(gold)], [[], [], ['Gold']])
    assert.equal(expectStatus(await ws.admin.put(path(id), { title: 'x' }), 200).data.seg, 'Gold')
    assert.deepEqual([await seenBy(), await seenBy(gold)], [[], ['Gold']])
    assert.equal(expectStatus(await ws.admin.put(path(id), { seg: clear }), 200).data.seg, null)
    assert.deepEqual([await seenBy(), await seenBy(gold)], [[undefined], [undefined]])
  }
  for (const seg of [5, true, ['Gold'], {}]) assert.equal((await ws.admin.put(path(id), { seg })).status, 400)
})

test('M-INST-05 a body with a name is refused and changes nothing', async () => {
  const ws = await shop()
  const made = await ws.instance('promo', { title: 'T' }, { publish: false })
  for (const body of [{ name: 'x' }, { name: 'x', title: 'y' }, { name: null }, { name: '' }]) {
    const answer = await ws.admin.put(path(made.id), body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.deepEqual([answer.body.success, answer.body.code], [false, undefined])
    assert.equal((await ws.admin.post('/blocks/promo/instances', body)).status, 400)
  }
  assert.deepEqual(await read(ws, made.id), made)
  assert.equal((await ws.admin.get('/blocks/promo/instances')).data.instances.length, 1)
})

test('M-INST-06 M-INST-09 an unknown block type, an unknown instance and one of another type are not found, whatever the body', async () => {
  const ws = await shop()
  await ws.block('other')
  const { id } = await ws.instance('promo', { title: 'T' })
  const elsewhere = await shop()
  const foreign = await elsewhere.instance('promo')
  for (const place of [path(id, 'nope'), path(id, 'other'), path('nope'), path(randomUUID()), path(foreign.id)]) {
    for (const answer of [
      await ws.admin.get(place),
      await ws.admin.put(place, { title: 'x' }),
      await ws.admin.put(place, { name: 'x' }),
      await ws.admin.put(place, []),
      await ws.admin.post(`${place}/publish`),
      await ws.admin.post(`${place}/publish`, { target: 'x' }),
      await ws.admin.post(`${place}/unpublish`),
      await ws.admin.get(`${place}/revisions`),
      await ws.admin.post(`${place}/revisions/1/rollback`),
      await ws.admin.delete(place),
    ]) {
      assert.equal(answer.status, 404, `${place}: ${answer.text}`)
      assert.deepEqual([answer.body.success, answer.body.code], [false, undefined])
    }
  }
  assert.equal((await ws.admin.get('/blocks/nope/instances')).status, 404)
  assert.equal((await ws.admin.post('/blocks/nope/instances', { name: 'x' })).status, 404)
  assert.equal((await read(ws, id)).title, 'T')
})

test('M-INST-07 G-36 what the rules of a field refuse is refused on save, in values, variants and translations, and nothing is stored', async () => {
  const ws = await shop()
  const made = await ws.instance('promo', { values: { '#title': 'Hi' } })
  const { text } = await ws.app.get('/sync')
  const faulty = [
    { '#link': 'javascript:alert(1)' },
    { '#link': 'data:text/html,x' },
    { '#size': 'M' },
    { '#title': 'x'.repeat(11) },
    { '#title': 5 },
    { '#nope': 'x' },
  ]
  for (const values of faulty) {
    for (const body of [
      { title: 'x', values },
      { title: 'x', translations: { ar: values } },
      { title: 'x', variants: [{ id: 'v', weight: 1, values }] },
      { title: 'x', variants: [{ id: 'v', weight: 1, values: {}, translations: { ar: values } }] },
    ]) {
      for (const answer of [await ws.admin.put(path(made.id), body), await ws.admin.post('/blocks/promo/instances', body)]) {
        assert.equal(answer.status, 400, JSON.stringify(body))
        assert.equal(answer.body.code, undefined)
      }
    }
  }
  for (const body of [
    { values: 'x' },
    { values: null },
    { translations: { 'not a locale': {} } },
    { variants: [{ id: 'v', weight: -1 }] },
    { variants: 'x' },
    { schedule: { startTime: 'soon' } },
    { schedule: { startTime: '2026-02-30' } },
    { schedule: { startTime: '2026-03-02', endTime: '2026-03-01' } },
    { frequency: { per: 'hour', max: 1 } },
    { priority: 1.5 },
    { title: 5 },
  ])
    assert.equal((await ws.admin.put(path(made.id), body)).status, 400, JSON.stringify(body))
  assert.deepEqual(await read(ws, made.id), made)
  assert.equal((await ws.app.get('/sync')).text, text)
})

test('M-INST-08 C-STREAM-06 editing a published instance signals block.updated, and editing a draft signals nothing', async () => {
  const ws = await shop()
  const draft = await ws.instance('promo', {}, { publish: false })
  const { id } = await ws.instance('promo', { values: { '#title': 'Hi' } })
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  expectStatus(await ws.admin.put(path(draft.id), { title: 'x' }), 200)
  expectStatus(await ws.admin.put(path(id), {}), 200)
  expectStatus(await ws.admin.put(path(id), { values: { '#title': 'New' } }), 200)
  const signal = await stream.next()
  assert.equal(signal.event, 'block.updated')
  assert.deepEqual((await ws.blocks())[0].values, { '#title': 'New' })
  assert.equal(stream.events.length, 1)
  stream.close()
})

test('C-BLK-06 G-76 the version starts at 1 and grows with every change of a published instance', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { values: { '#title': 'Hi' } })
  assert.equal((await ws.blocks())[0].version, 1)
  for (const [i, title] of ['a', 'b'].entries()) {
    expectStatus(await ws.admin.put(path(id), { values: { '#title': title } }), 200)
    expectStatus(await ws.admin.post(`${path(id)}/publish`), 200)
    const [block] = await ws.blocks()
    assert.deepEqual([block.version, block.values], [2 + i, { '#title': title }])
  }
})

test('G-36 an externalId is taken once for a type', async () => {
  const ws = await shop()
  await ws.block('other')
  expectStatus(await ws.admin.post('/blocks/promo/instances', { externalId: 'e' }), 201)
  const answer = await ws.admin.post('/blocks/promo/instances', { externalId: 'e' })
  assert.deepEqual([answer.status, answer.body.success, answer.body.code], [409, false, undefined])
  expectStatus(await ws.admin.post('/blocks/other/instances', { externalId: 'e' }), 201)
  expectStatus(await ws.admin.post('/blocks/promo/instances', { externalId: null }), 201)
  for (const externalId of ['', 5, 'x'.repeat(201)])
    assert.equal((await ws.admin.post('/blocks/promo/instances', { externalId })).status, 400)
})

test('G-04 instances are listed in pages with their total, and found by a part of the title', async () => {
  const ws = await shop()
  for (const title of ['Winter sale', 'Spring sale', '100%', 'a_b']) await ws.instance('promo', { title }, { publish: false })
  const all = (await ws.admin.get('/blocks/promo/instances')).body
  assert.deepEqual([all.data.instances.length, all.metadata], [4, { total: 4, nextCursor: null }])
  const seen: string[] = []
  let cursor = ''
  for (const isLast of [false, true]) {
    const page = expectStatus(await ws.admin.get(`/blocks/promo/instances?limit=2${cursor}`), 200).body
    seen.push(...page.data.instances.map(({ title }: any) => title))
    assert.equal(page.metadata.total, 4)
    assert.equal(page.metadata.nextCursor === null, isLast)
    cursor = `&cursor=${page.metadata.nextCursor}`
  }
  assert.deepEqual(seen.sort(), ['100%', 'Spring sale', 'Winter sale', 'a_b'])
  for (const [search, titles] of [
    ['SALE', ['Spring sale', 'Winter sale']],
    ['%25', ['100%']],
    ['_', ['a_b']],
    ['nothing', []],
  ] as const) {
    const { body } = await ws.admin.get(`/blocks/promo/instances?search=${search}`)
    assert.deepEqual([body.data.instances.map(({ title }: any) => title).sort(), body.metadata.total], [titles, titles.length])
  }
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=1.5'])
    assert.equal((await ws.admin.get(`/blocks/promo/instances?${query}`)).status, 400, query)
})

test('G-36 a deleted instance is gone from the dashboard and from the answers', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo')
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  const { body } = expectStatus(await ws.admin.delete(path(id)), 200)
  assert.equal(body.success, true)
  assert.equal((await stream.next()).event, 'block.unpublished')
  assert.deepEqual(await ws.blocks(), [])
  assert.equal((await ws.app.get('/blocks/promo')).data.visible, false)
  for (const answer of [await ws.admin.get(path(id)), await ws.admin.delete(path(id))]) assert.equal(answer.status, 404)
  stream.close()
})

test('G-36 G-37 a viewer reads instances and changes none; an editor does both', async () => {
  const ws = await shop()
  const [viewer, editor] = [await ws.viewer(), await ws.editor()]
  const { id } = await ws.instance('promo', { title: 'T' })
  const calls: ['post' | 'put' | 'delete', string][] = [
    ['post', '/blocks/promo/instances'],
    ['put', path(id)],
    ['post', `${path(id)}/publish`],
    ['post', `${path(id)}/unpublish`],
    ['post', `${path(id)}/revisions/1/rollback`],
    ['delete', path(id)],
  ]
  for (const place of ['/blocks/promo/instances', path(id), `${path(id)}/revisions`]) expectStatus(await viewer.get(place), 200)
  for (const [method, place] of calls) {
    const refused = await viewer[method](place, method === 'delete' ? undefined : {})
    assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'], place)
    const done = await editor[method](place, method === 'delete' ? undefined : {})
    assert.ok(done.status === 200 || done.status === 201, `${place}: ${done.text}`)
  }
})
