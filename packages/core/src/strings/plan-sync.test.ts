import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runToEnd } from '../steps.ts'
import { lastOfEach, planSync, type StoredString, type StringRow, type SyncPlan } from './plan-sync.ts'
import { nextTranslationStatus, type TranslationAct, type TranslationStatus } from './status.ts'

const LANGUAGES = { sourceLocale: 'en', locales: ['ar', 'en', 'fr-CA'] }
const row = (key: string, rest: Partial<Omit<StringRow, 'values'>> & { values?: Record<string, string> } = {}): StringRow => ({
  ...rest,
  key,
  values: new Map(Object.entries(rest.values ?? {})),
})
const stored = (
  rest: Partial<Omit<StoredString, 'translations'>> = {},
  translations: Record<string, [string, 'ok' | 'review']> = {},
): StoredString => ({
  namespace: 'app',
  description: '',
  sourceText: 'A',
  ...rest,
  translations: new Map(Object.entries(translations).map(([locale, [text, status]]) => [locale, { text, status }])),
})
const plan = (rows: StringRow[], known: Record<string, StoredString> = {}, languages = LANGUAGES): SyncPlan =>
  runToEnd(planSync(lastOfEach(rows), new Map(Object.entries(known)), languages))

test('C-STR-36..C-STR-42 every act from every status', () => {
  const table: Record<TranslationAct, Record<TranslationStatus, TranslationStatus>> = {
    approve: { ok: 'ok', review: 'ok', missing: 'missing' },
    save: { ok: 'review', review: 'review', missing: 'review' },
    send: { ok: 'ok', review: 'ok', missing: 'ok' },
    'send-with-source': { ok: 'review', review: 'review', missing: 'review' },
    'send-broken': { ok: 'review', review: 'review', missing: 'review' },
    'change-source': { ok: 'review', review: 'review', missing: 'missing' },
  }
  for (const [act, outcomes] of Object.entries(table))
    for (const [status, next] of Object.entries(outcomes))
      assert.equal(nextTranslationStatus(status as TranslationStatus, act as TranslationAct), next, `${status} ${act}`)
})

test('M-STRS-14 M-STRS-18 a row that equals what is stored plans nothing, whatever the statuses', () => {
  const known = { a: stored({ namespace: 'shop', description: 'd' }, { ar: ['ar', 'review'], 'fr-CA': ['fr', 'ok'] }) }
  for (const same of [
    row('a'),
    row('a', { sourceText: 'A', namespace: 'shop', description: 'd', values: { AR: 'ar', 'fr-ca': 'fr' } }),
    row('a', { sourceText: '', namespace: '', values: { en: 'A', ar: '' } }),
  ]) {
    const { inserts, updates, translations, toReview, unchanged, outcomes } = plan([same], known)
    assert.deepEqual([inserts, updates, translations, toReview, unchanged, outcomes], [[], [], [], [], 1, ['unchanged']])
  }
})

test('M-STRS-15 M-STRS-16 with a source change, texts of the row are for review, and so is what stays', () => {
  const known = { a: stored({}, { ar: ['ar', 'ok'], 'fr-CA': ['fr', 'ok'] }) }
  const { updates, translations, toReview } = plan([row('a', { sourceText: 'A2', values: { ar: 'ar2', 'fr-CA': 'fr' } })], known)
  assert.deepEqual(updates, [{ key: 'a', namespace: 'app', description: '', sourceText: 'A2' }])
  assert.deepEqual(translations, [{ key: 'a', locale: 'ar', text: 'ar2', status: 'review' }])
  assert.deepEqual(toReview, ['a'])
})

test('M-STRS-17 C-STR-43 without one they are approved, and for a new key too', () => {
  const { inserts, translations } = plan([row('new', { sourceText: 'N', values: { ar: 'n' } }), row('a', { values: { ar: 'other' } })], {
    a: stored({}, { ar: ['ar', 'review'] }),
  })
  assert.deepEqual(inserts, [{ key: 'new', namespace: 'app', description: '', sourceText: 'N' }])
  assert.deepEqual(
    translations.map(({ key, status }) => [key, status]),
    [
      ['new', 'ok'],
      ['a', 'ok'],
    ],
  )
})

test('M-STRS-07 M-STRS-12 G-41 outcomes of rows: rejected, the last of a key, skipped locales once', () => {
  const { outcomes, rejected, skippedLocales, created } = plan([
    row('a', { sourceText: 'first', values: { de: 'x' } }),
    row('n', { values: { ar: 'n', it: 'i', IT: 'i', pt: '' } }),
    row('a', { sourceText: 'last' }),
  ])
  assert.deepEqual(outcomes, ['rejected', 'created'])
  assert.deepEqual(rejected, [{ index: 0, key: 'n', reason: 'missing_source_text' }])
  assert.deepEqual([skippedLocales, created], [['it'], 1])
})

test('C-STR-19 without a source language the English entry is the source text', () => {
  const { inserts, translations } = plan(
    [row('a', { values: { EN: 'A', ar: 'ar' } })],
    {},
    { sourceLocale: null as never, locales: ['ar'] },
  )
  assert.deepEqual([inserts[0]?.sourceText, translations.length], ['A', 1])
})

test('20,000 rows with 12 locales are planned, none compared with all others', () => {
  const locales = Array.from({ length: 12 }, (_, i) => `a${String.fromCodePoint(97 + i)}`)
  const rows = Array.from({ length: 20_000 }, (_, i) =>
    row(`key.${i}`, { sourceText: `Text ${i}`, values: Object.fromEntries(locales.map((locale) => [locale, `${locale} ${i}`])) }),
  )
  assert.equal(runToEnd(planSync(rows, new Map(), { sourceLocale: 'en', locales })).translationsWritten, 240_000)
})

test('M-STRS-42 a text that lost its placeholder waits for review when a file brings it, and is told when a pipeline does', () => {
  const rows = [
    {
      key: 'k',
      sourceText: 'Hi {name}',
      values: new Map([
        ['ar', 'أهلا'],
        ['fr', 'Salut {name}'],
      ]),
    },
    {
      key: 'p',
      sourceText: '{n, plural, one {one} other {#}}',
      values: new Map([
        ['ar', '{n, plural, other {#}'],
        ['fr', '%'],
      ]),
    },
  ]
  const languages = { sourceLocale: 'en', locales: ['en', 'ar', 'fr'] }
  const planned = (rule: 'tell' | 'review', known: Record<string, StoredString> = {}) => {
    const { translations, mismatches } = runToEnd(planSync(rows, new Map(Object.entries(known)), languages, rule))
    return {
      statuses: translations.map(({ key, locale, status }) => `${key} ${locale} ${status}`),
      told: mismatches.map(({ index, key, locale, warnings }) => `${index} ${key} ${locale} ${warnings.map(({ code }) => code).join()}`),
    }
  }
  const told = ['0 k ar missing_placeholder', '1 p ar unbalanced_braces', '1 p fr missing_placeholder']
  assert.deepEqual(planned('review'), { statuses: ['k ar review', 'k fr ok', 'p ar review', 'p fr review'], told })
  assert.deepEqual(planned('tell'), { statuses: ['k ar ok', 'k fr ok', 'p ar ok', 'p fr ok'], told })
  // What is stored already was decided on: a file leaves it, a pipeline is told again.
  const translations = new Map([['ar', { text: 'أهلا', status: 'ok' as const }]])
  const known = { k: { namespace: 'app', description: '', sourceText: 'Hi {name}', translations } }
  assert.deepEqual(planned('review', known).told, told.slice(1))
  assert.deepEqual(planned('tell', known).told, told)
})
