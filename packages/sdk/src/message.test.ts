import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { readMessage } from '@contentflow/core/strings/message-format.ts'
import fc from 'fast-check'
import { fillMessage, formatMessage } from './message.ts'
import type { MessageValues } from './types.ts'

const en = (text: string, values: MessageValues = {}) => formatMessage(text, values, 'en')

test('values, plurals, choices, numbers and dates are filled in', () => {
  const date = new Date(2026, 2, 1, 14, 5)
  const cases: [string, MessageValues, string][] = [
    ['Hi {name}', { name: 'Sara' }, 'Hi Sara'],
    ['Hi { name }!', { name: 'Sara' }, 'Hi Sara!'],
    ['{n}', { n: 1234567.5 }, '1,234,567.5'],
    ['{n, plural, one {# item} other {# items}}', { n: 1 }, '1 item'],
    ['{n, plural, one {# item} other {# items}}', { n: 1200 }, '1,200 items'],
    ['{n, plural, =0 {none} one {one} other {many}}', { n: 0 }, 'none'],
    ['{n, plural, offset:1 =0 {nobody} =1 {you} one {you and # other} other {you and # others}}', { n: 3 }, 'you and 2 others'],
    ['{n, plural, offset:1 =0 {nobody} =1 {you} one {you and # other} other {you and # others}}', { n: 2 }, 'you and 1 other'],
    ['{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 22 }, '22nd'],
    ['{g, select, f {her} m {his} other {their}} bag', { g: 'f' }, 'her bag'],
    ['{g, select, f {her} other {their}} bag', { g: 'x' }, 'their bag'],
    ['{g, select, f {{n, plural, one {her one} other {her #}}} other {x}}', { g: 'f', n: 5 }, 'her 5'],
    ['{n, plural, other {{g, select, a {#a} other {#}}}}', { n: 3, g: 'a' }, '3a'],
    ['{n, number, percent}', { n: 0.25 }, '25%'],
    ['{n, number, integer}', { n: 2.6 }, '3'],
    ['{n, number, ::currency/SAR}', { n: 5 }, 'SAR 5.00'],
    ['{d, date}', { d: date }, 'Mar 1, 2026'],
    ['{d, date, short}', { d: date.getTime() }, '3/1/26'],
    ['{d, date, full}', { d: date.toISOString() }, 'Sunday, March 1, 2026'],
    ['{d, time}', { d: date }, '2:05 PM'],
    ['{d, time, medium}', { d: date }, '2:05:00 PM'],
    ['{d}', { d: date }, 'Mar 1, 2026'],
    ["it''s {n}", { n: 'x' }, "it's x"],
    ["it's {n}", { n: 'x' }, "it's x"],
    ["'{n}' is {n}", { n: 'x' }, '{n} is x'],
    ["'{it''s}'", {}, "{it's}"],
    ["{n, plural, other {'#' is #}}", { n: 2 }, '# is 2'],
    ['{{name}} and %{name}', { name: 'Sara' }, 'Sara and Sara'],
    ['{b}', { b: true }, 'true'],
    ['100% #1', {}, '100% #1'],
  ]
  for (const [text, values, expected] of cases) assert.equal(en(text, values).replaceAll(/[\u00a0\u202f]/g, ' '), expected, text)
})

test('a value that is not given leaves its placeholder, and a text that is not in the format is shown as it is', () => {
  assert.equal(en('Hi {name}', {}), 'Hi {name}')
  assert.equal(en('Hi {name}', { name: null }), 'Hi {name}')
  assert.equal(en('{constructor}', {}), '{constructor}')
  assert.equal(en('{n, plural, one {a} other {b}}'), '{n, plural, one {a} other {b}}')
  for (const text of ['{', '{a', '{a,}', '{a, b}', '{n, plural}', '{n, plural, one}', '{n, number,}', '{n, select, a {x} a {y}}', '{ }'])
    assert.equal(en(text, { a: 1, n: 1 }), text)
  assert.equal(en('{d, date}', { d: 'no date' }), 'no date')
})

test('the language decides plural forms and digits; a code Intl does not know is no error', () => {
  const items = '{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}'
  assert.deepEqual(
    [0, 1, 2, 3, 11, 100].map((n) => formatMessage(items, { n }, 'ar')),
    ['z', 'o', 't', 'f', 'm', 'x'],
  )
  assert.equal(formatMessage('{n}', { n: 12 }, 'ar-EG'), '١٢')
  assert.equal(formatMessage('{n}', { n: 1.5 }, 'de'), '1,5')
  assert.equal(formatMessage('{n}', { n: 1.5 }, 'en-shop-1'), '1.5')
})

const pieces = fc.constantFrom(
  '{',
  '}',
  "'",
  "''",
  '#',
  ',',
  ' ',
  'a',
  'name',
  '{name}',
  '{n, plural, ',
  'one {',
  'other {',
  '=1 {',
  '{g, select, ',
  'offset:1 ',
  ', number}',
  ', date, short}',
  ', number, ::percent}',
  '}}',
  '{{x}}',
  '%{x}',
  '%',
  '{ n }',
  "'{",
  "}'",
)
const texts = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))

test('exactly the texts are taken that the server takes', () => {
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(fillMessage(text, { n: 1, g: 'a', name: 'x' }, 'en') !== undefined, readMessage(text).ok, text)
    }),
    { numRuns: 5_000 },
  )
})

test('what another reader of the format takes is taken too, and texts without arguments read the same', () => {
  fc.assert(
    fc.property(texts, (text) => {
      let elements
      try {
        elements = parse(text, { ignoreTag: true })
      } catch {
        return
      }
      const filled = fillMessage(text, {}, 'en')
      assert.notEqual(filled, undefined, text)
      if (elements.every((element) => element.type === TYPE.literal) && !text.includes('%{'))
        assert.equal(filled, elements.map((element) => (element as { value: string }).value).join(''), text)
    }),
    { numRuns: 5_000 },
  )
})

test('no text takes long: nothing is read twice', () => {
  for (const text of [
    '{'.repeat(20_000),
    "'".repeat(20_000),
    '{n, plural, '.repeat(2_000),
    `{a, number, ${'x'.repeat(20_000)}`,
    `{${' '.repeat(20_000)}`,
    "'{".repeat(9_000),
  ])
    assert.equal(typeof en(text, { n: 1 }), 'string')
})

test('an engine without plural rules shows the number by itself where it is named, else the other form', () => {
  const { PluralRules } = Intl
  Reflect.deleteProperty(Intl, 'PluralRules')
  try {
    const text = '{n, plural, =0 {none} one {# item} other {# items}}'
    assert.deepEqual([en(text, { n: 0 }), en(text, { n: 1 }), en(text, { n: 2 })], ['none', '1 items', '2 items'])
  } finally {
    Object.assign(Intl, { PluralRules })
  }
})

test('what no option fits, without an other, is left as it is written, and the rest of the text is filled in', () => {
  assert.equal(formatMessage('{n, plural, one {an item}} for {name}', { n: 5, name: 'Sara' }, 'en'), '{n, plural, one {an item}} for Sara')
  assert.equal(formatMessage('{kind, select, a {A}}', { kind: 'b' }, 'en'), '{kind, select, a {A}}')
  assert.equal(formatMessage('{kind, select, a {A} other {}}!', { kind: 'b' }, 'en'), '!', 'an empty option was meant so')
})
