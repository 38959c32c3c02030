/** G-95 wherever a language is named: `ar_SA` is ar-SA, and the former codes are those that replaced them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { create, launch } from '../builders/campaigns.ts'
import { identify } from '../builders/people.ts'
import { startApp } from '../harness/start-app.ts'
import { addLocales, catalog, save, sync } from '../builders/strings.ts'

const { workspace } = await startApp()

test('G-95 texts are delivered, read and written in any spelling of their language', async () => {
  const ws = await workspace()
  await addLocales(ws, 'iw', 'ar_SA', 'ji')
  const { locales } = expectStatus(await ws.admin.get('/locales'), 200).data
  assert.deepEqual(
    locales.map(({ code }: any) => code).filter((code: string) => code !== 'en'),
    ['ar-SA', 'he', 'yi'],
  )
  await sync(ws, { key: 'a', sourceText: 'A', values: { iw: 'עברית', ar_SA: 'عربي' } })
  for (const asked of ['he', 'iw', 'iw_IL', 'he-IL']) {
    const { locale, strings } = await catalog(ws, asked)
    assert.deepEqual([locale, strings.a], ['he', 'עברית'], asked)
  }
  const byHeader = await ws.app.get('/strings', { headers: { 'accept-language': 'ar_SA, en;q=0.5' } })
  assert.deepEqual([expectStatus(byHeader, 200).data.locale, byHeader.data.strings.a], ['ar-SA', 'عربي'])
  const listed = expectStatus(await ws.admin.get('/strings?locale=iw'), 200).data.strings
  assert.deepEqual(
    listed.map(({ translations }: any) => Object.keys(translations)),
    [['he']],
  )
  await save(ws, 'a', 'IW', 'אחר')
  expectStatus(await ws.admin.delete('/locales/ji'), 200)
})

test('G-95 content is written, delivered, listed, and labelled in any spelling', async () => {
  const ws = await workspace()
  await ws.block('hero')
  await ws.instance('hero', {
    title: 'Sale',
    values: { '#title': 'Sale' },
    translations: { ar_SA: { '#title': 'تخفيضات' }, iw: { '#title': 'מבצע' } },
  })
  await ws.instance('hero', { title: 'Bare', values: { '#title': 'Bare' } })
  await identify(ws.app, 'D', 'U')
  const title = async (query: string, headers: Record<string, string> = {}) =>
    expectStatus(await ws.app.get(`/blocks/hero${query}`, { headers: { 'x-cf-device': 'D', ...headers } }), 200).data.instances?.[0]
  for (const tag of ['ar_SA', 'ar-SA', 'AR_sa']) {
    const block = JSON.stringify(await title(`?locale=${tag}`))
    assert.match(block, /تخفيضات/, tag)
  }
  assert.match(JSON.stringify(await title('', { 'accept-language': 'iw_IL' })), /מבצע/)
  const titles = async (query: string) => {
    const { instances } = expectStatus(await ws.admin.get(`/instances?${query}`), 200).data
    return instances.map((each: any) => each.title).sort()
  }
  for (const tag of ['ar_SA', 'ar-sa', 'iw', 'he']) {
    assert.deepEqual(await titles(`locale=${tag}`), ['Sale'], tag)
    assert.deepEqual(await titles(`missingLocale=${tag}`), ['Bare'], tag)
  }
  assert.deepEqual(await titles('missingLocale=EN'), [])
  const labels = async (tag: string) => {
    const { instances } = expectStatus(await ws.admin.get(`/instances?labelLocale=${tag}`), 200).data
    return instances.map((each: any) => each.label).sort()
  }
  assert.deepEqual(await labels('iw'), ['Bare', 'מבצע'].sort())
})

test('G-95 campaigns and journeys hold one content of a language, in its one spelling', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const both = await ws.admin.post('/campaigns', {
    name: 'Twice',
    type: 'promo',
    segments: ['All users'],
    schedule: {},
    content: { iw: { title: 'a' }, he: { title: 'b' } },
  })
  assert.equal(both.status, 400, both.text)
  const { id } = await create(ws.admin, { content: { en: { title: 'Hi' }, ar_SA: { title: 'مرحبا' } } })
  assert.deepEqual(Object.keys(expectStatus(await ws.admin.get(`/campaigns/${id}`), 200).data.content).sort(), ['ar-SA', 'en'])
  await launch(ws, editor, { content: { en: { title: 'Hi' }, iw: { title: 'שלום' } } })
  await identify(ws.app, 'D', 'U')
  const got = expectStatus(await ws.app.post('/campaigns', { deviceId: 'D' }, { headers: { 'accept-language': 'iw_IL' } }), 200)
  assert.match(got.text, /שלום/)
})
