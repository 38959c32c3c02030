import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLocaleCode, localeChain, pickLocale } from './pick-locale.ts'

test('locale codes', () => {
  for (const code of ['en', 'AR', 'fil', 'ar-SA', 'zh-Hant-TW', 'es-419', 'sl-rozaj-biske-1994'])
    assert.equal(isLocaleCode(code), true, code)
  for (const code of ['', 'e', 'engl', 'en_GB', 'en-', '-en', 'en-a', 'en--GB', 'e1', '*', 'en ', 'عر', `en${'-abcdefgh'.repeat(4)}`])
    assert.equal(isLocaleCode(code), false, code)
})

test('the query comes first, then the first accepted language, then the source language, then English', () => {
  const table: [string | undefined, string | undefined, string | null, string][] = [
    ['fr', 'de', 'ar', 'fr'],
    [undefined, 'de', 'ar', 'de'],
    [undefined, undefined, 'ar', 'ar'],
    [undefined, undefined, null, 'en'],
    ['', 'de', 'ar', 'de'],
    ['not a tag', 'de', 'ar', 'de'],
    ['*', '*', 'ar', 'ar'],
    [undefined, 'de;q=0.2, fr;q=0.9', 'ar', 'de'],
    [undefined, ' pt-BR , de', 'ar', 'pt-BR'],
    [undefined, '*, de', 'ar', 'ar'],
    [undefined, ',de', 'ar', 'ar'],
    [undefined, '', null, 'en'],
  ]
  for (const [query, accept, source, expected] of table)
    assert.equal(pickLocale(query, accept, source), expected, JSON.stringify([query, accept, source]))
})

test('the chain goes from the tag to its parents, in lower case', () => {
  assert.deepEqual(localeChain('zh-Hant-TW'), ['zh-hant-tw', 'zh-hant', 'zh'])
  assert.deepEqual(localeChain('EN'), ['en'])
  assert.deepEqual(localeChain(''), [])
})

test('every chain of a locale code ends at its language, each step a prefix of the one before', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9]{2,8}$/)
  const code = fc
    .tuple(fc.stringMatching(/^[A-Za-z]{2,3}$/), fc.array(part, { maxLength: 3 }))
    .map(([language, rest]) => [language, ...rest].join('-'))
  fc.assert(
    fc.property(code, (tag) => {
      const chain = localeChain(tag)
      assert.equal(chain.length, tag.split('-').length)
      assert.equal(chain.at(-1), tag.split('-')[0]?.toLowerCase())
      for (const [i, step] of chain.slice(1).entries()) assert.ok(chain[i]?.startsWith(`${step}-`))
    }),
    { seed: 20260301, numRuns: 300 },
  )
})

test('any two texts from outside lead to a locale code', () => {
  const text = fc.option(fc.string(), { nil: undefined })
  fc.assert(
    fc.property(text, text, (query, accept) => assert.equal(isLocaleCode(pickLocale(query, accept, null)), true)),
    { seed: 20260301, numRuns: 500 },
  )
})
