/** Texts that several people change: nobody's goes unseen, and what was there comes back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { apply, exported } from '../../../../test/builders/code.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addLocales, catalog, pathOf, save, sync } from '../../../../test/builders/strings.ts'
import { hashTables } from '../../../../test/harness/tables.ts'

const { ctx, workspace } = await startApp()

const inArabic = (key: string) => `${pathOf(key)}/translations/ar`
const match = (etag: string) => ({ headers: { 'if-match': etag } })
const idOf = async (by: Client): Promise<string> => expectStatus(await by.get('/auth/me'), 200).data.user.userId
const historyOf = async (by: Client, path: string): Promise<any[]> => expectStatus(await by.get(`${path}/history`), 200).data.history
const steps = async (by: Client, path: string) => (await historyOf(by, path)).map(({ from, to }) => [from, to])

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  await addLocales(ws, 'ar')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'أ' } })
  return ws
}

test('If-Match on a translation refuses with the text there is now and changes nothing; without it the last one wins', async () => {
  const ws = await shop()
  const [one, two] = [await ws.editor(), await ws.editor()]
  const read = expectStatus(await one.get(inArabic('a')), 200)
  const { text, status, etag } = read.data
  assert.deepEqual([text, status, read.headers.get('etag')], ['أ', 'ok', etag])
  assert.equal(expectStatus(await one.get(pathOf('a')), 200).data.translations.ar.etag, etag)
  assert.equal(expectStatus(await one.get('/strings'), 200).data.strings[0].translations.ar.etag, etag)
  const first = expectStatus(await one.put(inArabic('a'), { text: 'ب' }, match(etag)), 200)
  assert.notEqual(first.headers.get('etag'), etag)
  const before = await hashTables(ctx.db)
  for (const late of [
    await two.put(inArabic('a'), { text: 'ت' }, match(etag)),
    await two.post(`${inArabic('a')}/approve`, { text: 'ت' }, match(etag)),
    await two.delete(inArabic('a'), match(etag)),
    await two.put(inArabic('a'), { text: 'ت' }, match('nonsense')),
  ]) {
    assert.deepEqual([late.status, late.body.code], [412, 'VERSION_CHANGED'])
    assert.deepEqual(late.body.current, { text: 'ب', etag: first.headers.get('etag') })
  }
  assert.equal(await hashTables(ctx.db), before)
  expectStatus(await two.put(inArabic('a'), { text: 'ت' }, match(first.headers.get('etag') ?? '')), 200)
  expectStatus(await two.put(inArabic('a'), { text: 'ث' }, match('*')), 200)
  expectStatus(await two.put(inArabic('a'), { text: 'ج' }), 200)
  expectStatus(await two.delete(inArabic('a')), 200)
  const missing = expectStatus(await one.get(inArabic('a')), 200).data
  assert.deepEqual([missing.text, missing.status], [null, 'missing'])
  expectStatus(await one.put(inArabic('a'), { text: 'ح' }, match(missing.etag)), 200)
  assert.equal((await two.put(inArabic('a'), { text: 'خ' }, match(missing.etag))).status, 412, 'two translate it at once')
})

test('If-Match on a source text', async () => {
  const ws = await shop()
  const read = expectStatus(await ws.admin.get(pathOf('a')), 200)
  const etag = read.headers.get('etag') ?? ''
  assert.equal(read.data.etag, etag)
  // Another translation, or a description, is no other source text.
  await save(ws, 'a', 'ar', 'ب')
  expectStatus(await ws.admin.put(pathOf('a'), { description: 'd' }), 200)
  const saved = expectStatus(await ws.admin.put(pathOf('a'), { sourceText: 'B' }, match(etag)), 200)
  const late = await ws.admin.put(pathOf('a'), { sourceText: 'C' }, match(etag))
  assert.deepEqual([late.status, late.body.current], [412, { text: 'B', etag: saved.data.etag }])
  assert.equal(expectStatus(await ws.admin.get(pathOf('a')), 200).data.sourceText, 'B')
})

test('history says who changed a text when, from what to what, by every way there is', async () => {
  const ws = await shop()
  const editor = await ws.editor()
  assert.deepEqual(await historyOf(editor, inArabic('a')), [], 'a first text is no change')
  await sync(ws, { key: 'a', sourceText: 'A2', values: { ar: 'ب' } })
  expectStatus(await editor.put(inArabic('a'), { text: 'ت' }), 200)
  expectStatus(await editor.put(inArabic('a'), { text: 'ت' }), 200)
  expectStatus(await ws.admin.post(`${inArabic('a')}/approve`, { text: 'ث' }), 200)
  expectStatus(await ws.admin.delete(inArabic('a')), 200)
  expectStatus(await editor.put(inArabic('a'), { text: 'ج' }), 200)
  const { importId } = expectStatus(await ws.admin.post('/strings/imports', { csv: 'key,sourceText,ar\na,A3,ح\n' }), 201).data
  expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`, {}), 200)
  const document = (await exported(ws, 'strings')).data
  const [{ values, ...rest }] = document.strings
  await apply(ws, { strings: [{ ...rest, values: { ar: { ...values.ar, text: 'خ' } } }] })
  await apply(ws, { strings: [{ ...rest, values: {} }] })
  assert.deepEqual(await steps(editor, inArabic('a')), [
    ['خ', null],
    ['ح', 'خ'],
    ['ج', 'ح'],
    [null, 'ج'],
    ['ث', null],
    ['ت', 'ث'],
    ['ب', 'ت'],
    ['أ', 'ب'],
  ])
  assert.deepEqual(await steps(editor, pathOf('a')), [
    ['A2', 'A3'],
    ['A', 'A2'],
  ])
  const [gone, , , , , , typed, synced] = await historyOf(await ws.viewer(), inArabic('a'))
  assert.deepEqual([gone.madeBy, typed.madeBy], [await idOf(ws.admin), await idOf(editor)])
  assert.ok(synced.madeBy !== '' && Date.parse(synced.at) <= ctx.clock.ms())
})

test('restore makes a text what it was before a change, as if it were typed; a source text sends translations to review', async () => {
  const ws = await shop()
  const editor = await ws.editor()
  expectStatus(await ws.admin.post(`${inArabic('a')}/approve`, { text: 'ب' }), 200)
  const [{ number }] = await historyOf(editor, inArabic('a'))
  const etag = expectStatus(await editor.get(inArabic('a')), 200).data.etag
  assert.equal((await editor.post(`${inArabic('a')}/restore`, { number }, match('"other"'))).status, 412)
  assert.deepEqual(expectStatus(await editor.post(`${inArabic('a')}/restore`, { number }, match(etag)), 200).data, {
    key: 'a',
    locale: 'ar',
    text: 'أ',
    status: 'review',
  })
  assert.deepEqual((await steps(editor, inArabic('a')))[0], ['ب', 'أ'])
  expectStatus(await editor.delete(inArabic('a')), 200)
  const [{ number: removal }] = await historyOf(editor, inArabic('a'))
  expectStatus(await editor.post(`${inArabic('a')}/restore`, { number: removal }), 200)
  const [{ number: creation }] = await historyOf(editor, inArabic('a'))
  assert.equal((await editor.post(`${inArabic('a')}/restore`, { number: creation })).status, 409, 'there was none')

  expectStatus(await ws.admin.post(`${inArabic('a')}/approve`, {}), 200)
  expectStatus(await editor.put(pathOf('a'), { sourceText: 'B' }), 200)
  expectStatus(await ws.admin.post(`${inArabic('a')}/approve`, {}), 200)
  const [{ number: source }] = await historyOf(editor, pathOf('a'))
  const restored = expectStatus(await editor.post(`${pathOf('a')}/restore`, { number: source }), 200).data
  assert.deepEqual([restored.sourceText, restored.translations.ar.status], ['A', 'review'])
  assert.deepEqual((await catalog(ws)).strings, { a: 'A' })
})

test('what is not there, wrong, of others or forbidden is refused, and changes nothing', async () => {
  const [ws, other] = [await shop(), await shop()]
  const viewer = await ws.viewer()
  expectStatus(await ws.admin.put(inArabic('a'), { text: 'ب' }), 200)
  const [{ number }] = await historyOf(ws.admin, inArabic('a'))
  const before = await hashTables(ctx.db)
  for (const path of [pathOf('a'), inArabic('a')]) {
    for (const body of [{}, { number: 'x' }, { number: 0 }, { number: 1.5 }, { number: -1 }, { number: 1e300 }, []])
      assert.equal((await ws.admin.post(`${path}/restore`, body)).status, 400, JSON.stringify(body))
    assert.equal((await ws.admin.post(`${path}/restore`, { number: 999_999 })).status, 404)
    assert.equal((await other.admin.post(`${path}/restore`, { number })).status, 404)
    assert.equal((await viewer.post(`${path}/restore`, { number })).status, 403)
  }
  for (const path of ['/strings/nope', '/strings/nope/translations/ar']) {
    assert.equal((await ws.admin.get(`${path}/history`)).body.code, 'UNKNOWN_STRING')
    assert.equal((await ws.admin.post(`${path}/restore`, {})).body.code, 'UNKNOWN_STRING')
  }
  for (const [locale, status] of [
    ['fr', 404],
    ['en', 409],
  ] as const)
    for (const end of ['', '/history']) {
      const answer = await ws.admin.get(`/strings/a/translations/${locale}${end}`)
      assert.equal(answer.status, status, `${locale}${end} ${answer.text}`)
    }
  assert.equal(await hashTables(ctx.db), before)
})

test('the newest 50 changes of each text are kept, count for the size of the workspace, and go with their language', async () => {
  const ws = await shop()
  const held = async () => expectStatus(await ws.admin.get('/settings/usage'), 200).data
  const before = await held()
  for (let i = 0; i <= LIMITS.textHistory + 1; i++) await save(ws, 'a', 'ar', `ن${String(i).padStart(3, '0')}`)
  const history = await steps(ws.admin, inArabic('a'))
  assert.equal(history.length, LIMITS.textHistory)
  assert.deepEqual(
    [history[0], history.at(-1)],
    [
      ['ن050', 'ن051'],
      ['ن001', 'ن002'],
    ],
  )
  assert.notDeepEqual(await held(), before)
  const rows = await ctx.db.selectFrom('text_changes').select('number').where('workspace_id', '=', ws.id).execute()
  assert.equal(rows.length, LIMITS.textHistory)
  expectStatus(await ws.admin.delete('/locales/ar'), 200)
  await addLocales(ws, 'ar')
  assert.deepEqual(await historyOf(ws.admin, inArabic('a')), [])
})
