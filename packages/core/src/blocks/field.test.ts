import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { hasFieldType, isEmpty, optionValue, textLength, valueAt, valueFault, type Field, type Json } from './field.ts'

const field = (type: string, rules: Partial<Field> = {}): Field => ({ id: 'f', tag: '#f', type, ...rules })

const accepted: [Field, Json[]][] = [
  [field('text'), ['one line', '😀'.repeat(300), '']],
  [field('text', { maxLength: 3 }), ['abc', '😀😀😀']],
  [field('textarea'), ['a\nb\r\nc']],
  [field('image'), ['https://cdn.example/a.png', '/a.png']],
  [field('url'), ['https://a.example', '/x', 'tel:1']],
  [field('number'), [0, -1.5, 1e300]],
  [field('toggle'), [true, false]],
  [field('select', { options: ['a', 2, true, { value: 'b', label: 'B' }] }), ['a', 2, true, 'b']],
  [field('collection', { allowedBlockKeys: ['item'], maxItems: 2 }), [[], ['1'], ['1', '2']]],
  [field('rating'), [5, 'x', { any: ['thing'] }, []]],
]
const refused: [Field, Json[]][] = [
  [field('text'), ['a\nb', 'a\rb', 5, true, [], {}, 'x'.repeat(LIMITS.valueBytes + 1)]],
  [field('text', { maxLength: 3 }), ['abcd', '😀😀😀😀']],
  [field('textarea', { maxLength: 3 }), ['a\nbc', 5]],
  [field('image'), ['javascript:x', 5, { url: 'https://cdn.example/a.png' }]],
  [field('url'), ['javascript:x', 'http://a.example', 5, ['https://a.example']]],
  [field('number'), ['5', true, [5]]],
  [field('toggle'), ['true', 0, 1]],
  [field('select', { options: ['a', 2, { value: 'b', label: 'B' }] }), ['A', 'B', '2', { value: 'b', label: 'B' }]],
  [field('select'), ['a']],
  [field('collection', { allowedBlockKeys: ['item'], maxItems: 2 }), [['1', '2', '3'], 'x', {}, [1], [''], [['x']]]],
  [field('collection', { allowedBlockKeys: ['item'] }), [Array.from({ length: LIMITS.referencesPerCollection + 1 }, () => 'x')]],
  [field('rating'), ['x'.repeat(LIMITS.valueBytes)]],
]

test('each field type takes its own values', () => {
  for (const [one, values] of accepted)
    for (const value of values) assert.equal(valueFault(one, value), undefined, `${one.type} ${JSON.stringify(value)}`)
})

test('each field type refuses what it cannot hold', () => {
  for (const [one, values] of refused)
    for (const value of values) assert.equal(typeof valueFault(one, value), 'string', `${one.type} ${JSON.stringify(value).slice(0, 50)}`)
})

test('null and empty text clear every type', () => {
  for (const [one] of accepted) for (const value of [null, '']) assert.equal(valueFault(one, value), undefined, one.type)
})

test('empty means no value: false and 0 are values', () => {
  for (const value of [undefined, null, '', []]) assert.equal(isEmpty(value), true)
  for (const value of [false, 0, ' ', {}, [null]]) assert.equal(isEmpty(value), false)
})

test('an option stands for itself or for its value', () => {
  assert.equal(optionValue('a'), 'a')
  assert.equal(optionValue({ value: 3, label: 'three' }), 3)
  assert.deepEqual(optionValue({ label: 'no value' }), { label: 'no value' })
})

test('text is counted in characters, not in code units', () => {
  assert.equal(textLength(''), 0)
  assert.equal(textLength('aé😀'), 3)
})

test('a stored value that no longer is what its field promises is recognised', () => {
  const table: [string, Json, boolean][] = [
    ['text', 'x', true],
    ['text', 5, false],
    ['textarea', ['x'], false],
    ['number', 5, true],
    ['number', '5', false],
    ['toggle', false, true],
    ['toggle', 'false', false],
    ['image', 'https://cdn.example/a.png', true],
    ['image', 'data:image/png;base64,AA', false],
    ['url', '/x', true],
    ['url', 'javascript:alert(1)', false],
    ['url', {}, false],
    ['collection', [], true],
    ['collection', 'x', false],
    ['select', 5, true],
    ['rating', { any: 1 }, true],
  ]
  for (const [type, value, isFit] of table) assert.equal(hasFieldType(field(type), value), isFit, `${type} ${JSON.stringify(value)}`)
})

test('a value is looked up among what is stored, never among what objects inherit', () => {
  assert.equal(valueAt({ f: 1 }, 'f'), 1)
  for (const id of ['constructor', 'toString', '__proto__', 'x']) assert.equal(valueAt({ f: 1 }, id), undefined, id)
})
