import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELD_TYPES, type Field, type Json } from '@contentflow/core/blocks/field.ts'
import { parseInstancePatch, publishFault, type InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { findFaults } from './faults.ts'
import { patchOf } from './changes.ts'

const EMPTY: InstanceContent = {
  title: '',
  values: {},
  seg: null,
  priority: 0,
  schedule: null,
  variants: [],
  translations: {},
  frequency: null,
}
const field = (type: string, more: Partial<Field> = {}): Field => ({ id: '#f', tag: '#f', type, ...more })
const problems = (each: Field, value: Json) =>
  findFaults([each], { ...EMPTY, values: { '#f': value } }).saving.map(({ problem }) => problem)

test('each kind of field has its own words for what is wrong', () => {
  assert.deepEqual(problems(field('text', { maxLength: 3 }), 'four'), ['tooLong'])
  assert.deepEqual(problems(field('text', { maxLength: 3 }), '😀😀😀'), [], 'code points count')
  assert.deepEqual(problems(field('text'), 'a\nb'), ['notOneLine'])
  assert.deepEqual(problems(field('textarea'), 'a\nb'), [])
  assert.deepEqual(problems(field('url'), 'javascript:alert(1)'), ['badLink'])
  assert.deepEqual(problems(field('image'), 'ftp://a/b.png'), ['badImage'])
  assert.deepEqual(problems(field('select', { options: ['a'] }), 'b'), ['notOffered'])
  assert.deepEqual(problems(field('collection', { maxItems: 1 }), ['x', 'y']), ['tooMany'])
})

test('what the form refuses is what the server refuses, for every type of field', () => {
  const samples: Json[] = [
    '',
    'text',
    'a\nb',
    '/path',
    'https://a.example',
    'javascript:x',
    'data:x',
    'myapp://x',
    3,
    true,
    ['x'],
    ['x', 'y'],
  ]
  for (const type of FIELD_TYPES)
    for (const value of samples) {
      const each = field(type, { maxLength: 6, maxItems: 1, options: ['text'] })
      const content = { ...EMPTY, values: { '#f': value } }
      const isRefused = !parseInstancePatch({ values: { '#f': value } }, [each]).ok
      assert.equal(findFaults([each], content).saving.length > 0, isRefused, `${type} ${JSON.stringify(value)}`)
    }
})

test('M-REG-32 M-REG-36 what only a published one needs is told apart, in translations and variants too', () => {
  const fields: Field[] = [
    { id: '#t', tag: '#t', type: 'text', required: true },
    { id: '#l', tag: '#l', type: 'collection', allowedBlockKeys: ['x'], minItems: 2 },
  ]
  const filled = { ...EMPTY, values: { '#t': 'x', '#l': ['a', 'b'] } }
  const empty = { ...filled, translations: { ar: { '#l': ['a'] } }, variants: [{ id: 'B', weight: 1, values: { '#l': [] } }] }
  for (const content of [EMPTY, filled, empty]) {
    const { saving, publishing } = findFaults(fields, content)
    assert.deepEqual(saving, [])
    assert.equal(publishing.length > 0, publishFault(fields, content) !== undefined)
  }
  assert.deepEqual(
    findFaults(fields, empty).publishing.map(({ place, problem }) => ['locale' in place && place.locale, problem]),
    [
      ['ar', 'tooFew'],
      [null, 'tooFew'],
    ],
  )
})

test('schedules that end before they start, variants without a share and names used twice are refused', () => {
  const variants = (...each: [string, number][]) => ({ ...EMPTY, variants: each.map(([id, weight]) => ({ id, weight, values: {} })) })
  const bad = [
    { ...EMPTY, schedule: { startTime: '2026-02-01T00:00:00.000Z', endTime: '2026-01-01T00:00:00.000Z' } },
    variants(['A', 0], ['B', 0]),
    variants(['A', 1], ['A', 1]),
    variants(['', 1]),
  ]
  for (const content of bad) {
    assert.equal(findFaults([], content).saving.length, 1)
    assert.equal(parseInstancePatch(patchOf(EMPTY, content), []).ok, false)
  }
  assert.deepEqual(findFaults([], variants(['A', 0], ['B', 1])).saving, [])
})
