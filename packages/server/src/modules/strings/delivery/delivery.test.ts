import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { send } from '../../../../test/harness/raw.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { addLocales, catalog, save, setSensor, sync } from '../../../../test/builders/strings.ts'

const { workspace, url, operator } = await startApp()

async function shop(...locales: string[]): Promise<Workspace> {
  const ws = await workspace()
  await addLocales(ws, ...locales)
  return ws
}

const hide = async (ws: Workspace, key: string) => void expectStatus(await ws.admin.put(`/strings/${key}`, { hidden: true }), 200)

test('C-STR-01 C-STR-02 C-STR-35 the answer has all five members and needs no device', async () => {
  const ws = await shop()
  assert.deepEqual({ ...(await catalog(ws)), version: '' }, { locale: 'en', strings: {}, smartKeys: [], withheldKeys: [], version: '' })
  assert.equal(typeof (await catalog(ws)).version, 'string')
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    assert.equal((await send(url, `${root}/strings`, { headers: { 'x-cf-key': ws.live } })).status, 200)
    assert.equal((await send(url, `${root}/strings`)).status, 401)
  }
})

test('C-STR-03 C-STR-26 C-LIMIT-17 the version is another one at once when the catalog is, and the former one when it is so again', async () => {
  const ws = await shop('ar')
  const versions = [(await catalog(ws)).version]
  await sync(ws, { key: 'a', sourceText: 'A' })
  versions.push((await catalog(ws)).version)
  await sync(ws, { key: 'a', sourceText: 'A2' })
  versions.push((await catalog(ws)).version)
  assert.equal(new Set(versions).size, 3)
  await sync(ws, { key: 'a', sourceText: 'A' })
  assert.equal((await catalog(ws)).version, versions[1])
  await sync(ws, { key: 'a', values: { ar: 'ar' } })
  assert.equal((await catalog(ws)).version, versions[1], 'what is another in Arabic is the same in English')
})

test('C-STR-04..C-STR-09 C-STR-25 approved texts are served; the rest as source text, and only what waits for approval is withheld', async () => {
  const ws = await shop('ar')
  await sync(
    ws,
    { key: 'ok', sourceText: 'Ok', values: { ar: 'ar ok' } },
    { key: 'missing', sourceText: 'Missing' },
    { key: 'review', sourceText: 'Review' },
  )
  await save(ws, 'review', 'ar', 'ar review')
  const { strings, withheldKeys, locale } = await catalog(ws, 'ar')
  assert.deepEqual(strings, { missing: 'Missing', ok: 'ar ok', review: 'Review' })
  assert.deepEqual([withheldKeys, locale], [['review'], 'ar'])
  assert.deepEqual((await catalog(ws, 'en')).withheldKeys, [])
})

test('C-STR-10 C-STR-11 smartKeys lists the sensors of the namespace', async () => {
  const ws = await shop()
  await sync(ws, { key: 'a', sourceText: 'A' }, { key: 's', sourceText: 'S', namespace: 'shop' }, { key: 'off', sourceText: 'O' })
  for (const key of ['a', 's']) await setSensor(ws, key, true)
  assert.deepEqual((await catalog(ws)).smartKeys, ['a', 's'])
  assert.deepEqual((await catalog(ws, undefined, 'shop')).smartKeys, ['s'])
  await setSensor(ws, 'a', false)
  assert.deepEqual((await catalog(ws)).smartKeys, ['s'])
})

test('C-STR-12..C-STR-14 A-49 a namespace restricts all three lists; an unknown one is an empty catalog', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A' }, { key: 's', sourceText: 'S', namespace: 'shop' })
  for (const key of ['a', 's']) await save(ws, key, 'ar', 'x')
  assert.deepEqual((await catalog(ws, 'ar')).strings, { a: 'A', s: 'S' })
  const shopOnly = await catalog(ws, 'ar', 'shop')
  assert.deepEqual([shopOnly.strings, shopOnly.withheldKeys], [{ s: 'S' }, ['s']])
  for (const none of ['none', 'SHOP', 'shop ', '__proto__', 'x'.repeat(5_000)]) {
    const { strings, smartKeys, withheldKeys } = await catalog(ws, 'ar', none)
    assert.deepEqual([strings, smartKeys, withheldKeys], [{}, [], []], none.slice(0, 20))
  }
  assert.deepEqual((await catalog(ws, 'ar', '')).strings, { a: 'A', s: 'S' })
})

test('C-STR-15 X-INT-09 a hidden key is in none of the three lists, and comes back as it was', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A' }, { key: 'b', sourceText: 'B' })
  await setSensor(ws, 'a', true)
  await save(ws, 'a', 'ar', 'ar a')
  const before = await catalog(ws, 'ar')
  await hide(ws, 'a')
  const hidden = await catalog(ws, 'ar')
  assert.deepEqual([hidden.strings, hidden.smartKeys, hidden.withheldKeys], [{ b: 'B' }, [], []])
  expectStatus(await ws.admin.put('/strings/a', { hidden: false }), 200)
  assert.deepEqual(await catalog(ws, 'ar'), before)
})

test('C-STR-16 C-STR-17 C-STR-20 C-HDR-05 A-48 query before the first tag of Accept-Language, whatever its q and case', async () => {
  const ws = await shop('ar', 'fr')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar', fr: 'fr' } })
  for (const [query, accept, expected] of [
    ['?locale=ar', 'fr', 'ar'],
    ['?locale=AR', undefined, 'ar'],
    ['', 'ar', 'ar'],
    ['', 'fr;q=0.1, ar;q=0.9', 'fr'],
    ['', 'FR', 'fr'],
    ['?locale=', 'fr', 'fr'],
    ['?locale=*', 'fr', 'fr'],
    ['?locale=ar&locale=fr', undefined, 'ar'],
    ['', '*', 'A'],
    ['', '*, ar', 'A'],
    ['', '', 'A'],
  ] as const) {
    const { data } = await ws.app.get(`/strings${query}`, { headers: { 'accept-language': accept ?? '' } })
    assert.equal(data.strings.a, expected, `${query} ${accept}`)
  }
})

test('C-STR-18 C-STR-19 without any wish the source language answers, and English where there is none', async () => {
  const arabic = await workspace({ sourceLocale: 'ar' })
  await sync(arabic, { key: 'a', sourceText: 'مرحبا', values: { en: 'ignored' } })
  assert.deepEqual([(await catalog(arabic)).strings, (await catalog(arabic)).locale], [{ a: 'مرحبا' }, 'ar'])
  const none = await workspace({ sourceLocale: null })
  await sync(none, { key: 'a', values: { en: 'A' } })
  assert.deepEqual([(await catalog(none)).strings, (await catalog(none)).locale], [{ a: 'A' }, 'en'])
  const named = expectStatus(await none.app.get('/strings', { headers: { 'accept-language': 'de' } }), 200).data
  assert.equal(named.locale, 'en')
})

test('C-STR-20 C-STR-21 C-STR-23 C-STR-24 C-STR-29 A-12 exact tag, then parents, never a sibling or a child', async () => {
  const ws = await shop('ar', 'ar-SA', 'ar-EG', 'zh-Hant-TW', 'zh')
  await sync(
    ws,
    { key: 'k1', sourceText: 'K1', values: { ar: 'ar 1', 'ar-SA': 'sa 1' } },
    { key: 'k2', sourceText: 'K2', values: { ar: 'ar 2', 'ar-EG': 'eg 2' } },
    { key: 'k3', sourceText: 'K3', values: { 'ar-EG': 'eg 3', zh: 'zh 3', 'zh-Hant-TW': 'tw 3' } },
  )
  for (const [tag, locale, ...texts] of [
    ['ar-SA', 'ar-SA', 'sa 1', 'ar 2', 'K3'],
    ['AR-sa', 'ar-SA', 'sa 1', 'ar 2', 'K3'],
    ['ar', 'ar', 'ar 1', 'ar 2', 'K3'],
    ['ar-SA-x1', 'ar-SA', 'sa 1', 'ar 2', 'K3'],
    ['ar-MA', 'ar', 'ar 1', 'ar 2', 'K3'],
    ['zh-Hant-HK', 'zh', 'K1', 'K2', 'zh 3'],
    ['zh-Hant-TW', 'zh-Hant-TW', 'K1', 'K2', 'tw 3'],
    ['de', 'en', 'K1', 'K2', 'K3'],
    ['en-GB', 'en', 'K1', 'K2', 'K3'],
    ['arx', 'en', 'K1', 'K2', 'K3'],
  ] as const) {
    const { strings, locale: served } = await catalog(ws, tag)
    assert.deepEqual([served, ...Object.values(strings)], [locale, ...texts], tag)
  }
})

test('X-INT-10 review in the exact tag and approved in the parent: the parent text is served and nothing withheld', async () => {
  const ws = await shop('ar', 'ar-SA')
  await sync(
    ws,
    { key: 'both', sourceText: 'A', values: { ar: 'ar' } },
    { key: 'parent', sourceText: 'B' },
    { key: 'none', sourceText: 'C' },
  )
  await save(ws, 'both', 'ar-SA', 'sa')
  await save(ws, 'parent', 'ar', 'ar')
  const { strings, withheldKeys } = await catalog(ws, 'ar-SA')
  assert.deepEqual([strings, withheldKeys], [{ both: 'ar', none: 'C', parent: 'B' }, ['parent']])
})

test('G-42 in the source language the source text wins over an approved text of its parent', async () => {
  const ws = await workspace({ sourceLocale: 'en-GB' })
  await addLocales(ws, 'en', 'fr')
  await sync(ws, { key: 'a', sourceText: 'Colour', values: { en: 'Color' } })
  assert.equal((await catalog(ws, 'en-GB')).strings.a, 'Colour')
  assert.equal((await catalog(ws, 'en')).strings.a, 'Color')
  assert.equal((await catalog(ws, 'fr')).strings.a, 'Colour')
})

test('C-STR-22 C-STR-27 C-STR-28 C-STR-31 ETags: 304 for the same, another for another language, namespace or sensor list', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar' } }, { key: 's', sourceText: 'S', namespace: 'shop' })
  const get = (path: string, tag?: string) =>
    send(url, `/sdk/v1${path}`, { headers: { 'x-cf-key': ws.live, ...(tag !== undefined && { 'if-none-match': tag }) } })
  const paths = ['/strings?locale=en', '/strings?locale=ar', '/strings?namespace=shop', '/strings?namespace=none', '/locales']
  const tags: string[] = []
  for (const path of paths) {
    const { headers } = await get(path)
    tags.push(headers.etag ?? '')
    const same = await get(path, headers.etag)
    assert.deepEqual([same.status, same.body.length, same.headers.etag], [304, 0, headers.etag], path)
    for (const name of ['x-cf-env', 'x-ratelimit-remaining', 'access-control-allow-origin', 'vary', 'cache-control'])
      assert.ok(same.headers[name], `${path} ${name}`)
  }
  assert.equal(new Set(tags).size, paths.length)
  assert.equal((await get('/strings?locale=ar', tags[0])).status, 200)
  await setSensor(ws, 'a', true)
  const after = await get('/strings?locale=en', tags[0])
  assert.equal(after.status, 200)
  assert.notEqual(after.headers.etag, tags[0])
  assert.equal((await get('/strings?namespace=shop', tags[2])).status, 304, 'nothing of this answer changed')
})

test('C-STR-22 the plain and the long way give the same bytes and headers, compressed too', async () => {
  const ws = await shop('ar')
  await sync(
    ws,
    ...Array.from({ length: 50 }, (_, i) => ({ key: `key${i}`, sourceText: `Text ${i} ${'lorem '.repeat(9)}`, values: { ar: `نص ${i}` } })),
  )
  const get = (path: string, headers: Record<string, string> = {}) => send(url, path, { headers: { 'x-cf-key': ws.live, ...headers } })
  const without = ({ 'x-ratelimit-remaining': _rate, date: _date, ...rest }: Record<string, unknown>) => rest
  for (const path of ['/strings', '/strings?locale=ar', '/strings?namespace=app', '/strings?locale=ar&namespace=app', '/locales']) {
    const [fast, slow] = [await get(`/sdk/v1${path}`), await get(`/api/v1/sdk${path}`)]
    assert.deepEqual(without(fast.headers), without(slow.headers), path)
    assert.ok(fast.body.equals(slow.body), path)
  }
  for (const coding of ['gzip', 'br']) {
    let answer = await get('/sdk/v1/strings', { 'accept-encoding': coding })
    for (let i = 0; i < 200 && !answer.headers['content-encoding']; i++)
      answer = await get('/sdk/v1/strings', { 'accept-encoding': coding })
    assert.equal(answer.headers['content-encoding'], coding)
    assert.equal((await get('/sdk/v1/strings', { 'if-none-match': answer.headers.etag ?? '' })).status, 304)
  }
})

test('C-FLAG-08 G-07 switched off, the catalog is an empty success with version 0', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A' })
  await setSensor(ws, 'a', true)
  const switchTo = async (strings: boolean) => void expectStatus(await ws.admin.put('/settings/features', { features: { strings } }), 200)
  await switchTo(false)
  assert.deepEqual(await catalog(ws, 'ar'), { locale: 'ar', strings: {}, smartKeys: [], withheldKeys: [], version: '0' })
  await switchTo(true)
  assert.deepEqual((await catalog(ws)).strings, { a: 'A' })
})

test('C-STR-30 C-STR-32..C-STR-34 G-34 locales with names, direction and coverage', async () => {
  assert.deepEqual((await (await workspace({ sourceLocale: null })).app.get('/locales')).data, { locales: [] })
  const ws = await shop('ar')
  expectStatus(await ws.admin.post('/locales', { code: 'he', name: 'Iwrit', native: 'עברית', rtl: false }), 201)
  const list = async () => expectStatus(await ws.app.get('/locales'), 200).data.locales
  assert.deepEqual(await list(), [
    { code: 'ar', name: 'Arabic', native: 'العربية', rtl: true, coverage: 0 },
    { code: 'en', name: 'English', native: 'English', rtl: false, coverage: 100 },
    { code: 'he', name: 'Iwrit', native: 'עברית', rtl: false, coverage: 0 },
  ])
  const coverage = async () => (await list())[0].coverage
  await sync(ws, ...['a', 'b', 'c'].map((key) => ({ key, sourceText: key })))
  const seen = [await coverage()]
  for (const key of ['a', 'b', 'c']) {
    await sync(ws, { key, values: { ar: 'ar' } })
    seen.push(await coverage())
  }
  assert.deepEqual(seen, [0, 33, 66, 100])
  await save(ws, 'a', 'ar', 'other')
  assert.equal(await coverage(), 66)
  await hide(ws, 'a')
  assert.equal(await coverage(), 100, 'hidden strings do not count')
  assert.deepEqual(
    (await ws.admin.get('/locales')).data.locales.map(({ code, coverage: percent }: any) => [code, percent]),
    [
      ['ar', 100],
      ['en', 100],
      ['he', 0],
    ],
  )
})

test('G-11 C-SBX-04 test keys read the same catalog, and those of a linked sandbox its own', async () => {
  const ws = await shop('ar')
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar' } }, { key: 'h', sourceText: 'H' })
  await hide(ws, 'h')
  await setSensor(ws, 'a', true)
  expectStatus(await ws.admin.post('/locales', { code: 'he', name: 'Iwrit' }), 201)
  const before = await ws.testApp.get('/strings?locale=ar')
  assert.deepEqual([before.headers.get('x-cf-env'), before.data.strings], ['test', { a: 'ar' }])
  expectStatus(await ws.admin.post('/settings/sandbox', {}), 201)
  const copied = await ws.testApp.get('/strings?locale=ar')
  assert.deepEqual(copied.data, before.data, 'G-11 a sandbox starts with copies')
  assert.deepEqual((await ws.testApp.get('/locales')).data, (await ws.app.get('/locales')).data)
  await sync(ws, { key: 'a', values: { ar: 'changed' } })
  assert.deepEqual([(await catalog(ws, 'ar')).strings, (await ws.testApp.get('/strings?locale=ar')).data], [{ a: 'changed' }, before.data])
})

test('G-11 G-13 a large catalog is copied whole; a pipeline may send more than a megabyte at once', async () => {
  const ws = await shop('ar')
  for (const from of [0, 2_000, 4_000]) {
    const rows = Array.from({ length: 2_000 }, (_, i) => ({
      key: `k${from + i}`,
      sourceText: 'S'.repeat(600),
      values: { ar: `ar ${from + i}` },
    }))
    assert.equal((await sync(ws, ...rows)).created, 2_000)
  }
  expectStatus(await ws.admin.post('/settings/sandbox', {}), 201)
  const copied = (await ws.testApp.get('/strings?locale=ar')).data
  assert.equal(Object.keys(copied.strings).length, 6_000)
  assert.deepEqual(copied, await catalog(ws, 'ar'))
})

test('tags and namespaces of clients cost no memory: a thousand unknown ones share the answers there are', async () => {
  const ws = await shop('ar')
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await sync(ws, { key: 'a', sourceText: 'A', values: { ar: 'ar' } })
  const tags = new Set<string>()
  for (let i = 0; i < 1_000; i++) {
    const suffix = `x${i.toString(36)}`
    const { headers, status } = await send(url, `/sdk/v1/strings?locale=ar-${suffix}&namespace=n${suffix}`, {
      headers: { 'x-cf-key': ws.live },
    })
    assert.equal(status, 200)
    tags.add(headers.etag ?? '')
  }
  assert.equal(tags.size, 1)
})
