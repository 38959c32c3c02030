import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { addLocales, catalog, save, sync } from '../../../test/builders/strings.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { ctx, workspace } = await startApp()

test('G-42 a locale is added once in any case, with a code of the right form', async () => {
  const ws = await workspace()
  const { data } = expectStatus(await ws.admin.post('/locales', { code: 'ar-SA' }), 201)
  const counts = { ok: 0, review: 0, missing: 0 }
  assert.deepEqual(data, {
    code: 'ar-SA',
    name: 'Arabic (Saudi Arabia)',
    native: 'العربية (المملكة العربية السعودية)',
    rtl: true,
    coverage: 0,
    source: false,
    counts,
  })
  const before = await hashTables(ctx.db)
  for (const code of ['ar-SA', 'AR-sa', 'ar_SA', 'en', 'EN']) assert.equal((await ws.admin.post('/locales', { code })).status, 409, code)
  for (const body of [
    {},
    [],
    { code: 7 },
    ...['', 'a', 'abcd', '_', 'ar-', 'ar-S', 'ar-123456789', '*', 'ar SA', '__proto__', `ar-${'abcdefgh-'.repeat(9)}ab`].map((code) => ({
      code,
    })),
    { code: 'fr', rtl: 'no' },
    { code: 'fr', name: 7 },
    { code: 'fr', name: ' ' },
    { code: 'fr', native: 'x'.repeat(101) },
  ])
    assert.equal((await ws.admin.post('/locales', body)).status, 400, JSON.stringify(body))
  assert.equal(await hashTables(ctx.db), before)
  assert.equal((await (await ws.viewer()).post('/locales', { code: 'fr' })).status, 403)
  expectStatus(await (await ws.editor()).post('/locales', { code: 'fr' }), 201)
})

test('G-42 a locale goes with its translations; the source language stays', async () => {
  const ws = await workspace()
  await addLocales(ws, 'ar', 'fr')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar', fr: 'fr' } })
  assert.equal((await catalog(ws, 'ar')).strings.a, 'ar')
  assert.equal((await ws.admin.delete('/locales/EN')).status, 409)
  assert.equal((await ws.admin.delete('/locales/de')).status, 404)
  assert.equal((await (await ws.editor()).delete('/locales/ar')).status, 403)
  expectStatus(await ws.admin.delete('/locales/AR'), 200)
  const without = await catalog(ws, 'ar')
  assert.deepEqual([without.locale, without.strings], ['en', { a: 'A' }])
  await addLocales(ws, 'ar')
  const again = await catalog(ws, 'ar')
  assert.deepEqual([again.locale, again.strings, again.withheldKeys], ['ar', { a: 'A' }, []])
  assert.equal((await catalog(ws, 'fr')).strings.a, 'fr')
})

test('G-34 the dashboard counts the visible strings of each locale by status', async () => {
  const ws = await workspace()
  await addLocales(ws, 'ar')
  await sync(ws, ...['a', 'b', 'c', 'd'].map((key) => ({ key, sourceText: key, ...(key !== 'd' && { values: { ar: 'ar' } }) })))
  await save(ws, 'b', 'ar', 'x')
  expectStatus(await ws.admin.put('/strings/c', { hidden: true }), 200)
  const { locales } = (await (await ws.viewer()).get('/locales')).data
  assert.deepEqual(
    locales.map(({ code, coverage, source, counts }: any) => [code, coverage, source, counts]),
    [
      ['ar', 33, false, { ok: 1, review: 1, missing: 1 }],
      ['en', 100, true, { ok: 3, review: 0, missing: 0 }],
    ],
  )
})

test('C-STR-18 G-42 the source language can be another one; texts stay, and blocks are served in it too', async () => {
  const ws = await workspace()
  await addLocales(ws, 'fr')
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'plain' }, translations: { ar: { '#title': 'ar' } } })
  await sync(ws, { key: 'a', sourceText: 'A', values: { fr: 'fr' } })
  const title = async () => (await ws.blocks())[0].values['#title']
  assert.equal(await title(), 'plain')
  assert.deepEqual(expectStatus(await ws.admin.put('/settings/source-locale', { code: 'ar' }), 200).data, { code: 'ar' })
  assert.equal(await title(), 'ar')
  assert.deepEqual((await ws.admin.get('/settings/source-locale')).data, { code: 'ar' })
  const { locale, strings } = await catalog(ws)
  assert.deepEqual([locale, strings], ['ar', { a: 'A' }])
  assert.deepEqual(
    (await ws.app.get('/locales')).data.locales.map(({ code, coverage }: any) => [code, coverage]),
    [
      ['ar', 100],
      ['en', 0],
      ['fr', 100],
    ],
  )
  await sync(ws, { key: 'a', values: { ar: 'A2', en: 'English' } })
  assert.deepEqual([(await catalog(ws)).strings.a, (await catalog(ws, 'en')).strings.a], ['A2', 'A2'])
  assert.equal(expectStatus(await ws.admin.put('/settings/source-locale', { code: 'FR' }), 200).data.code, 'fr')
  assert.equal((await catalog(ws, 'fr')).strings.a, 'A2', 'the source text, not the translation from before')
  expectStatus(await ws.admin.put('/settings/source-locale', { code: null }), 200)
  assert.equal((await catalog(ws)).locale, 'en')
  const editor = await ws.editor()
  const before = await hashTables(ctx.db)
  for (const body of [{}, { code: 7 }, { code: '' }, { code: '*' }, []])
    assert.equal((await ws.admin.put('/settings/source-locale', body)).status, 400)
  assert.equal((await editor.put('/settings/source-locale', { code: 'ar' })).status, 403)
  assert.equal(await hashTables(ctx.db), before)
})

test('a language that is removed while it is being added is added and then removed: each answer has what it says', async () => {
  const ws = await workspace()
  for (let round = 0; round < 20; round++) {
    const [added, removed] = await Promise.all([ws.admin.post('/locales', { code: 'fr' }), ws.admin.delete('/locales/fr')])
    assert.equal(expectStatus(added, 201).data?.code, 'fr', added.text)
    assert.match(String(removed.status), /^(200|404)$/)
    if (removed.status === 404) expectStatus(await ws.admin.delete('/locales/fr'), 200)
  }
})
