import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from './parse-json.ts'

const DEPTH = 64
const SEED = { seed: 20260301, numRuns: 500 }

const value = (text: string, depth = DEPTH) => {
  const parsed = parseJson(text, depth)
  assert.ok(parsed.ok, `${text}: ${parsed.ok ? '' : parsed.error}`)
  return parsed.value
}
const fault = (text: string, depth = DEPTH) => {
  const parsed = parseJson(text, depth)
  assert.ok(!parsed.ok, text)
  return parsed.error
}

/** Documents of everything that may be stored: any text but NUL and half pairs, any number JavaScript keeps exactly. */
const { document } = fc.letrec<{ document: unknown }>((tie) => {
  const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0') && one !== '__proto__')
  const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }))
  const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null))
  return {
    document: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('document'), { maxLength: 4 }),
      fc.dictionary(text, tie('document'), { maxKeys: 4 }),
    ),
  }
})

test('every valid document without repeated members reads as JSON.parse reads it', () => {
  fc.assert(
    fc.property(document, fc.nat({ max: 3 }), fc.boolean(), (content, indent, isEscaped) => {
      const plain = JSON.stringify(content, null, indent)
      const text = isEscaped ? plain.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : plain
      assert.deepEqual(parseJson(text, DEPTH), { ok: true, value: JSON.parse(text) })
    }),
    { ...SEED, numRuns: 1000 },
  )
})

test('escaped and unescaped text, blanks and nested empties read as JSON.parse reads them', () => {
  for (const text of [
    '{}',
    ' [ ] ',
    'null',
    '-0.5e-3',
    '"a\\u00e9\\n\\"\\\\"',
    '{"a":{"a":[{"a":1},{"a":2}]},"b":"{\\"a\\":1,\\"a\\":2}"}',
    '["}", "{", "]", ",", {"x":"\\\\"}]',
    '"\\ud83d\\ude00"',
    '{"":0," ":1}',
  ])
    assert.deepEqual(value(text), JSON.parse(text), text)
})

test('what stands inside a text is no structure, also after an escaped quotation mark', () => {
  for (const text of [
    '{"x":"\\",\\"a\\",\\"a\\":"}',
    '["\\"[[[[[[{{{{"]',
    '["\\"12345678901234567890"]',
    '{"a\\"":1,"a":"\\\\","b":"\\",\\"a\\":"}',
  ])
    assert.deepEqual(value(text, 2), JSON.parse(text), text)
})

test('no text makes it throw', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u',
    '\\u0000',
    '-',
    '1e',
    '9',
    '__proto__',
    ' ',
    'true',
    '\ud800',
  )
  const hostile = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), hostile), (text) => {
      assert.equal(typeof parseJson(text, DEPTH).ok, 'boolean')
    }),
    { ...SEED, numRuns: 3000 },
  )
})

test('text that is no JSON is refused in the documented words', () => {
  for (const text of [
    '{',
    '{"a":}',
    'undefined',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    '{"a":1,}',
    '01',
    '1.',
    '.5',
    '+1',
    'NaN',
    '"\n"',
    '{} {}',
    '-',
    '"',
  ])
    assert.equal(fault(text), 'invalid JSON body', text)
})

test('a member that is written twice is refused, also in an escaped spelling and deep inside', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"b":{},"c":[1,2],"b":0}]}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
  ])
    assert.match(fault(text), /is written twice/, text)
  for (const text of ['{"a":{"a":1}}', '[{"a":1},{"a":2}]', '{"a":"a","b":"a"}', '{"a":["a","a"]}'])
    assert.deepEqual(value(text), JSON.parse(text), text)
})

test('nesting is allowed up to the limit and refused one level deeper, without reading on', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  value(nested(DEPTH))
  assert.match(fault(nested(DEPTH + 1)), /deeper than 64 levels/)
  assert.match(fault('{"a":'.repeat(1_000_000)), /deeper than 64 levels/)
  assert.match(fault('[[]]', 1), /deeper than 1 levels/)
  value('[[],[],{}]', 2)
})

test('a number that cannot be kept exactly is refused, every other one is kept', () => {
  for (const text of [
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1e400',
    '-1e400',
    '[1,{"a":1e309}]',
    '9'.repeat(400),
  ])
    assert.match(fault(text), /cannot be kept exactly/, text)
  for (const text of ['9007199254740991', '-9007199254740991', '0.1', '1e5', '1E-7', '1.7976931348623157e308', '3.141592653589793', '0'])
    assert.equal(value(text), Number(text), text)
  // 2 ** 53, round ones, 2 ** 60 in full and as JavaScript writes it.
  for (const text of ['9007199254740992', '10000000000000000', '-100000000000000000000', '1152921504606846976', '1152921504606847000'])
    assert.equal(value(text), Number(text), text)
  assert.equal(value('"9007199254740993"'), '9007199254740993')
})

test('every whole number is read as it is written by JavaScript, and one that is off by one beyond 2 ** 53 never', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: 2 ** 53, max: 1e20, noDefaultInfinity: true }), (number) => {
      assert.equal(value(JSON.stringify(number)), number)
      assert.equal(value(String(BigInt(number))), number)
      // The doubles are even here, and so is everything they are written as but for the last digits.
      const next = String(BigInt(number) + 1n)
      if (next !== String(number)) assert.match(fault(next), /cannot be kept exactly/)
    }),
    SEED,
  )
})

test('text that PostgreSQL cannot store is refused in values and names, and a whole pair is kept', () => {
  for (const text of ['"\\u0000"', '{"a\\u0000":1}', '["\\ud800"]', '{"a":{"b":"x\\udc00"}}', '"\\ude00\\ud83d"'])
    assert.match(fault(text), /surrogate/, text)
  assert.equal(value('"\\ud83d\\ude00"'), '😀')
  assert.equal(value('"\\\\u0000"'), '\\u0000')
})

test('members named __proto__ are dropped wherever they stand, and no prototype is touched', () => {
  assert.deepEqual(value('{"__proto__":{"isAdmin":true},"a":[{"\\u005f_proto__":1,"b":2}]}'), { a: [{ b: 2 }] })
  const parsed = value('{"a":{"__proto__":null,"constructor":1}}') as { a: object }
  assert.deepEqual(Object.keys(parsed.a), ['constructor'])
  assert.equal(Object.getPrototypeOf(parsed.a), Object.prototype)
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
})
