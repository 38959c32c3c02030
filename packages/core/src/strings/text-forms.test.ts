import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '@formatjs/icu-messageformat-parser'
import fc from 'fast-check'
import { pluralForms } from './plural-rules.ts'
import { readForms, setForm, shownForms, startPlural, writeForms } from './text-forms.ts'

const ARABIC = 'لديك {n, plural,\n  zero {لا طلبات}\n  one{طلب} other {# طلب}\n} اليوم'

const formsOf = (text: string) => readForms(text) ?? assert.fail(text)

test('G-39 Arabic has six forms, each with a count that takes it', () => {
  const examples = (locale: string, type: 'cardinal' | 'ordinal' = 'cardinal') =>
    pluralForms(locale, type).map(({ form, example }) => `${form} ${example}`)
  assert.deepEqual(examples('ar'), ['zero 0', 'one 1', 'two 2', 'few 3', 'many 11', 'other 100'])
  assert.deepEqual(examples('en'), ['one 1', 'other 2'])
  assert.deepEqual(examples('en', 'ordinal'), ['one 1', 'two 2', 'few 3', 'other 4'])
  assert.deepEqual(examples('ru'), ['one 1', 'few 2', 'many 5', 'other 1.5'])
  assert.deepEqual(examples('ja'), ['other 1'])
  assert.deepEqual(examples('x'), [])
})

test('G-39 the forms of a text are read, shown in the order of the language, and one is set without touching the others', () => {
  const read = formsOf(ARABIC)
  assert.deepEqual([read.type, read.argument, read.before, read.after], ['plural', 'n', 'لديك ', ' اليوم'])
  assert.deepEqual(
    shownForms(read, 'ar').map(({ name, text, example }) => [name, text, example]),
    [
      ['zero', 'لا طلبات', 0],
      ['one', 'طلب', 1],
      ['two', '', 2],
      ['few', '', 3],
      ['many', '', 11],
      ['other', '# طلب', 100],
    ],
  )
  const two = setForm(read, 'two', 'طلبان')
  assert.equal(writeForms(two), ARABIC.replace('other', 'two {طلبان} other'))
  assert.equal(writeForms(setForm(two, 'two', '')), ARABIC)
  assert.equal(writeForms(setForm(read, 'other', '')), ARABIC.replace('# طلب', ''))
  assert.equal(writeForms(setForm(formsOf('{n, plural, =0 {a}}'), 'other', 'b')), '{n, plural, =0 {a} other {b}}')
  assert.equal(writeForms(setForm(formsOf('{n, plural, other {b} one {a}\n}'), 'one', '')), '{n, plural, other {b}\n}')
  assert.equal(writeForms(setForm(formsOf('{n, plural, =0 {a} other {b}}'), '=0', '')), '{n, plural, =0 {} other {b}}')
  assert.equal(writeForms(setForm(formsOf('{n, select, one {a} other {b}}'), 'one', '')), '{n, select, one {} other {b}}')
  assert.equal(writeForms(setForm(formsOf('{n, plural, one {a}}'), 'one', '')), '{n, plural, one {}}')
  assert.deepEqual(
    shownForms(formsOf('{n, plural, =0 {no} one {x} few {y} other {z}}'), 'en').map(({ name, example }) => [name, example]),
    [
      ['=0', 0],
      ['one', 1],
      ['other', 2],
      ['few', null],
    ],
  )
  assert.deepEqual(
    shownForms(formsOf('{who, select, female {her} other {their}}'), 'ar').map(({ name, example }) => [name, example]),
    [
      ['female', null],
      ['other', null],
    ],
  )
})

test('a text that is no plural, or more than one, has no forms', () => {
  for (const text of ['', 'plain', '{n}', '{n, number}', '{n, plural, other {#}', '{a, plural, other {#}} {b, plural, other {#}}', "'{'n}"])
    assert.equal(readForms(text), undefined, text)
})

const word = fc.string({ unit: fc.constantFrom('a', 'ب', ' ', "''", "'{x}'", '{x}', '#', '\n', '{d, date, short}', '"', '=') })
const space = fc.constantFrom('', ' ', '\n  ', '\t')
const nested: fc.Arbitrary<string> = fc.letrec<{ text: string; plural: string }>((tie) => ({
  text: fc.oneof({ maxDepth: 2, withCrossShrink: true }, word, tie('plural')),
  plural: fc
    .tuple(
      fc.constantFrom('plural', 'selectordinal', 'select'),
      fc.uniqueArray(fc.constantFrom('zero', 'one', 'two', 'few', 'many', 'other', 'x'), { minLength: 1 }),
      fc.array(tie('text'), { minLength: 7, maxLength: 7 }),
      fc.array(space, { minLength: 7, maxLength: 7 }),
    )
    .map(
      ([type, names, texts, spaces]) =>
        `{${spaces[0]}n${spaces[1]},${type},${spaces[2]}${names.map((name, at) => `${name}${spaces[3]}{${texts[at]}}${spaces[at]}`).join('')}}`,
    ),
})).plural

test('G-39 reading the forms of a text and writing them back gives the same text, whatever it is', () => {
  fc.assert(
    fc.property(word, nested, word, (before, plural, after) => {
      const text = before + plural + after
      const read = readForms(text)
      assert.ok(read, text)
      assert.equal(writeForms(read), text)
      for (const { name, text: form } of read.forms) if (form !== '') assert.equal(writeForms(setForm(read, name, form)), text)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', "'", '#', 'n', ',', 'plural', ' other ', ' one ') }), (text) => {
      const read = readForms(text)
      if (read) assert.equal(writeForms(read), text)
    }),
  )
})

test('G-39 a form that is set is read back, and nothing else changes', () => {
  const form = fc.constantFrom('zero', 'one', 'two', 'few', 'many', 'other', '=0')
  fc.assert(
    fc.property(nested, form, word, (plural, name, text) => {
      const read = formsOf(plural)
      fc.pre(read.type !== 'select' || name !== '=0')
      const again = formsOf(writeForms(setForm(read, name, text)))
      const textsOf = ({ forms }: typeof read) => Object.fromEntries(forms.map((one) => [one.name, one.text]))
      const { [name]: was, ...others } = textsOf(read)
      const { [name]: is, ...same } = textsOf(again)
      assert.deepEqual(same, others)
      if (text !== '') assert.equal(is, text)
      else assert.equal(is ?? '', '', `it was ${was ?? 'absent'}`)
    }),
  )
})

test('G-39 a plural is started from a plain text, with every form of the language', () => {
  assert.equal(startPlural('{total} items', 'en'), '{total, plural, one {{total} items} other {{total} items}}')
  assert.equal(startPlural('{who} has {n, number} items', 'en')?.slice(0, 12), '{n, plural, ')
  assert.equal(startPlural('Orders', 'ja'), '{count, plural, other {Orders}}')
  assert.equal(startPlural('', 'en', 'n'), '{n, plural, other {}}')
  assert.equal(startPlural('No. #1', 'ja'), "{count, plural, other {No. '#'1}}")
  assert.equal(formsOf(startPlural('طلبات', 'ar') ?? '').forms.length, 6)
  for (const text of ['a {', 'a } b', '{{n}}', "it's #1", "it's '{x}", '%d items', "it'"])
    assert.equal(startPlural(text, 'en'), undefined, text)
})

test('what is started is a text of ICU MessageFormat', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '{n}', '{{n}}', "'", '#', "''", ' ', '}', '{') }), (text) => {
      const started = startPlural(text, 'ar')
      if (started !== undefined) assert.equal(parse(started, { requiresOtherClause: true }).length, 1)
    }),
  )
})
