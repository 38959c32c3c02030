/** The texts of all pages: Arabic says what English says, with the same values in it. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

// What the texts ask of a browser.
Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })
const { defineTexts, i18n, loadTexts } = await import('./i18n.ts')

const FORM = /_(zero|one|two|few|many|other)$/
const holesOf = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()

test('Arabic texts are typed by the keys of the English ones', () => {
  // @ts-expect-error One is missing.
  defineTexts('missing', { en: { a: 'A', b: 'B' }, ar: { a: 'أ' } })
  // @ts-expect-error One has no English.
  defineTexts('more', { en: { a: 'A' }, ar: { a: 'أ', b: 'ب' } })
  // @ts-expect-error Arabic has six plural forms.
  defineTexts('plural', { en: { a_one: '1', a_other: 'n' }, ar: { a_one: '1', a_other: 'n' } })
  const forms = { a_zero: '', a_one: '', a_two: '', a_few: '', a_many: '', a_other: '' }
  defineTexts('right', { en: { a_one: '1', a_other: 'n' }, ar: forms })
})

test('Arabic texts have the same values in them as the English ones', async () => {
  const before = new Set(Object.keys(i18n.store.data['en'] ?? {}))
  const files = globSync('**/*texts*.ts', { cwd: fileURLToPath(new URL('.', import.meta.url)) })
  for (const file of files) await import(pathToFileURL(fileURLToPath(new URL(file, import.meta.url))).href)
  await loadTexts('ar')
  const namespaces = Object.keys(i18n.store.data['en'] ?? {}).filter((name) => !before.has(name))
  assert.ok(namespaces.length > 10)
  for (const name of namespaces) {
    const arabic: Record<string, string> = i18n.getResourceBundle('ar', name)
    for (const [key, text] of Object.entries<string>(i18n.getResourceBundle('en', name)))
      // What the server says in English is said in other words in Arabic.
      if (!FORM.test(key) && !text.includes('{{message}}')) assert.deepEqual(holesOf(arabic[key] ?? ''), holesOf(text), `${name}: ${key}`)
  }
})
