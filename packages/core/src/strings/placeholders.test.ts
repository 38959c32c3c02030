import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStructurallySame, parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import fc from 'fast-check'
import { readMessage } from './message-format.ts'
import { comparePlaceholders, readPlaceholders } from './placeholders.ts'

const SEED = { seed: 20260301, numRuns: 3_000 }

const warningsOf = (source: string, translation: string, locale = 'de') =>
  comparePlaceholders(readPlaceholders(source), readPlaceholders(translation), locale)
/** `code placeholder`, an exclamation mark before breaking ones. */
const faults = (source: string, translation: string, locale?: string) =>
  warningsOf(source, translation, locale).map(({ code, placeholder, isBreaking }) => `${isBreaking ? '!' : ''}${code} ${placeholder}`)

test('placeholders that are all there are no fault, in whatever order and style', () => {
  for (const [source, translation] of [
    ['Hello', 'Hallo'],
    ['Hi {name}, {count} new', '{count} neue, {name}'],
    ['{0} of {1}', '{1}: {0}'],
    ['{ name }', '{name}'],
    ['Hi {{name}}', 'Hallo {{ name }}'],
    ['{{{raw}}}', '{{{raw}}}'],
    ['%{smart_count} files', '%{smart_count} Dateien'],
    ['${value} kg', '${value} kg'],
    ['%s of %d', '%2$d von %1$s'],
    ['%@ likes %@', '%1$@ mag %2$@'],
    ['%(count)d items', '%(count)d Teile'],
    ['Save 20%', '%20 tasarruf'],
    ['100% sure', '100 % de certitude'],
    ['{n, plural, one {# item} other {# items}}', '{n, plural, one {# Teil} other {# Teile}}'],
    ['{n, plural, one {{x} item} other {{x} items}}', '{n, plural, one {{x} Teil} other {{x} Teile}}'],
    ['{n, number, ::currency/USD}', '{n, number, ::currency/USD}'],
    ["It''s {name}", "C''est {name}"],
    ["Don't {name}", "Qu'on {name}"],
    ["Use '{'braces'}'", "Mit '{'Klammern'}'"],
    ['<b>Hi</b> {name}', '<b>Hallo</b> {name}'],
    ['An { unclosed brace', 'Eine { offene Klammer'],
    ['', ''],
  ] as const)
    assert.deepEqual(faults(source, translation), [], `${source} → ${translation}`)
})

test('what a translation lost, made up or broke is named', () => {
  for (const [source, translation, expected] of [
    ['Hi {name}', 'Hallo', ['!missing_placeholder {name}']],
    ['Hi {name}', 'Hallo {nmae}', ['!missing_placeholder {name}', '!extra_placeholder {nmae}']],
    ['Hi', 'Hallo {name}', ['!extra_placeholder {name}']],
    ['Hi {{name}}', 'Hallo {name}', ['!missing_placeholder {{name}}', '!extra_placeholder {name}']],
    ['%{n} files', 'Dateien', ['!missing_placeholder %{n}']],
    ['Hi {name}', 'Hallo {name', ['!unbalanced_braces null']],
    ['Hi {name}', 'Hallo {name}}', ['unbalanced_braces }']],
    ['Hi', 'Hallo {', ['!unbalanced_braces null']],
    ['%s of %d', '%s', ['!missing_placeholder placeholder 2 of the % kind']],
    ['%s of %d', '%d von %s', ['!changed_type placeholder 1 of the % kind', '!changed_type placeholder 2 of the % kind']],
    ['%d%% off', '%d%% %s', ['!extra_placeholder placeholder 2 of the % kind']],
    ['20 off', '%si', ['extra_placeholder placeholder 1 of the % kind']],
    ['Hi {name}', "L'{name}", ['quoted_placeholder {name}']],
    ['{n, number}', "L'{n, number}", ['!quoted_placeholder {n}']],
    ['{d, date, short}', '{d, number}', ['!changed_type {d}']],
    ['{n}', '{n, number}', ['changed_type {n}']],
    ['{n, plural, other {#}}', '{n, plural, one {#}}', ['!missing_other {n, plural}']],
    ['{n, plural, other {#}}', '{n, Plural, other {#}}', ['!unbalanced_braces null']],
    ['{g, select, male {he} other {they}}', '{g, select, mann {er} other {sie}}', ['missing_option {g}']],
    ['{g, select, male {he} other {they}}', '{g, select, mann {er}}', ['!missing_other {g, select}', 'missing_option {g}']],
    ['<b>Hi</b><br/>', '<b>Hallo<i>', ['missing_tag </b>', 'missing_tag <br/>', 'extra_tag <i>']],
    ['Use {} and {', 'Mit {', ['missing_placeholder {}']],
  ] as const)
    assert.deepEqual(faults(source, translation), expected, `${source} → ${translation}`)
})

test('plural forms are those of the language', () => {
  const source = '{n, plural, one {# item} other {# items}}'
  const translation = '{n, plural, one {#} other {#}}'
  for (const [locale, lacking] of [
    ['en', null],
    ['fr', null],
    ['ar', 'zero, two, few, many'],
    ['he', 'two'],
    ['ru', 'few, many'],
    ['pl-PL', 'few, many'],
    ['cs', 'few'],
    ['xx-nonsense-nonsense', null],
  ] as const) {
    const [warning] = warningsOf(source, translation, locale)
    if (lacking === null) assert.equal(warning, undefined, locale)
    else assert.equal(warning?.message, `{n, plural} is missing ${lacking} of ${locale}`)
  }
  assert.deepEqual(faults(source, '{n}個', 'ja'), [])
  assert.deepEqual(faults(source, '{n} Teile', 'de'), ['changed_type {n}'])
  assert.deepEqual(faults('{n, selectordinal, one {#st} other {#th}}', '{n, selectordinal, other {#.}}', 'de'), [])
  assert.deepEqual(faults('{n, selectordinal, other {#}}', '{n, selectordinal, one {#st} other {#th}}', 'en'), [
    'missing_plural {n, selectordinal}',
  ])
})

const OPTIONS = { ignoreTag: true, requiresOtherClause: false, shouldParseSkeletons: false, captureLocation: false }

/** `name type options…` of each argument, as the other parser sees it. */
function argumentsOf(elements: readonly MessageFormatElement[]): string[] {
  const types = ['', 'none', 'number', 'date', 'time', 'select', 'plural']
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) return []
    if (!('options' in element)) return [`${element.value} ${types[element.type]}`]
    const type = 'pluralType' in element && element.pluralType === 'ordinal' ? 'selectordinal' : types[element.type]
    const inner = Object.values(element.options).flatMap(({ value }) => argumentsOf(value))
    return [`${element.value} ${type} ${Object.keys(element.options).join(' ')}`, ...inner]
  })
}

test('texts are read as the parser of FormatJS reads them', () => {
  const pieces = [
    'a',
    ' ',
    "'",
    "''",
    '{',
    '}',
    '#',
    '{n}',
    '{ x }',
    '{n, number}',
    '{d, date, short}',
    '{t,time,::jmm}',
    '{n, number, ::.00}',
  ]
  const branches = ['{n, plural, one {', '{n,plural,offset:1 =0{', '} other {', '}}', '{g, select, a {', '{o, selectordinal, two {']
  const piece = fc.constantFrom(...pieces, ...branches, ',', '|', 'é', '{n,', "'{'")
  let read = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      // Those are placeholders of another format here.
      if (/\{\{|%\{/.test(text.replaceAll(/(?:one|two|other|=0|a) ?\{/g, ''))) return
      let expected: MessageFormatElement[] | undefined
      try {
        expected = parse(text, OPTIONS)
      } catch {
        expected = undefined
      }
      const message = readMessage(text)
      assert.equal(message.ok, expected !== undefined, `${text}: ${message.ok ? '' : message.error}`)
      if (!message.ok || !expected) return
      const found = message.arguments.map(({ name, type, options }) => [name, type, ...options].join(' '))
      assert.deepEqual(found, argumentsOf(expected), text)
      if (found.length > 0) read++
    }),
    SEED,
  )
  assert.ok(read > 300, `only ${read} texts had arguments`)
})

test('two texts without a fault that breaks them have the same structure for FormatJS too', () => {
  const text = fc.constantFrom(
    '{a}',
    '{a, number}',
    '{b}',
    'x',
    '{a} {b}',
    '{n, plural, other {# {b}}}',
    '{n, plural, one {1} other {{b} #}}',
    '{n}',
  )
  fc.assert(
    fc.property(text, text, (source, translation) => {
      const isSame = isStructurallySame(parse(source, OPTIONS), parse(translation, OPTIONS)).success
      // The other way round it is more patient: a plain value may become a number.
      if (isSame) assert.ok(!warningsOf(source, translation).some(({ isBreaking }) => isBreaking), `${source} → ${translation}`)
    }),
  )
})

test('any two texts are compared, in time that grows with their length', () => {
  const anything = fc.string({ unit: fc.constantFrom('{', '}', "'", '%', 's', 'n', ',', ' ', '<', '>', 'plural', 'other', '$', '1', '|') })
  fc.assert(
    fc.property(anything, anything, (source, translation) => void warningsOf(source, translation)),
    SEED,
  )
  const parts = [
    '{',
    '}',
    "'{",
    '{a}',
    '{{a',
    '%0',
    '<a ',
    '{a, select, a {',
    '%{a',
    "''",
    '{a, number, {',
    ' ',
    '%1$',
    '%(a',
    "'",
    '{n,plural,',
  ]
  for (const part of parts) {
    const text = part.repeat(200_000 / part.length)
    const before = process.threadCpuUsage()
    const warnings = warningsOf(text, `${text} `)
    // Of the processor, not of the clock: other work on the machine does not count. A quadratic reading would take a minute.
    assert.ok(process.threadCpuUsage(before).user < 5_000_000, part)
    assert.ok(warnings.length <= 20)
  }
})
