import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx } = await startApp()

type Row = { key: string; sourceText?: string; values?: Record<string, string>; namespace?: string }

async function workspaceWith(...strings: Row[]): Promise<Workspace> {
  const ws = await workspace()
  for (const code of ['ar', 'fr']) expectStatus(await ws.admin.post('/locales', { code }), 201)
  if (strings.length > 0) expectStatus(await ws.write.post('/strings/sync', { strings }), 200)
  return ws
}

const draft = async (ws: Workspace, key: string, locale = 'ar') =>
  expectStatus(await ws.admin.post(`/strings/${key}/translations/${locale}/draft`), 200).data
const translation = async (ws: Workspace, key: string, locale = 'ar') =>
  expectStatus(await ws.admin.get(`/strings/${key}`), 200).data.translations[locale]
const served = async (ws: Workspace, key: string) => expectStatus(await ws.app.get('/strings?locale=ar'), 200).data.strings[key]

test('C-STR-41 G-39 a draft waits for review, from whatever status, and is delivered only once approved', async () => {
  const ws = await workspaceWith({ key: 'missing', sourceText: 'Hello' }, { key: 'ok', sourceText: 'Bye', values: { ar: 'سلام' } })
  for (const [key, text] of [
    ['missing', '[ar] Hello'],
    ['ok', '[ar] Bye'],
  ] as const) {
    const drafted = await draft(ws, key)
    assert.deepEqual(drafted, { key, locale: 'ar', text, status: 'review', draft: { source: 'source', similarity: null, fromKey: null } })
    const { status, drafted: isDraft } = await translation(ws, key)
    assert.deepEqual([status, isDraft], ['review', true])
    assert.equal(await served(ws, key), text.slice(5))
    await draft(ws, key)
    expectStatus(await ws.admin.post(`/strings/${key}/translations/ar/approve`), 200)
    assert.equal(await served(ws, key), text)
    assert.equal((await translation(ws, key)).drafted, false)
  }
})

test('C-STR-41 the memory gives approved translations of the same text, in this locale and workspace only', async () => {
  const ws = await workspaceWith(
    { key: 'a', sourceText: 'Save', values: { ar: 'احفظ' } },
    { key: 'b', sourceText: 'Save' },
    { key: 'c', sourceText: 'Cancel' },
    { key: 'd', sourceText: 'Cancel' },
  )
  expectStatus(await ws.admin.put('/strings/c/translations/ar', { text: 'إلغاء' }), 200)
  assert.deepEqual(await draft(ws, 'b'), {
    key: 'b',
    locale: 'ar',
    text: 'احفظ',
    status: 'review',
    draft: { source: 'memory', similarity: 1, fromKey: 'a' },
  })
  assert.equal((await draft(ws, 'b', 'fr')).text, '[fr] Save')
  assert.equal((await draft(ws, 'd')).text, '[ar] Cancel', 'what is in review is not remembered')
  assert.equal((await draft(ws, 'a')).text, '[ar] Save', 'a string is no memory of itself')
  const other = await workspaceWith({ key: 'b', sourceText: 'Save' })
  assert.equal((await draft(other, 'b')).text, '[ar] Save')
})

test('C-STR-41 a nearly equal text is taken over, with numbers and placeholders put in', async () => {
  const ws = await workspaceWith(
    { key: 'top', sourceText: 'Top 10 offers of {shop}', values: { ar: 'أفضل 10 عروض من {shop}' } },
    { key: 'cart', sourceText: 'Your shopping cart is empty', values: { ar: 'سلة التسوق فارغة' } },
    { key: 'hello', sourceText: 'Good morning, {name}', values: { ar: 'صباح الخير يا {name}' } },
    { key: 'top2', sourceText: 'Top 25 offers of {store}' },
    { key: 'cart2', sourceText: 'Your shopping cart is empty!' },
    { key: 'cart3', sourceText: 'My shopping cart is empty' },
    { key: 'hello2', sourceText: 'Good morning {name} {title}' },
    { key: 'far', sourceText: 'Your shopping list was sent to somebody' },
  )
  const drafted = async (key: string) => {
    const { text, draft: from } = await draft(ws, key)
    return [text, from.fromKey, from.similarity === null ? null : from.similarity >= 0.75]
  }
  assert.deepEqual(await drafted('top2'), ['أفضل 25 عروض من {store}', 'top', true])
  assert.equal((await draft(ws, 'top2')).draft.similarity, 0.99)
  assert.deepEqual(await drafted('cart2'), ['سلة التسوق فارغة', 'cart', true])
  assert.deepEqual(await drafted('cart3'), ['سلة التسوق فارغة', 'cart', true])
  assert.deepEqual(await drafted('hello2'), ['[ar] Good morning {name} {title}', null, null], 'a placeholder would be missing')
  assert.deepEqual(await drafted('far'), ['[ar] Your shopping list was sent to somebody', null, null])
})

test('G-39 a draft of what there is not, or by whom may not, is refused', async () => {
  const ws = await workspaceWith({ key: 'k', sourceText: 'Hello' })
  assert.equal(expectStatus(await ws.admin.post('/strings/nope/translations/ar/draft'), 404).body.code, 'UNKNOWN_STRING')
  expectStatus(await ws.admin.post('/strings/k/translations/de/draft'), 404)
  expectStatus(await ws.admin.post('/strings/k/translations/en/draft'), 409)
  expectStatus(await (await ws.viewer()).post('/strings/k/translations/ar/draft'), 403)
  for (const body of [
    {},
    { locale: 7 },
    { locale: 'ar', keys: [] },
    { locale: 'ar', keys: [7] },
    { locale: 'ar', keys: 'k' },
    [],
    { locale: 'ar', keys: Array(501).fill('k') },
  ])
    expectStatus(await ws.admin.post('/strings/draft', body), 400)
  expectStatus(await ws.admin.post('/strings/draft', { locale: 'de' }), 404)
  assert.equal((await translation(ws, 'k')).status, 'missing')
  expectStatus(await ws.admin.post('/strings/k/translations/AR/draft'), 200)
  assert.equal((await translation(ws, 'k')).text, '[ar] Hello')
})

test('C-STR-41 what is missing is drafted at once, the named keys or the first 500, and what is there stays', async () => {
  const ws = await workspaceWith(
    { key: 'ok', sourceText: 'Save', values: { ar: 'احفظ' } },
    ...Array.from({ length: 504 }, (_, i) => ({
      key: `k${String(i).padStart(3, '0')}`,
      sourceText: i === 3 ? 'Save' : `Text number ${i}`,
    })),
  )
  expectStatus(await ws.admin.put('/strings/k000/translations/ar', { text: 'بيد' }), 200)
  expectStatus(await ws.admin.put('/strings/k001', { hidden: true }), 200)
  const named = expectStatus(
    await ws.admin.post('/strings/draft', { locale: 'AR', keys: ['k002', 'ok', 'nope', 'k000', 'k002'] }),
    200,
  ).data
  assert.deepEqual(
    [named.drafted.map(({ key, text }: any) => [key, text]), named.alreadyTranslated, named.unknown, named.missing],
    [[['k002', '[ar] Text number 2']], ['ok', 'k000'], ['nope'], 501],
  )
  const all = expectStatus(await ws.admin.post('/strings/draft', { locale: 'ar' }), 200).data
  assert.deepEqual([all.drafted.length, all.drafted[0].text, all.drafted[0].draft.fromKey, all.missing], [500, 'احفظ', 'ok', 1])
  const rest = expectStatus(await ws.admin.post('/strings/draft', { locale: 'ar' }), 200).data
  assert.deepEqual([rest.drafted.map(({ key }: any) => key), rest.missing], [['k503'], 0])
  assert.deepEqual(expectStatus(await ws.admin.post('/strings/draft', { locale: 'ar' }), 200).data.drafted, [])
  assert.deepEqual((await translation(ws, 'k000')).text, 'بيد')
  assert.equal(await served(ws, 'ok'), 'احفظ')
  assert.equal(await served(ws, 'k003'), 'Save')
})

test('C-STR-41 drafting looks at a few rows of a catalog of 40,000 strings that all begin alike', async () => {
  const ws = await workspaceWith()
  await sql`
    insert into strings (workspace_id, key, namespace, source_text, revision, created_at, updated_at)
    select ${ws.id}, 'k' || i, 'app', 'Message ' || i || ' of the shop, ' || md5(i::text), 1, now(), now() from generate_series(1, 40000) i`.execute(
    ctx.db,
  )
  await sql`
    insert into translations (workspace_id, key, locale, text, status, updated_at)
    select ${ws.id}, 'k' || i, 'ar', 'رسالة ' || i, 'ok', now() from generate_series(1001, 40000) i`.execute(ctx.db)
  await sql`analyze strings, translations`.execute(ctx.db)
  const { drafted, missing } = expectStatus(await ws.admin.post('/strings/draft', { locale: 'ar' }), 200).data
  assert.deepEqual([drafted.length, missing], [500, 500])
  await draft(ws, 'k2')
})
