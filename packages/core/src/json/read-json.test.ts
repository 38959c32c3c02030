import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LIMITS } from '../limits.ts'
import { oddTextAt } from './odd-characters.ts'
import { parseJson, type JsonResult } from './parse-json.ts'
import { readJson } from './read-json.ts'

const DEPTH = 64
const SEED = { seed: 20261122, numRuns: 1_000 }

function read(text: string): { result: JsonResult; yields: number } {
  const reading = readJson(text, DEPTH)
  for (let yields = 0; ; yields++) {
    const { done, value } = reading.next()
    if (done) return { result: value, yields }
  }
}

const fault = (text: string) => {
  const { result } = read(text)
  return result.ok ? '' : result.error
}

/** The same value, or a refusal as well; of several faults the one that stands first may be another one. */
function assertSame(text: string): void {
  const whole = parseJson(text, DEPTH)
  const { result } = read(text)
  if (whole.ok) assert.deepEqual(result, whole, text)
  else assert.equal(result.ok, false, text)
}

test('in slices every text reads as it does at once, and what is refused at once is refused', () => {
  const blank = fc.constantFrom('', ' ', '\n', '\t', '\r\n', '\u00a0')
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), fc.nat({ max: 3 }), blank, (value, indent, around) => {
      assertSame(around + JSON.stringify(value, null, indent) + around)
    }),
    SEED,
  )
  const pieces = ['{', '}', '[', ']', ',', ':', '"', '"a"', '"b":', '\\', '\\u', '\\u0000', '\\ud800', '-', '1e', '9', '0', '1.5', '1e400']
  const words = ['__proto__', '"__proto__":', ' ', 'true', 'tru', 'false', 'null', '12345678901234567890', '"\n"', '{}', '[]']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, ...words), { maxLength: 12 }), (parts) => assertSame(parts.join(''))),
    { ...SEED, numRuns: 5_000 },
  )
})

test('members written twice, __proto__, deep nesting, unkeepable numbers and texts are refused or dropped as at once', () => {
  for (const text of [
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"__proto__":{"a":1},"b":[{"\\u005f_proto__":1,"c":2}]}',
    '{"constructor":1,"hasOwnProperty":2}',
    '['.repeat(DEPTH) + ']'.repeat(DEPTH),
    '['.repeat(DEPTH + 1) + ']'.repeat(DEPTH + 1),
    '9007199254740993',
    '-0.5e-3',
    '"\\u0000"',
    '"\\ud83d\\ude00"',
    '{"a\\ud800":1}',
    '',
    '{} {}',
    '{"a" : 1 , "b" : [ ] }',
  ])
    assertSame(text)
})

test('a long text is read in many slices, whatever it is made of', () => {
  for (const text of [
    `[${'0,'.repeat(500_000)}0]`,
    `[${'{"a":[]},'.repeat(100_000)}0]`,
    `[${'"abcdefgh",'.repeat(100_000)}0]`,
    `[${`"${'x'.repeat(1_000)}",`.repeat(1_000)}0]`,
  ]) {
    const { result, yields } = read(text)
    assert.equal(result.ok, true)
    assert.ok(yields >= text.length / 32 / 8_000 - 1 && yields >= 3, `${yields} slices for ${text.slice(0, 12)}`)
  }
})

test('numbers with exponents that would fill a database when they are written out are refused', () => {
  const numbers = (count: number) => `[${Array.from({ length: count }, () => '1e300').join()}]`
  assert.equal(fault(numbers(LIMITS.jsonWrittenOut / 300)), '')
  for (const text of [numbers(LIMITS.jsonWrittenOut / 300 + 1), numbers(400).replaceAll('1e300', '-1.5E-300')])
    assert.equal(fault(text), 'numbers with exponents are too long when they are written out; send them as strings')
  assert.equal(fault('[1e22,123e45,1.7976931348623157e308,5e-324]'), '')
})

test('an object of too many members and a text of too many values are refused, and nothing behind them is read', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"m${i}":0`).join()}}`
  assert.equal(fault(members(LIMITS.jsonMembers)), '')
  assert.match(fault(members(LIMITS.jsonMembers + 1)), /more than 100000 members/)
  assert.match(fault(`[${'0,'.repeat(LIMITS.jsonValues)}`), /more than 1100000 values/)
})

test('G-85 odd characters are replaced, passed on or refused at the same places as at once', () => {
  const rules = oddTextAt({ replace: ['name', 'free.**', 'list.*.text', '**.deep.**'], pass: ['rows.*.*'], refuse: ['free.*.id'] })
  const both = (text: string) => {
    const whole = parseJson(text, DEPTH, rules)
    const reading = readJson(text, DEPTH, rules)
    for (let step = reading.next(); ; step = reading.next()) {
      if (!step.done) continue
      assert.deepEqual(step.value, whole, text)
      return whole
    }
  }
  const odd = '"a\\u0000b\\ud800"'
  for (const text of [
    `{"name":${odd}}`,
    `{"free":${odd},"list":[{"text":${odd}},{"text":"right"}]}`,
    `{"free":{"a":[${odd},{"b":${odd}}]},"x":{"y":{"deep":[${odd}]}}}`,
  ]) {
    const read = both(text)
    assert.ok(read.ok && read.replaced !== undefined && JSON.stringify(read.value).includes('a\ufffdb\ufffd'), text)
  }
  const passed = both(`{"rows":[["x",${odd}]]}`)
  assert.deepEqual(passed, { ok: true, value: { rows: [['x', 'a\u0000b\ud800']] } })
  for (const text of [odd, `[${odd}]`, `{"id":${odd}}`, `{"free":{"a":{"id":${odd}}}}`, `{"free":{${odd}:1}}`, `{"list":[{"id":${odd}}]}`])
    assert.equal(both(text).ok, false, text)
})
