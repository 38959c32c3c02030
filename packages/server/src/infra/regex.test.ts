import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { hash32 } from './secrets/crypto.ts'
import { compileRegex, openRegexCheck } from './regex.ts'

const regexFault = (pattern: string) => openRegexCheck()(pattern)

const TEXTS = [
  '',
  'a',
  'ab12',
  'AB12',
  'a\nb',
  'a\u2028b',
  'a\u00a0b',
  'a b',
  'foo.bar',
  'x-y_z',
  '1/2',
  '٣٤',
  'مرحبا بالعالم',
  'é',
  'e\u0301',
  '😀',
  'a😀b',
  'tab\there',
  '\u0007',
  '\u0008',
  'user@example.com',
  '[]{}()^$|\\/*+?.',
  'b]',
  ':alph]',
  'Straße',
  'ſ',
  'K',
]

const PATTERNS = [
  '^ab\\d+$',
  'AB',
  '(?i:ab)\\d',
  '.',
  '^.$',
  'a.b',
  '^\\s*$',
  'a\\sb',
  '\\S\\s\\S',
  '[\\s]',
  '[^\\s]',
  '[\\S]',
  '[^\\S]',
  '[\\s\\S]',
  '\\bfoo\\b',
  '\\Boo',
  '[\\b]',
  'foo\\.bar',
  'x\\-y',
  '[\\-x]',
  '\\/',
  '1/2',
  '\\u0627',
  '[\\u0600-\\u06FF]+',
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '[\\u{1F600}-\\u{1F64F}]',
  '\\x61\\x62',
  '\\cG',
  '\\0',
  '\\t',
  '\\v',
  '(?<word>a)b',
  '(?:a|b)+',
  'a{2,3}',
  'a{00}b{01,}c{0,02}',
  'a*?b',
  '^$',
  '$',
  '^',
  '[]',
  '[^]',
  '[[]',
  '[[:alpha:]]',
  '[]a]',
  '[^]a]',
  '[a^]',
  '[\\^a]',
  '\\$\\|',
  '\\p{L}',
  '\\P{L}',
  '\\p{Script=Arabic}',
  '\\p{gc=Lu}',
  '\\w+@\\w+',
  '\\W',
  '\\D',
  'é',
  '[^a]b',
  'a|',
  '(a)(b)?',
  'x{',
  '\\_',
  '\\:',
  '\\@example',
]

/**
 * With `u` where the pattern is valid so: matching is by code point. Searched for from the beginning of the text, as V8
 * 14.6 does not find `[^b]$` in a text that ends with a character beyond U+FFFF.
 */
function nodeRegex(pattern: string): RegExp {
  try {
    const { source } = new RegExp(pattern, 'u')
    return new RegExp(`^[^]*?(?:${source})`, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

test('C-SEG-34 patterns find what they find in ECMAScript', () => {
  for (const pattern of PATTERNS) {
    const search = compileRegex(pattern)
    assert.ok(search, `${pattern}: ${regexFault(pattern)}`)
    for (const text of TEXTS) assert.equal(search(text), nodeRegex(pattern).test(text), `${pattern} in ${JSON.stringify(text)}`)
  }
})

test('C-SEG-34 patterns without a linear meaning or without any are refused, none throws', () => {
  const refused = ['(', ')', '[', '*a', '+', 'a**', '\\', '(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(a)\\1', '(?<n>a)\\k<n>', '(?P<n>a)']
  for (const pattern of [...refused, '\\uD83D', 'a{9999}', '(?s:a)', '[b-a]', 'a{2,1}', '(((a{100}){100}){100})', '\\00?']) {
    assert.equal(compileRegex(pattern), undefined, pattern)
    assert.equal(typeof regexFault(pattern), 'string', pattern)
  }
})

test('C-SEG-34 any text is a pattern or refused, and a pattern agrees with ECMAScript on any text', () => {
  const pieces = fc.array(
    fc.constantFrom(...'abZ0 .*+?^$|()[]{}-\\/,:<>=!_٣é😀'.match(/./gsu)!, '\\d', '\\s', '\\S', '\\w', '\\b', '\\n'),
    {
      maxLength: 10,
    },
  )
  fc.assert(
    fc.property(
      pieces.map((parts) => parts.join('')),
      fc.string({ unit: fc.constantFrom(...'abZ0 .\n-_٣é😀'.match(/./gsu)!), maxLength: 8 }),
      (pattern, text) => {
        const search = compileRegex(pattern)
        if (!search) return
        const expected = nodeRegex(pattern)
        // Without `u` ECMAScript takes halves of a character apart; here one is a whole.
        if (expected.unicode || !/[^\0-\uffff]/u.test(pattern + text)) assert.equal(search(text), expected.test(text))
      },
    ),
    { numRuns: 20_000 },
  )
})

test('a pattern that takes exponential time elsewhere takes linear time', () => {
  const search = compileRegex('^(a+)+$')
  assert.equal(search?.(`${'a'.repeat(9_000)}b`), false)
})

test('G-79 a pattern whose repetitions make too much of it is refused, however they are nested', () => {
  const refused = [
    '\\p{L}{1,1000}'.repeat(3),
    `(?:${'ab.'.repeat(50)}){0,1000}`,
    '(?:(a{10}b){10}c){19}',
    '(?:a{1,67}){30}',
    '.{1001}',
    '[ab]{0,999}'.repeat(3),
  ]
  for (const pattern of refused) assert.match(regexFault(pattern) ?? '', /1100 pieces|linear time/, pattern)
  const taken = [
    '\\p{L}{1,250}',
    '(?:\\S{1,30}\\s){1,30}',
    '^[\\w.]{1,64}@[\\w.]{1,255}$',
    '(a){500}(b){500}',
    'a{2,}b{0}',
    '(?:(a{10}){10}){9}',
    'x{,5}',
    '.{1,1000}x',
  ]
  for (const pattern of taken) assert.equal(regexFault(pattern), undefined, pattern)
})

test('G-79 patterns that are too much together are refused, each alone is not', () => {
  const check = openRegexCheck()
  const answers = ['.{1000}a', '.{1000}b', '.{1000}c', '.{1000}d', '.{1000}e', 'f'].map(check)
  assert.deepEqual(
    answers.map((answer) => answer !== undefined),
    [false, false, false, false, true, true],
  )
  assert.match(answers[4] ?? '', /with those before it/)
})

test('G-79 all of a trait is searched, but for the largest patterns', () => {
  const found = (pattern: string) => compileRegex(pattern)?.(`${'a'.repeat(4_000)}z`)
  assert.deepEqual(['z', '[a-c]{400}z', '(?:ab?){150}z'].map(found), [true, true, true])
  assert.equal(found('[a-c]{1000}z'), false)
})

test('G-79 what patterns hold of the texts they saw is bounded', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const text = (seed: number) => Array.from({ length: 1_000 }, (_, i) => 'abc'[hash32(`${seed} ${i}`) % 3]).join('')
  const texts = Array.from({ length: 6 }, (_, seed) => text(seed))
  collect()
  const before = process.memoryUsage().heapUsed
  const searches = Array.from({ length: 30 }, (_, i) => compileRegex(`a.{${400 + i}}[r-z]`))
  for (const search of searches) for (const each of texts) search?.(each)
  collect()
  // 8 MB for each is what they take otherwise.
  assert.ok(process.memoryUsage().heapUsed - before < 40e6)
})
