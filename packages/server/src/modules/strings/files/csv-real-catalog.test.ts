/** A catalog that people translated: the names of languages, scripts and territories of the Unicode CLDR (cldr-localenames-full). */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { csvLine } from '@contentflow/core/strings/write-csv.ts'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const folder = join(dirname(fileURLToPath(import.meta.resolve('cldr-localenames-full/package.json'))), 'main')
const FILES = ['languages', 'scripts', 'territories', 'variants', 'localeDisplayNames']
const LOCALES = ['ar', 'de', 'es', 'fa', 'fr', 'he', 'hi', 'ja', 'pl', 'ru', 'tr', 'zh-Hant']

function textsOf(locale: string): Map<string, string> {
  const texts = new Map<string, string>()
  const collect = (value: string | object, path: string): void => {
    if (typeof value === 'string') return void texts.set(path, value)
    for (const [name, inner] of Object.entries(value)) if (name !== 'identity') collect(inner, path === '' ? name : `${path}.${name}`)
  }
  for (const file of FILES.map((name) => join(folder, locale, `${name}.json`)))
    if (existsSync(file)) collect(JSON.parse(readFileSync(file, 'utf8')).main[locale], '')
  return texts
}

const english = textsOf('en')
const translated = new Map(LOCALES.map((locale) => [locale, textsOf(locale)]))

async function emptyWorkspace(): Promise<Workspace> {
  const ws = await workspace()
  for (const code of LOCALES) expectStatus(await ws.admin.post('/locales', { code }), 201)
  return ws
}

async function importFile(ws: Workspace, csv: string): Promise<any> {
  const sent = await ws.admin.post('/strings/imports', undefined, { raw: csv, headers: { 'content-type': 'text/csv' } })
  return expectStatus(await ws.admin.post(`/strings/imports/${expectStatus(sent, 201).data.importId}/apply`), 200).data.summary
}

async function syncAll(ws: Workspace): Promise<number> {
  const rows = [...english].map(([key, sourceText]) => ({
    key,
    sourceText,
    values: Object.fromEntries([...translated].flatMap(([locale, texts]) => (texts.has(key) ? [[locale, texts.get(key)]] : []))),
  }))
  let written = 0
  for (let from = 0; from < rows.length; from += 2_000)
    written += expectStatus(await ws.write.post('/strings/sync', { strings: rows.slice(from, from + 2_000) }), 200).data.translationsWritten
  return written
}

const fileOf = async (ws: Workspace) => expectStatus(await ws.admin.get('/strings/export'), 200).text
const served = async (ws: Workspace, locale: string) => expectStatus(await ws.app.get(`/strings?locale=${locale}`), 200).data

test('M-STRS-36 M-STRS-06 a real catalog in twelve languages comes out as it went in, by file and by sync', async () => {
  assert.ok(english.size > 1_500, `only ${english.size} texts`)
  const csv = [...english].map(([key, text]) => csvLine([key, text, ...LOCALES.map((locale) => translated.get(locale)?.get(key) ?? '')]))
  const [byFile, bySync, copy] = [await emptyWorkspace(), await emptyWorkspace(), await emptyWorkspace()]
  const summary = await importFile(byFile, csvLine(['key', 'en', ...LOCALES]) + csv.join(''))
  assert.deepEqual([summary.created, summary.rejectedCount, summary.skippedLocales], [english.size, 0, []])
  assert.ok(summary.translationsWritten > 12_000, `only ${summary.translationsWritten} translations`)
  assert.equal(await syncAll(bySync), summary.translationsWritten)

  for (const locale of ['en', ...LOCALES]) {
    const { strings, withheldKeys } = await served(byFile, locale)
    const expected = [...english].map(([key, text]) => [key, translated.get(locale)?.get(key) ?? text])
    assert.deepEqual(strings, Object.fromEntries(expected), locale)
    assert.deepEqual(withheldKeys, [])
    assert.deepEqual((await served(bySync, locale)).strings, strings, locale)
  }
  const locales = expectStatus(await byFile.app.get('/locales'), 200).data.locales
  assert.deepEqual(
    locales.filter(({ rtl }: any) => rtl).map(({ code }: any) => code),
    ['ar', 'fa', 'he'],
  )

  const file = await fileOf(byFile)
  assert.equal(await fileOf(bySync), file)
  await importFile(copy, file)
  assert.equal(await fileOf(copy), file)
  assert.equal((await importFile(copy, file)).unchanged, english.size)
})

test('G-39 the patterns of a real catalog keep their placeholders in every language', async () => {
  const ws = await emptyWorkspace()
  await syncAll(ws)
  const { strings } = expectStatus(await ws.admin.get('/strings?q=Pattern&limit=200'), 200).data
  assert.ok(strings.length > 0)
  for (const { key, translations } of strings)
    for (const [locale, { warnings }] of Object.entries<any>(translations)) assert.deepEqual(warnings, [], `${key} in ${locale}`)
})
