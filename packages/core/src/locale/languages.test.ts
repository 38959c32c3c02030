import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fallbackFor } from './fallback.ts'
import { coverageOf, isRightToLeft, languageName } from './languages.ts'

test('C-STR-33 G-42 right to left by language, unless the code names another script', () => {
  for (const code of ['ar', 'AR', 'ar-SA', 'fa', 'fa-IR', 'he', 'he-IL', 'ur', 'ur-PK', 'az-Arab', 'ckb', 'ar-Arab-SA'])
    assert.ok(isRightToLeft(code), code)
  for (const code of ['en', 'fr-CA', 'tr', 'ar-Latn', 'fa-Cyrl', 'az', 'arz-Latn', 'en-AR', 'zh-Hant'])
    assert.ok(!isRightToLeft(code), code)
})

test('C-STR-30 names in English and in the language itself; the code when nobody knows one', () => {
  assert.deepEqual(
    [languageName('ar', 'en'), languageName('ar', 'ar'), languageName('fr-CA', 'en')],
    ['Arabic', 'العربية', 'Canadian French'],
  )
  for (const code of ['qq', 'ab-12', 'xx-YY', 'abc-aaaaaaaa-aaaaaaaa']) {
    assert.ok(languageName(code, 'en').length > 0)
    assert.ok(languageName(code, code).length > 0)
  }
  assert.equal(languageName('ab-1a', 'ab-1a'), 'ab-1a')
})

test('C-STR-34 coverage is whole percent, rounded down', () => {
  assert.deepEqual([coverageOf(0, 0), coverageOf(1, 3), coverageOf(199, 200), coverageOf(200, 200)], [0, 33, 99, 100])
})

test('C-STR-21 C-STR-23 C-STR-24 A-12 G-42 the chain of a tag', () => {
  const locales = new Map(['ar', 'ar-SA', 'en', 'en-GB', 'zh-Hant'].map((code) => [code.toLowerCase(), code]))
  for (const [tag, served, ...chain] of [
    ['AR-sa', 'ar-SA', 'ar-SA', 'ar'],
    ['ar-EG', 'ar', 'ar'],
    ['ar', 'ar', 'ar'],
    ['zh-Hant-TW', 'zh-Hant', 'zh-Hant'],
    ['zh', 'en'],
    ['en', 'en'],
    ['en-GB', 'en-GB', 'en-GB'],
    ['de', 'en'],
  ] as const)
    assert.deepEqual(fallbackFor(tag, locales, 'EN'), { served, chain }, tag)
  assert.deepEqual(fallbackFor('en-GB', locales, 'en-GB'), { served: 'en-GB', chain: [] })
  assert.deepEqual(fallbackFor('de', new Map(), 'en'), { served: 'en', chain: [] })
})
