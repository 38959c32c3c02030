import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { clientOf } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const variant = (id: string, weight: number, more: object = {}) => ({ id, weight, values: { '#title': id }, ...more })

test('C-SYNC-13 C-SYNC-14 each device gets exactly one variant and keeps it, and both variants occur', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'base' }, variants: [variant('a', 50), variant('b', 50)] })
  const got = new Map<string, string>()
  for (const device of Array.from({ length: 40 }, () => randomUUID())) {
    const client = ws.sdk({ 'x-cf-key': ws.live, 'x-cf-device': device })
    const first = await client.get('/sync')
    got.set(device, first.data.blocks[0].values['#title'])
    for (let i = 0; i < 4; i++) {
      const again = await client.get('/sync')
      assert.equal(again.text, first.text)
      assert.equal(again.headers.get('etag'), first.headers.get('etag'))
    }
  }
  assert.deepEqual([...new Set(got.values())].sort(), ['a', 'b'])
  for (const [device, title] of got) {
    const point = createHash('sha256').update(`${device}:${id}`).digest().readUInt32BE(0) % 100
    assert.equal(title, point < 50 ? 'a' : 'b')
  }
})

test('C-SYNC-13 weights are relative, a variant of weight zero is never given, and no device means base values', async () => {
  const ws = await workspace()
  await ws.block('promo', {
    fields: [
      { id: 'f_title', tag: '#title', type: 'text' },
      { id: 'f_note', tag: '#note', type: 'text' },
    ],
  })
  const variants = [variant('never', 0), variant('rare', 1), variant('often', 3)]
  const { id } = await ws.instance('promo', { values: { '#title': 'base', '#note': 'kept' }, variants })
  const seen = new Map<string, number>()
  for (let i = 0; i < 120; i++) {
    const device = randomUUID()
    const { values } = (await ws.blocks(device))[0]
    const point = createHash('sha256').update(`${device}:${id}`).digest().readUInt32BE(0) % 4
    assert.deepEqual(values, { '#title': point < 1 ? 'rare' : 'often', '#note': 'kept' })
    seen.set(values['#title'], (seen.get(values['#title']) ?? 0) + 1)
  }
  assert.ok((seen.get('often') ?? 0) > (seen.get('rare') ?? 0))
  assert.deepEqual((await ws.blocks())[0].values, { '#title': 'base', '#note': 'kept' })
})

test('C-SYNC-14 variants of several instances are drawn one by one, so devices see every combination', async () => {
  const ws = await workspace()
  await ws.block('promo')
  for (let i = 0; i < 2; i++) await ws.instance('promo', { values: { '#title': 'base' }, variants: [variant('a', 1), variant('b', 1)] })
  const seen = new Set<string>()
  for (let i = 0; i < 60; i++) seen.add((await ws.blocks(randomUUID())).map((block) => block.values['#title']).join(''))
  assert.deepEqual([...seen].sort(), ['aa', 'ab', 'ba', 'bb'])
})

test('C-SYNC-05 C-SYNC-13 devices of different variants have different ETags and never share a 304', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { variants: [variant('a', 1), variant('b', 1)] })
  const etags = new Map<string, string>()
  for (let i = 0; i < 30; i++) {
    const answer = await ws.app.get('/sync', { headers: { 'x-cf-device': randomUUID() } })
    const title = answer.data.blocks[0].values['#title']
    const etag = answer.headers.get('etag') ?? ''
    assert.equal(etags.get(title) ?? etag, etag, 'devices of one variant share the tag')
    etags.set(title, etag)
  }
  assert.notEqual(etags.get('a'), etags.get('b'))
})

const TRANSLATED = {
  values: { '#title': 'base', '#body': 'base body' },
  translations: {
    zh: { '#title': 'zh', '#body': 'zh body' },
    'zh-Hant': { '#title': 'zh-Hant' },
    'ar-SA': { '#title': 'ar-SA' },
  },
}
const FIELDS = [
  { id: 'f_title', tag: '#title', type: 'text' },
  { id: 'f_body', tag: '#body', type: 'text' },
]

test('C-SYNC-07 C-BLK-18 each tag takes the exact locale, else its parents, else the base value, never a sibling', async () => {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  await ws.instance('promo', TRANSLATED)
  for (const [locale, title, body] of [
    ['zh-Hant-TW', 'zh-Hant', 'zh body'],
    ['zh-Hant', 'zh-Hant', 'zh body'],
    ['ZH-HANT', 'zh-Hant', 'zh body'],
    ['zh-Hans', 'zh', 'zh body'],
    ['zh', 'zh', 'zh body'],
    ['ar-SA', 'ar-SA', 'base body'],
    ['AR-sa-x1', 'ar-SA', 'base body'],
    ['ar-EG', 'base', 'base body'],
    ['ar', 'base', 'base body'],
    ['fr', 'base', 'base body'],
  ] as const) {
    const expected = { '#title': title, '#body': body }
    assert.deepEqual((await ws.blocks(undefined, { locale }))[0].values, expected, locale)
    assert.deepEqual((await ws.app.get(`/blocks/promo?locale=${locale}`)).data.values, expected, locale)
  }
})

test('the query names the locale, else the first Accept-Language tag, else the source language; what is no tag counts as absent', async () => {
  const ws = await workspace({ sourceLocale: 'ar' })
  await ws.block('promo')
  await ws.instance('promo', {
    values: { '#title': 'base' },
    translations: Object.fromEntries(['ar', 'fr', 'de'].map((code) => [code, { '#title': code }])),
  })
  const title = async (query: string, language?: string) =>
    (await ws.app.get(`/sync${query}`, { headers: language === undefined ? {} : { 'accept-language': language } })).data.blocks[0].values[
      '#title'
    ]
  assert.equal(await title('?locale=fr', 'de'), 'fr')
  assert.equal(await title('', 'de'), 'de')
  assert.equal(await title('', 'de;q=0.1, fr;q=1'), 'de')
  assert.equal(await title('', 'fr-CH, de'), 'fr')
  assert.equal(await title('', 'pt, de'), 'base', 'only the first tag counts')
  assert.equal(await title('', 'de_DE'), 'de', 'G-95')
  for (const odd of ['*', '', '!!', 'x'.repeat(200), '-', '_']) assert.equal(await title('', odd), 'ar', odd)
  for (const odd of ['', '../../x', '__proto__', 'fr%00', '%F0%9F%98%80', 'x'.repeat(3_000)]) {
    assert.equal(await title(`?locale=${odd}`, 'de'), 'de', odd)
    assert.equal(await title(`?locale=${odd}`, '*'), 'ar', odd)
  }
  assert.equal(await title('?locale=fr&locale=de'), 'fr')
})

test('a workspace without a source language falls back to English', async () => {
  const ws = await workspace({ sourceLocale: null })
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'base' }, translations: { en: { '#title': 'en' } } })
  assert.equal(
    (await clientOf(`${url}/sdk/v1`, { 'x-cf-key': ws.live, 'accept-language': '*' }).get('/sync')).data.blocks[0].values['#title'],
    'en',
  )
})

test('C-SYNC-04 C-SYNC-05 a language with other text has another ETag, and one without keeps it', async () => {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  await ws.instance('promo', TRANSLATED)
  const etag = async (locale: string) => (await ws.app.get(`/sync?locale=${locale}`)).headers.get('etag') ?? ''
  const [base, zh] = [await etag('en'), await etag('zh')]
  assert.notEqual(base, zh)
  assert.equal(await etag('fr'), base)
  assert.equal(await etag('ZH'), zh)
  assert.equal((await ws.app.get('/sync?locale=zh', { headers: { 'if-none-match': base } })).status, 200)
})

test('C-SYNC-13 C-SYNC-07 a variant lies over the translated base and its own translations lie over it', async () => {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  await ws.instance('promo', {
    values: { '#title': 'base', '#body': 'base body' },
    translations: { ar: { '#title': 'ar', '#body': 'ar body' } },
    variants: [
      { id: 'plain', weight: 1, values: { '#title': 'variant' } },
      { id: 'own', weight: 1, values: { '#title': 'variant' }, translations: { ar: { '#title': 'variant ar' } } },
    ],
  })
  const seen = new Set<string>()
  for (let i = 0; i < 40; i++) {
    const { values } = (await ws.blocks(randomUUID(), { locale: 'ar-SA' }))[0]
    assert.equal(values['#body'], 'ar body')
    seen.add(values['#title'])
  }
  assert.deepEqual([...seen].sort(), ['variant', 'variant ar'])
})
