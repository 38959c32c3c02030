import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerOf, suggestTargets, type ColumnTarget } from './import-columns.ts'
import { parseCsv, replaceHeader } from './parse-csv.ts'

const locales = { source: 'en', translated: ['ar', 'fr-CA', 'pt-BR'] }

test('G-40 columns are known by the names they have here and elsewhere', () => {
  for (const [name, target] of [
    ['KEY', 'key'],
    ['String ID', 'key'],
    ['المفتاح', 'key'],
    ['EN', 'source'],
    ['English', 'source'],
    ['Source', 'source'],
    ['en-US', 'source'],
    ['النص الأصلي', 'source'],
    ['AR', 'locale:ar'],
    ['ar_SA', 'locale:ar'],
    ['Arabic', 'locale:ar'],
    ['العربية', 'locale:ar'],
    ['Arabic (ar)', 'locale:ar'],
    ['fr_ca', 'locale:fr-CA'],
    ['pt-br', 'locale:pt-BR'],
    ['Notes', 'description'],
    ['Group', 'namespace'],
    ['de', 'ignored'],
    ['', 'ignored'],
    ['Owner', 'ignored'],
  ] as const)
    assert.deepEqual(suggestTargets([name], locales), [target], name)
})

test('G-40 a target is given once, to the column that says it plainest, and what was chosen before comes first', () => {
  assert.deepEqual(suggestTargets(['name', 'key', 'Text', 'en', 'sourceText', 'Arabic', 'ar'], locales), [
    'ignored',
    'key',
    'ignored',
    'source',
    'source',
    'ignored',
    'locale:ar',
  ])
  const remembered = new Map<string, ColumnTarget>([
    ['copy', 'locale:ar'],
    ['ar', 'ignored'],
    ['gone', 'locale:de'],
  ])
  assert.deepEqual(suggestTargets(['key', 'Copy', 'ar', 'gone'], locales, remembered), ['key', 'locale:ar', 'ignored', 'ignored'])
})

test('G-40 the header is written anew only where it says something else, and every line keeps its number', () => {
  const targets = (header: string[]) => suggestTargets(header, locales)
  assert.equal(headerOf(['Key', 'en', 'AR', ''], targets(['Key', 'en', 'AR', '']), locales), null)
  assert.equal(headerOf(['key', 'sourceText', 'en'], targets(['key', 'sourceText', 'en']), locales), null)
  assert.deepEqual(headerOf(['key', 'Owner', 'en'], targets(['key', 'Owner', 'en']), locales), ['key', '', 'sourceText'])
  const csv = '\ufeff\r\n"String\nID";"a;b";English;Arabic\r\nk;x;"A;\nB";ا\n\nl;;C;'
  const read = parseCsv(csv)
  assert.ok(read.ok)
  const header = headerOf(read.table.header, ['key', 'ignored', 'source', 'locale:ar'], locales)
  const written = parseCsv(replaceHeader(csv, header ?? []))
  assert.ok(written.ok)
  assert.deepEqual(written.table.header, ['key', '', 'sourceText', 'ar'])
  assert.deepEqual(written.table.rows, read.table.rows)
  assert.equal(replaceHeader('id,en', ['key', 'sourceText']), 'key,sourceText')
  assert.equal(replaceHeader('sep=;\r\nid;en\r\na;b', ['key', 'sourceText']), 'sep=;\r\nkey;sourceText\na;b')
})
