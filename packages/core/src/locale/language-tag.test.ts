import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldTag, languageTag, spellingsOf } from './language-tag.ts'
import { askedLocale, localeChain, readTag } from './pick-locale.ts'

test('G-95 one spelling of each language', () => {
  for (const [sent, tag] of [
    ['ar', 'ar'],
    ['ar_SA', 'ar-SA'],
    ['AR_sa', 'AR-sa'],
    ['zh_Hant_TW', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['IW_IL', 'he-IL'],
    ['in', 'id'],
    ['in-ID', 'id-ID'],
    ['ji', 'yi'],
    ['iwx', 'iwx'],
    ['ina', 'ina'],
    ['en-in', 'en-in'],
    ['constructor', 'constructor'],
    ['', ''],
  ] as const)
    assert.equal(languageTag(sent), tag)
  assert.equal(foldTag('IW_il'), 'he-il')
})

test('G-95 C89 what is asked for is read in the one spelling, and its chain too', () => {
  for (const [query, accept, read] of [
    ['ar_SA', undefined, 'ar-SA'],
    ['iw', undefined, 'he'],
    [undefined, 'in_ID;q=0.9, en', 'id-ID'],
    [undefined, ' ji , en', 'yi'],
    ['_', 'fr_CA', 'fr-CA'],
    ['ar_', undefined, undefined],
  ] as const)
    assert.equal(askedLocale(query, accept), read, query ?? accept)
  assert.deepEqual(localeChain('IW_Hebr_IL'), ['he-hebr-il', 'he-hebr', 'he'])
  assert.equal(readTag('en__GB'), undefined)
})

test('G-95 a spelling that was read is read again as itself', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('iw', 'in', 'ar', 'SA', '_', '-'), { maxLength: 6 }), (parts) => {
      const tag = languageTag(parts.join(''))
      assert.equal(languageTag(tag), tag)
    }),
    { seed: 20261126, numRuns: 1_000 },
  )
})

test('every spelling of a tag folds to the same one', () => {
  assert.deepEqual(spellingsOf('AR_sa'), ['ar-sa', 'ar_sa'])
  assert.deepEqual(spellingsOf('he'), ['he', 'iw'])
  assert.deepEqual(spellingsOf('in-ID'), ['id-id', 'id_id', 'in-id', 'in_id'])
  for (const tag of spellingsOf('zh-Hant-HK')) assert.equal(foldTag(tag), 'zh-hant-hk')
})
