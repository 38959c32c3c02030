import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFile } from './import-file.ts'

const locales = { source: 'en', translated: ['ar', 'fr-CA'] }
const describe = (text: string) => describeFile('texts.csv', new TextEncoder().encode(text), locales)

test('M-STRS-36 M-STRS-37 a file is told: separator, columns and rows', () => {
  for (const [mark, separator] of [
    [',', 'comma'],
    [';', 'semicolon'],
    ['\t', 'tab'],
  ] as const) {
    const found = describe(
      [
        ['key', 'Namespace', 'EN', 'AR', 'xx', 'fr-ca'],
        ['a', '', 'A', 'أ', '', ''],
        ['b', '', 'B', '', '', ''],
      ]
        .map((row) => row.join(mark))
        .join('\r\n'),
    )
    assert.ok(found.ok)
    assert.equal(found.file.separator, separator)
    assert.equal(found.file.rows, 2)
    assert.deepEqual(found.file.suggested, ['key', 'namespace', 'source', 'locale:ar', 'ignored', 'locale:fr-CA'])
  }
})

test('M-STRS-38 M-STRS-39 a mark at the start, quotes and line ends in cells', () => {
  const found = describe('\ufeff"key";"sourceText, long"\n"a";"one;\ntwo"\n')
  assert.ok(found.ok)
  assert.deepEqual([found.file.separator, found.file.rows, found.file.suggested[0]], ['semicolon', 1, 'key'])
})

test('a file with one column has no separator', () => {
  const found = describe('key\na\n')
  assert.ok(found.ok)
  assert.equal(found.file.separator, 'none')
})

test('G-40 columns show what they hold, and one without a name is shown when it holds anything', () => {
  const found = describe('Owner,,,en\nme,,x,A\n,,y,B\nyou,,z,C')
  assert.ok(found.ok)
  assert.deepEqual(found.file.columns, [
    { at: 0, name: 'Owner', samples: ['me', 'you'] },
    { at: 2, name: '', samples: ['x', 'y'] },
    { at: 3, name: 'en', samples: ['A', 'B'] },
  ])
  assert.deepEqual(found.file.suggested, ['ignored', 'ignored', 'ignored', 'source'])
})

test('M-STRS-40 why a file is not taken', () => {
  const faultOf = (found: ReturnType<typeof describe>) => (found.ok ? undefined : found.fault.fault)
  assert.equal(faultOf(describe(`key,en\na,"never closed`)), 'unreadable')
  assert.equal(faultOf(describe('key,en\n,\n')), 'no_rows')
  assert.equal(faultOf(describe(`key,en\n${'a,A\n'.repeat(20_001)}`)), 'too_many_rows')
  assert.equal(faultOf(describe(`key,en\na,${'A'.repeat(5_000_000)}`)), 'too_large')
  assert.equal(faultOf(describeFile('x.csv', Uint8Array.of(0x6b, 0x65, 0x79, 0x0a, 0xe9, 0x0a), locales)), 'not_utf8')
})
