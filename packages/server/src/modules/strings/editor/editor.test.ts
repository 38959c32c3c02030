import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addLocales, catalog, pathOf, save, setSensor, sync } from '../../../../test/builders/strings.ts'
import { openStream } from '../../../../test/harness/streams.ts'
import { hashTables } from '../../../../test/harness/tables.ts'

const { ctx, workspace, url } = await startApp()

async function shop(...locales: string[]): Promise<Workspace> {
  const ws = await workspace()
  await addLocales(ws, ...locales)
  return ws
}

const statusOf = async ({ admin }: Workspace, key: string, locale = 'ar') =>
  expectStatus(await admin.get(pathOf(key)), 200).data.translations[locale].status

/** Sends it, and expects this refusal and no changed row. */
async function refused(send: () => Promise<{ status: number; body: any }>, status: number, code?: string): Promise<void> {
  const before = await hashTables(ctx.db)
  const { status: answered, body } = await send()
  assert.deepEqual([answered, body.code], [status, code], body.error)
  assert.equal(await hashTables(ctx.db), before)
}

test('C-STR-36 approving delivers what was in review, and what was missing when its text is sent', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'review', sourceText: 'R' }, { key: 'missing', sourceText: 'M' })
  await save(ws, 'review', 'ar', 'ar review')
  const approve = (key: string, body: object = {}) => ws.admin.post(`${pathOf(key)}/translations/ar/approve`, body)
  await refused(() => approve('missing'), 409)
  await refused(() => approve('missing', { text: '' }), 400)
  await refused(() => approve('missing', { text: 7 }), 400)
  assert.deepEqual(expectStatus(await approve('review'), 200).data, { key: 'review', locale: 'ar', text: 'ar review', status: 'ok' })
  expectStatus(await approve('missing', { text: 'ar missing' }), 200)
  const { strings, withheldKeys } = await catalog(ws, 'ar')
  assert.deepEqual([strings, withheldKeys], [{ missing: 'ar missing', review: 'ar review' }, []])
  const before = await hashTables(ctx.db)
  expectStatus(await approve('review'), 200)
  assert.equal(await hashTables(ctx.db), before, 'once more writes nothing')
  expectStatus(await approve('review', { text: 'better' }), 200)
  assert.equal((await catalog(ws, 'ar')).strings.review, 'better')
})

test('C-STR-39 M-STRS-15 another source text in the editor sends the translations to review; the same one does not', async () => {
  const ws = await shop('ar', 'fr')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar', fr: 'fr' } })
  expectStatus(await ws.admin.put('/strings/a', { sourceText: 'A', description: 'for you' }), 200)
  assert.equal(await statusOf(ws, 'a'), 'ok')
  expectStatus(await ws.admin.put('/strings/a', { sourceText: 'A2' }), 200)
  for (const locale of ['ar', 'fr']) {
    const { strings, withheldKeys } = await catalog(ws, locale)
    assert.deepEqual([strings, withheldKeys], [{ a: 'A2' }, ['a']])
  }
})

test('C-STR-40 C-STR-44 saving sends to review whatever was there, and a status is ok, review or missing', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A' })
  const seen = [await statusOf(ws, 'a')]
  const steps = [
    () => ws.admin.put('/strings/a/translations/ar', { text: 'x' }),
    () => ws.admin.post('/strings/a/translations/ar/approve', {}),
    () => ws.admin.put('/strings/a/translations/AR', { text: 'x' }),
    () => ws.admin.delete('/strings/a/translations/ar'),
  ]
  for (const step of steps) {
    expectStatus(await step(), 200)
    seen.push(await statusOf(ws, 'a'))
  }
  assert.deepEqual(seen, ['missing', 'review', 'ok', 'review', 'missing'])
  assert.deepEqual((await catalog(ws, 'ar')).strings, { a: 'A' })
})

test('G-39 the list shows strings with every locale, and pages by key', async () => {
  const ws = await shop('ar', 'fr')
  await sync(ws, { key: 'b', sourceText: 'B', description: 'd', namespace: 'shop', values: { ar: 'ar b' } }, { key: 'a', sourceText: 'A' })
  const { body } = expectStatus(await ws.admin.get('/strings?limit=1'), 200)
  assert.deepEqual([body.data.strings.map(({ key }: any) => key), body.metadata.total], [['a'], 2])
  const next = expectStatus(await ws.admin.get(`/strings?limit=1&cursor=${body.metadata.nextCursor}`), 200)
  assert.equal(next.body.metadata.nextCursor, null)
  const { createdAt, updatedAt, translations, etag, ...rest } = next.data.strings[0]
  assert.match(etag, /^"[\w-]{22}"$/)
  assert.deepEqual(rest, { key: 'b', namespace: 'shop', description: 'd', sourceText: 'B', hidden: false, sensor: false })
  assert.ok(createdAt <= updatedAt)
  assert.deepEqual(
    Object.entries(translations).map(([locale, { text, status }]: any) => [locale, text, status]),
    [
      ['ar', 'ar b', 'ok'],
      ['fr', null, 'missing'],
    ],
  )
  assert.deepEqual(expectStatus(await ws.admin.get('/strings/b'), 200).data, next.data.strings[0])
  await refused(() => ws.admin.get('/strings/nope'), 404, 'UNKNOWN_STRING')
})

test('G-39 filters: namespace, locale, status, text, sensor, hidden', async () => {
  const ws = await shop('ar', 'fr')
  await sync(
    ws,
    { key: 'ok', sourceText: 'Welcome', values: { ar: 'أهلا', fr: 'Bienvenue' } },
    { key: 'review', sourceText: 'Bye', namespace: 'shop', description: 'On LEAVING' },
    { key: 'missing', sourceText: '100%_x' },
  )
  await save(ws, 'review', 'ar', 'وداعا')
  await setSensor(ws, 'ok', true)
  expectStatus(await ws.admin.put('/strings/missing', { hidden: true }), 200)
  const list = async (query: string) => {
    const { data, body } = expectStatus(await ws.admin.get(`/strings?${query}`), 200)
    assert.equal(body.metadata.total, data.strings.length)
    return data.strings.map(({ key }: any) => key).join(' ')
  }
  for (const [query, keys] of [
    ['', 'missing ok review'],
    ['namespace=shop', 'review'],
    ['namespace=none', ''],
    ['locale=ar&status=ok', 'ok'],
    ['locale=AR&status=review', 'review'],
    ['locale=ar&status=missing', 'missing'],
    ['locale=fr&status=missing', 'missing review'],
    ['status=missing', 'missing review'],
    ['status=review', 'review'],
    ['locale=en&status=ok', 'missing ok review'],
    ['locale=en&status=missing', ''],
    ['q=WELCOME', 'ok'],
    ['q=leaving', 'review'],
    ['q=BIENV', 'ok'],
    [`q=${encodeURIComponent('وداعا')}`, 'review'],
    [`q=${encodeURIComponent('%_')}`, 'missing'],
    ['sensor=true', 'ok'],
    ['sensor=false', 'missing review'],
    ['hidden=true', 'missing'],
    ['hidden=false&namespace=app&status=ok', 'ok'],
  ] as const)
    assert.equal(await list(query), keys, query)
  assert.deepEqual(Object.keys((await ws.admin.get('/strings?locale=ar')).data.strings[0].translations), ['ar'])
  for (const query of ['locale=de', 'status=bad', 'limit=0', 'limit=201', 'sensor=x'])
    assert.equal((await ws.admin.get(`/strings?${query}`)).status, 400, query)
  assert.deepEqual((await ws.admin.get('/strings/namespaces')).data.namespaces, [
    { namespace: 'app', strings: 2 },
    { namespace: 'shop', strings: 1 },
  ])
  const first = await ws.admin.get('/strings/namespaces?limit=1')
  const { body } = await ws.admin.get(`/strings/namespaces?limit=1&cursor=${first.body.metadata.nextCursor}`)
  assert.deepEqual([body.data.namespaces[0].namespace, body.metadata], ['shop', { total: 2, nextCursor: null }])
})

test('G-39 a string made by hand; its key is taken then', async () => {
  const ws = await shop('ar')
  const { data } = expectStatus(await ws.admin.post('/strings', { key: 'a', sourceText: 'A' }), 201)
  assert.deepEqual([data.key, data.namespace, data.translations.ar.status], ['a', 'app', 'missing'])
  assert.deepEqual((await catalog(ws)).strings, { a: 'A' })
  await refused(() => ws.admin.post('/strings', { key: 'a', sourceText: 'B' }), 409, 'STRING_EXISTS')
  for (const body of [
    {},
    [],
    { key: 'b' },
    { key: '', sourceText: 'B' },
    { key: 'x'.repeat(201), sourceText: 'B' },
    { key: 'b', sourceText: '' },
    { key: 'b', sourceText: 'B', namespace: '' },
    { key: 'b', sourceText: 'B', namespace: 'x'.repeat(101) },
    { key: 'b', sourceText: 'B', description: 'x'.repeat(501) },
    { key: 'b', sourceText: 'B', description: null },
  ])
    await refused(() => ws.admin.post('/strings', body), 400)
})

test('G-39 G-04 refusals in their order: role, key, locale, body', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A' })
  const viewer = await ws.viewer()
  const writes = (client: Client, key: string, body: object) =>
    [
      () => client.put(`/strings/${key}`, body),
      () => client.put(`/strings/${key}/translations/ar`, body),
      () => client.post(`/strings/${key}/translations/ar/approve`, body),
      () => client.put(`/strings/${key}/sensor`, body),
    ] as const
  const bad = { sourceText: 7, text: 7, enabled: 'x' }
  for (const send of writes(viewer, 'nope', bad)) await refused(send, 403, 'ROLE_REQUIRED')
  await refused(() => viewer.post('/strings', { key: 'b', sourceText: 'B' }), 403, 'ROLE_REQUIRED')
  for (const send of writes(ws.admin, 'nope', bad)) await refused(send, 404, 'UNKNOWN_STRING')
  for (const send of writes(await ws.editor(), 'a', bad)) await refused(send, 400)
  for (const body of [{ text: '' }, {}, { text: null }, { text: 'x'.repeat(20_001) }])
    await refused(() => ws.admin.put('/strings/a/translations/ar', body), 400)
  for (const body of [{ hidden: 1 }, { namespace: '' }, { sourceText: '' }, { description: 'x'.repeat(501) }, []])
    await refused(() => ws.admin.put('/strings/a', body), 400)
  await refused(() => ws.admin.put('/strings/a/translations/de', { text: 'x' }), 404)
  await refused(() => ws.admin.put('/strings/a/translations/en', { text: 'x' }), 409, 'SOURCE_LANGUAGE')
  await refused(() => ws.admin.delete('/strings/a/translations/ar'), 404)
})

test('G-39 many translations are approved at once, and the answer says which were not', async () => {
  const ws = await shop('ar')
  await sync(ws, ...['r1', 'r2', 'ok', 'none'].map((key) => ({ key, sourceText: key, ...(key === 'ok' && { values: { ar: 'ar' } }) })))
  for (const key of ['r1', 'r2']) await save(ws, key, 'ar', `ar ${key}`)
  const { data } = expectStatus(
    await ws.admin.post('/strings/approve', { locale: 'AR', keys: ['r2', 'r1', 'r1', 'ok', 'none', 'nope'] }),
    200,
  )
  assert.deepEqual(data, { approved: ['r2', 'r1'], alreadyApproved: ['ok'], missing: ['none'], unknown: ['nope'], mismatched: [] })
  assert.deepEqual((await catalog(ws, 'ar')).strings, { none: 'none', ok: 'ar', r1: 'ar r1', r2: 'ar r2' })
  for (const body of [{}, [], { locale: 'ar' }, { locale: 'ar', keys: [] }, { locale: 7, keys: ['a'] }, { locale: 'ar', keys: [7] }])
    await refused(() => ws.admin.post('/strings/approve', body), 400)
})

test('C-STREAM-11 C-STREAM-12 changes of strings, sensors and locales send no event; the next fetch has them', async () => {
  const ws = await shop('ar')
  const stream = await openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live })
  await stream.until('the greeting', () => stream.comments.length > 0)
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar' } })
  await setSensor(ws, 'a', true)
  await addLocales(ws, 'fr')
  expectStatus(await ws.admin.put('/settings/source-locale', { code: 'fr' }), 200)
  expectStatus(await ws.write.post('/strings/disable', { keys: ['a'] }), 200)
  assert.deepEqual((await catalog(ws, 'ar')).strings, { a: 'ar' })
  await ws.block('promo')
  await ws.instance('promo')
  assert.equal((await stream.next()).event, 'block.published', 'the first it hears of')
  stream.close()
})
