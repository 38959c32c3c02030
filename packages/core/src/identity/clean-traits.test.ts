import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanTraits } from './clean-traits.ts'

const many = (count: number, prefix = 't') => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]))

const CASES: [name: string, input: unknown, expected: object | undefined][] = [
  ['C-DEV-15 letters, digits and underscores', { a: 1, A_9: 2, ['k'.repeat(64)]: 3 }, { a: 1, A_9: 2, ['k'.repeat(64)]: 3 }],
  ['C-DEV-16 case counts', { plan: 1, Plan: 2 }, { plan: 1, Plan: 2 }],
  ['C-DEV-17 other keys are left out', { 'a.b': 1, $c: 1, 'd-e': 1, '': 1, ['k'.repeat(65)]: 1, é: 1, 'a\n': 1, ok: 1 }, { ok: 1 }],
  [
    'C-DEV-17 what objects have by nature is no trait',
    JSON.parse('{"__proto__":{"x":1},"constructor":1,"ok":1}'),
    { constructor: 1, ok: 1 },
  ],
  ['C-DEV-17 A-09 nothing left over', { 'a.b': 1 }, undefined],
  ['C-DEV-18 fifty', many(50), many(50)],
  ['C-DEV-19 A-09 the first fifty', many(60), many(50)],
  ['C-DEV-19 A-09 what is left out is not counted', { ...many(30, 'a.'), ...many(50) }, many(50)],
  ['C-DEV-20 4096 bytes', { a: 'x'.repeat(4094) }, { a: 'x'.repeat(4094) }],
  ['C-DEV-21 4097 bytes', { a: 'x'.repeat(4095), ok: 1 }, { ok: 1 }],
  ['C-DEV-22 Arabic that fits', { a: 'ش'.repeat(1400) }, { a: 'ش'.repeat(1400) }],
  ['C-DEV-22 Arabic that does not', { a: 'ش'.repeat(2100), ok: 1 }, { ok: 1 }],
  [
    'C-DEV-22 the edge in three bytes a letter',
    { a: `${'你'.repeat(1364)}xx`, b: `${'你'.repeat(1364)}xxx` },
    { a: `${'你'.repeat(1364)}xx` },
  ],
  [
    'C-DEV-22 the edge in four bytes a sign',
    { a: `${'😀'.repeat(1023)}xx`, b: `${'😀'.repeat(1023)}xxx` },
    { a: `${'😀'.repeat(1023)}xx` },
  ],
  ['C-DEV-22 quotes count as JSON writes them', { a: '"'.repeat(2047), b: '"'.repeat(2048) }, { a: '"'.repeat(2047) }],
  ['C-DEV-23 arrays, objects and null', { a: [1, 'b'], o: { city: 'R' }, n: null }, { a: [1, 'b'], o: { city: 'R' }, n: null }],
  ['C-DEV-25 nothing sent', undefined, undefined],
  ['C-DEV-26 an empty set', {}, undefined],
  ['C-DEV-27 null', null, undefined],
  ['C-DEV-28 a text', 'x', undefined],
  ['C-DEV-28 a number', 7, undefined],
  ['C-DEV-28 an array', [1], undefined],
]

for (const [name, input, expected] of CASES)
  test(name, () => {
    assert.deepEqual(cleanTraits(input), expected)
  })

const key = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9_]{1,64}$/), fc.string({ maxLength: 70 }))
const traits = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.string({ minLength: 4080, maxLength: 4100 })), { maxKeys: 60 })

test('C-DEV-15..C-DEV-21 whatever is kept was sent, is allowed, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(traits, (input) => {
      const kept = cleanTraits(input)
      const allowed = Object.entries(input).filter(
        ([name, value]) => /^[a-zA-Z0-9_]{1,64}$/.test(name) && name !== '__proto__' && Buffer.byteLength(JSON.stringify(value)) <= 4096,
      )
      assert.deepEqual(Object.entries(kept ?? {}), allowed.slice(0, 50))
      assert.equal(kept === undefined, allowed.length === 0)
      assert.deepEqual(cleanTraits(kept), kept)
    }),
  )
})
