import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Answer, type Workspace } from '../../../../test/builders/builders.ts'
import { applyPlanned, plan } from '../../../../test/builders/code.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addLocales, catalog, save, setSensor, sync } from '../../../../test/builders/strings.ts'
import { hashTables } from '../../../../test/harness/tables.ts'

const { ctx, workspace, fault, anyone } = await startApp()

const NOTHING = { created: 0, updated: 0, unchanged: 0, translationsWritten: 0, rejected: [], skippedLocales: [] }

async function shop(...locales: string[]): Promise<Workspace> {
  const ws = await workspace()
  await addLocales(ws, ...locales)
  return ws
}

const rows = (count: number, prefix = 'k') => Array.from({ length: count }, (_, i) => ({ key: `${prefix}${i}`, sourceText: `Text ${i}` }))

test('M-STRS-01 M-STRS-03 the answer counts, and the source text is served', async () => {
  const ws = await shop()
  assert.deepEqual(await sync(ws, { key: 'a', sourceText: 'A' }), { ...NOTHING, created: 1 })
  assert.deepEqual((await catalog(ws)).strings, { a: 'A' })
})

test('M-STRS-01 the same route stands under all three roots and takes a write key only', async () => {
  const ws = await shop()
  for (const [index, root] of ['/sdk/v1', '/api/v1/sdk', '/api/v1'].entries()) {
    const send = (headers: Record<string, string>) =>
      anyone.post(`${root}/strings/sync`, { strings: [{ key: 'a', sourceText: `from ${root}` }] }, { headers })
    const { data } = expectStatus(await send({ 'x-cf-write-key': ws.writeKey }), 200)
    assert.deepEqual([data.created, data.updated], index === 0 ? [1, 0] : [0, 1])
    for (const headers of [{}, { 'x-cf-key': ws.live }, { 'x-cf-write-key': ws.live }, { 'x-cf-read-key': ws.readKey }])
      assert.equal((await send(headers as Record<string, string>)).status, 401, root)
  }
})

test('M-STRS-02 M-STRS-09 M-STRS-11 M-LIMIT-12 the limits of key, namespace and description; nothing of a refused payload lands', async () => {
  const ws = await shop()
  const emoji = '😀'.repeat(200)
  const right = [
    { key: 'k'.repeat(200), sourceText: 'A' },
    { key: emoji, sourceText: 'A' },
    { key: 'n', sourceText: 'A', namespace: 'n'.repeat(100) },
    { key: 'd', sourceText: 'A', description: 'd'.repeat(500) },
  ]
  assert.equal((await sync(ws, ...right)).created, 4)
  const before = await hashTables(ctx.db)
  const good = { key: 'good', sourceText: 'G' }
  for (const bad of [
    { key: 'k'.repeat(201), sourceText: 'A' },
    { key: '😀'.repeat(201), sourceText: 'A' },
    { key: '', sourceText: 'A' },
    { sourceText: 'A' },
    { key: null, sourceText: 'A' },
    { key: 7, sourceText: 'A' },
    { key: 'x', sourceText: 7 },
    { key: 'x', sourceText: 'A', namespace: 'n'.repeat(101) },
    { key: 'x', sourceText: 'A', namespace: ['app'] },
    { key: 'x', sourceText: 'A', description: 'd'.repeat(501) },
    { key: 'x', sourceText: 'A', description: {} },
    { key: 'x', sourceText: 'A', values: [] },
    { key: 'x', sourceText: 'A', values: { ar: 5 } },
    { key: 'x', sourceText: 'x'.repeat(20_001) },
    'x',
    null,
    [],
  ]) {
    const answer = await ws.write.post('/strings/sync', { strings: [good, bad] })
    assert.deepEqual([answer.status, answer.body.code], [400, 'STRINGS_SYNC_FAILED'], JSON.stringify(bad)?.slice(0, 80))
    assert.match(answer.body.error, /strings\[1\]/)
  }
  assert.equal(await hashTables(ctx.db), before)
  assert.ok(!(await ws.app.get('/strings')).text.includes('ddddd'), 'M-STRS-11 a description is never delivered')
})

test('M-STRS-04 M-STRS-05 sourceText comes before the source-locale entry of values, which is the source text without it', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'both', sourceText: 'A', values: { en: 'B' } })
  assert.deepEqual(await sync(ws, { key: 'entry', values: { EN: 'B' } }), { ...NOTHING, created: 1 })
  await sync(ws, { key: 'empty', sourceText: '', values: { en: 'C' } })
  assert.deepEqual((await catalog(ws)).strings, { both: 'A', empty: 'C', entry: 'B' })
  assert.deepEqual((await catalog(ws, 'ar')).withheldKeys, [])
})

test('M-STRS-06 M-STRS-07 M-STRS-43 C-STR-43 translations are counted and approved, unknown locales are skipped and told once', async () => {
  const ws = await shop('ar', 'fr-CA')
  const report = await sync(
    ws,
    { key: 'a', sourceText: 'A', values: { AR: 'ar', 'FR-ca': 'fr', xx: 'xx', XX: 'xx', zz: '' } },
    { key: 'b', sourceText: 'B', values: { xx: 'xx', 'not a code': 'n' } },
  )
  assert.deepEqual(report, { ...NOTHING, created: 2, translationsWritten: 2, skippedLocales: ['xx', 'not a code'] })
  assert.deepEqual((await catalog(ws, 'ar')).strings, { a: 'ar', b: 'B' })
  assert.deepEqual((await catalog(ws, 'fr-ca')).strings, { a: 'fr', b: 'B' })
})

test('M-STRS-08 an empty value never erases', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar' } })
  for (const row of [
    { key: 'a', values: { ar: '' } },
    { key: 'a', sourceText: '', values: { ar: '', en: '' } },
    { key: 'a', sourceText: null, values: { ar: null } },
    { key: 'a', values: null },
  ])
    assert.deepEqual(await sync(ws, row), { ...NOTHING, unchanged: 1 })
  assert.deepEqual((await catalog(ws, 'ar')).strings, { a: 'ar' })
})

test('M-STRS-09 M-STRS-10 a new key without a namespace is in app; an existing one keeps its own', async () => {
  const ws = await shop()
  await sync(
    ws,
    { key: 'a', sourceText: 'A' },
    { key: 's', sourceText: 'S', namespace: 'shop' },
    { key: 'e', sourceText: 'E', namespace: '' },
  )
  assert.deepEqual((await catalog(ws, undefined, 'app')).strings, { a: 'A', e: 'E' })
  await sync(ws, { key: 's', sourceText: 'S2' })
  assert.deepEqual((await catalog(ws, undefined, 'shop')).strings, { s: 'S2' })
  assert.equal((await sync(ws, { key: 's', namespace: 'app' })).updated, 1)
  assert.deepEqual((await catalog(ws, undefined, 'shop')).strings, {})
})

test('M-STRS-12 M-STRS-13 a new key without source text is rejected and the rest lands; an existing one needs none', async () => {
  const ws = await shop('ar')
  const report = await sync(ws, { key: 'n', values: { ar: 'n' } }, { key: 'good', sourceText: 'G' })
  assert.deepEqual(report, { ...NOTHING, created: 1, rejected: [{ key: 'n', reason: 'missing_source_text' }] })
  assert.deepEqual((await catalog(ws)).strings, { good: 'G' })
  assert.deepEqual(await sync(ws, { key: 'good', values: { ar: 'ar' } }), { ...NOTHING, updated: 1, translationsWritten: 1 })
  assert.deepEqual((await catalog(ws, 'ar')).strings, { good: 'ar' })
})

test('M-STRS-14 the same rows once more write nothing at all, and the ETag stays', async () => {
  const ws = await shop('ar')
  const same = [
    { key: 'a', sourceText: 'A', namespace: 'shop', description: 'd', values: { ar: 'ar', en: 'ignored' } },
    { key: 'b', values: { en: 'B' } },
  ]
  await sync(ws, ...same)
  const [before, etag] = [await hashTables(ctx.db), (await ws.app.get('/strings')).headers.get('etag')]
  assert.deepEqual(await sync(ws, ...same), { ...NOTHING, unchanged: 2 })
  assert.equal(await hashTables(ctx.db), before)
  assert.equal((await ws.app.get('/strings')).headers.get('etag'), etag)
})

test('M-STRS-15 M-STRS-16 C-STR-37 another source text sends every translation to review, those of the same row included', async () => {
  const ws = await shop('ar', 'fr')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar', fr: 'fr' } })
  assert.deepEqual(await sync(ws, { key: 'a', sourceText: 'A2', values: { ar: 'ar2' } }), {
    ...NOTHING,
    updated: 1,
    translationsWritten: 1,
  })
  for (const locale of ['ar', 'fr']) {
    const { strings, withheldKeys } = await catalog(ws, locale)
    assert.deepEqual([strings, withheldKeys], [{ a: 'A2' }, ['a']], locale)
  }
  const { translations } = (await ws.admin.get('/strings/a')).data
  assert.deepEqual([translations.ar.text, translations.fr.text], ['ar2', 'fr'])
})

test('M-STRS-17 C-STR-42 without a source change another text is approved', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar' } })
  await save(ws, 'a', 'ar', 'by hand')
  assert.deepEqual((await catalog(ws, 'ar')).withheldKeys, ['a'])
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'from the pipeline' } })
  const { strings, withheldKeys } = await catalog(ws, 'ar')
  assert.deepEqual([strings, withheldKeys], [{ a: 'from the pipeline' }, []])
})

test('M-STRS-18 an identical row approves nothing that is in review', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar' } })
  const changed = { key: 'a', sourceText: 'A2', values: { ar: 'ar2' } }
  await sync(ws, changed)
  assert.deepEqual(await sync(ws, changed), { ...NOTHING, unchanged: 1 })
  assert.deepEqual((await catalog(ws, 'ar')).withheldKeys, ['a'])
})

test('M-STRS-19..M-STRS-21 a sync never deletes, hides or shows a key, and never turns a sensor on or off', async () => {
  const ws = await shop()
  const all = ['a', 'hidden', 'sensor'].map((key) => ({ key, sourceText: key }))
  await sync(ws, ...all)
  expectStatus(await ws.admin.put('/strings/hidden', { hidden: true }), 200)
  await setSensor(ws, 'sensor', true)
  await sync(ws, { key: 'new', sourceText: 'new' })
  await sync(ws, ...all.map(({ key }) => ({ key, sourceText: `${key} changed`, hidden: false, sensor: key === 'a' })))
  const { strings, smartKeys } = await catalog(ws)
  assert.deepEqual(strings, { a: 'a changed', new: 'new', sensor: 'sensor changed' })
  assert.deepEqual(smartKeys, ['sensor'])
})

test('M-STRS-22 M-LIMIT-12 2,000 rows are taken, 2,001 are refused and write nothing', async () => {
  const ws = await shop('ar')
  const many = rows(2_000).map((row) => ({ ...row, values: { ar: `${row.sourceText} ar` } }))
  assert.deepEqual(await sync(ws, ...many), { ...NOTHING, created: 2_000, translationsWritten: 2_000 })
  const before = await hashTables(ctx.db)
  const refused = await ws.write.post('/strings/sync', { strings: rows(2_001, 'x') })
  assert.deepEqual([refused.status, refused.body.code], [400, 'STRINGS_SYNC_FAILED'])
  assert.equal(await hashTables(ctx.db), before)
  assert.equal(Object.keys((await catalog(ws, 'ar')).strings).length, 2_000)
})

test('M-STRS-23 M-ERR-06 a payload that is none is 400 STRINGS_SYNC_FAILED', async () => {
  const ws = await shop()
  for (const body of [{}, { strings: 'x' }, [], { strings: [] }, { strings: {} }, null, 'x', { strings: null }]) {
    const answer = await ws.write.post('/strings/sync', body)
    assert.deepEqual([answer.status, answer.body.code, answer.body.success], [400, 'STRINGS_SYNC_FAILED', false], JSON.stringify(body))
  }
})

test('M-STRS-24 M-STRS-32 M-ERR-16 a failure inside localization is 200 with success false, and changes nothing', async () => {
  const ws = await shop()
  await sync(ws, { key: 'a', sourceText: 'A' })
  await setSensor(ws, 'a', true)
  const before = await hashTables(ctx.db)
  await fault('localization', true)
  try {
    for (const [path, body, code] of [
      ['sync', { strings: [{ key: 'b', sourceText: 'B' }] }, 'STRINGS_SYNC_FAILED'],
      ['disable', { keys: ['a'] }, 'STRINGS_DISABLE_FAILED'],
    ] as const) {
      const answer = expectStatus(await ws.write.post(`/strings/${path}`, body), 200)
      assert.deepEqual([answer.body.success, answer.body.code], [false, code])
    }
    assert.equal((await ws.write.post('/strings/sync', {})).status, 400, 'what is wrong is still said')
    assert.equal((await ws.app.get('/strings')).status, 200)
  } finally {
    await fault('localization', false)
  }
  assert.equal(await hashTables(ctx.db), before)
})

test('G-41 of two rows with one key the last wins whole; texts are not trimmed', async () => {
  const ws = await shop('ar')
  const report = await sync(ws, { key: 'a', sourceText: 'first', values: { ar: 'first' } }, { key: 'a', sourceText: '  last\n' })
  assert.deepEqual(report, { ...NOTHING, created: 1 })
  assert.deepEqual((await catalog(ws, 'ar')).strings, { a: '  last\n' })
})

test('keys that mean something elsewhere are keys like others', async () => {
  const ws = await shop('ar')
  const odd = ['__proto__', 'constructor', 'toString', 'a/b', 'a b', '../x', '%', '"', '\u2028', 'é', 'e\u0301', '😀', '\u0001', 'imports']
  await sync(ws, ...odd.map((key) => ({ key, sourceText: `of ${key}`, values: { ar: `ar of ${key}` } })))
  const { text } = await ws.app.get('/strings?locale=ar')
  for (const key of odd) assert.ok(text.includes(`${JSON.stringify(key)}:${JSON.stringify(`ar of ${key}`)}`), JSON.stringify(key))
  for (const key of odd) await setSensor(ws, key, true)
  assert.deepEqual((await catalog(ws)).smartKeys.sort(), [...odd].sort())
})

test('two syncs at once of the same keys are one after the other', async () => {
  const ws = await shop('ar')
  const answers = await Promise.all(
    ['x', 'y', 'z'].map((text) => sync(ws, ...['a', 'b', 'c'].map((key) => ({ key, sourceText: text, values: { ar: text } })))),
  )
  assert.deepEqual(answers.map(({ created }) => created).sort(), [0, 0, 3])
  const texts = Object.values((await catalog(ws)).strings)
  assert.equal(new Set(texts).size, 1)
})

test('M-STRS-17 M-STRS-14 broken placeholders are told as warnings, and the status is the same as without', async () => {
  const ws = await shop('ar', 'fr')
  const row = { key: 'hi', sourceText: 'Hi {name}', values: { ar: 'أهلا', fr: 'Salut {name}' } }
  const { warnings, ...counts } = await sync(ws, row)
  assert.deepEqual(counts, { ...NOTHING, created: 1, translationsWritten: 2 })
  assert.deepEqual(warnings, [
    {
      key: 'hi',
      locale: 'ar',
      warnings: [
        { code: 'missing_placeholder', placeholder: '{name}', message: '{name} from the source text is missing', isBreaking: true },
      ],
    },
  ])
  assert.equal((await catalog(ws, 'ar')).strings.hi, 'أهلا')
  const again = await sync(ws, row)
  assert.deepEqual([again.unchanged, again.warnings], [1, warnings])
  assert.deepEqual(await sync(ws, { key: 'hi', values: { ar: 'أهلا {name}' } }), { ...NOTHING, updated: 1, translationsWritten: 1 })
})

test('a catalog that is full takes no new string on any way, writes nothing of what is sent with it, and changes what it has', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A' })
  await sql`insert into strings (workspace_id, key, namespace, source_text, revision, created_at, updated_at)
    select ${ws.id}, 'k' || i, 'app', 'x', 1, ${new Date()}, ${new Date()}
    from generate_series(1, ${LIMITS.stringsPerWorkspace - 2}) as i`.execute(ctx.db)
  const stored = async () =>
    (
      await sql`select count(*), max(revision) as revision, max(source_text) filter (where key = 'a') as a, count(*) filter (where is_hidden) as hidden
      from strings where workspace_id = ${ws.id}`.execute(ctx.db)
    ).rows
  const before = await stored()
  const two = [
    { key: 'new.1', sourceText: '1' },
    { key: 'new.2', sourceText: '2' },
    { key: 'a', sourceText: 'B' },
  ]
  const refused = async (answer: Answer) => {
    assert.deepEqual([answer.status, answer.body.code], [409, 'STRING_LIMIT'])
    assert.deepEqual(await stored(), before)
  }
  await refused(await ws.write.post('/strings/sync', { strings: two }))
  const csv = `key,sourceText\n${two.map(({ key, sourceText }) => `${key},${sourceText}`).join('\n')}`
  const { importId } = expectStatus(await ws.admin.post('/strings/imports', { csv }), 201).data
  await refused(await ws.admin.post(`/strings/imports/${importId}/apply`, {}))
  const document = { strings: two.map((string) => ({ ...string, namespace: 'app', description: '', values: {} })) }
  const { version } = await plan(ws.admin, document)
  await refused(await applyPlanned(ws.admin, document, version))
  assert.equal((await sync(ws, { key: 'new.1', sourceText: '1' })).created, 1)
  const full = await ws.admin.post('/strings', { key: 'new.2', sourceText: '2' })
  assert.deepEqual([full.status, full.body.code], [409, 'STRING_LIMIT'])
  assert.equal((await sync(ws, { key: 'a', sourceText: 'B' })).updated, 1)
})
