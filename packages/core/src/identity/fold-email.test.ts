import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldEmail } from './fold-email.ts'

test('spellings of one email fold to one form, other emails do not', () => {
  for (const [a, b] of [
    ['Ada@Example.COM', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ['J\u00dcRGEN@x.de', 'ju\u0308rgen@x.de'],
    ['İx@example.com', 'i\u0307x@example.com'],
  ] as const)
    assert.equal(foldEmail(a), foldEmail(b))
  for (const [a, b] of [
    ['İx@example.com', 'ix@example.com'],
    ['ıx@example.com', 'ix@example.com'],
    ['İX@example.com', 'ıx@example.com'],
    ['ada@example.com', 'ada@example.org'],
  ] as const)
    assert.notEqual(foldEmail(a), foldEmail(b))
})

test('what is folded stays as it is when it is folded again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = foldEmail(text)
      assert.equal(foldEmail(folded), folded)
    }),
    { seed: 20260301, numRuns: 300 },
  )
})
