import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsOf, pluralForms, samplesOf, sampleText, valuesOf } from './samples.ts'

test('every plural form of Arabic is tried, each with its least count', () => {
  assert.deepEqual(
    countsOf('ar', 'cardinal', []).map(({ form, count }) => [form, count]),
    [
      ['zero', 0],
      ['one', 1],
      ['two', 2],
      ['few', 3],
      ['many', 11],
      ['other', 100],
    ],
  )
})

test('a count with a text of its own is shown for itself, and its form with the next count', () => {
  assert.deepEqual(pluralForms('{n, plural, =0 {none} one {# thing} other {# things}}', 'en'), [
    { name: 'n', form: '=0', count: 0 },
    { name: 'n', form: 'one', count: 1 },
    { name: 'n', form: 'other', count: 2 },
  ])
})

test('a language without plural rules of its own, and one that nobody knows', () => {
  assert.deepEqual(countsOf('ja', 'cardinal', []), [{ form: 'other', count: 0 }])
  assert.deepEqual(
    countsOf('xx-1', 'cardinal', [])
      .map(({ form }) => form)
      .sort(),
    ['one', 'other'],
  )
})

test('each plural of a text is tried, and a place by its ordinal forms', () => {
  const text =
    '{name} has {n, plural, one {# bag} other {# bags}} on floor {floor, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}'
  assert.deepEqual(
    pluralForms(text, 'en').map(({ name, form }) => `${name} ${form}`),
    ['n other', 'n one', 'floor other', 'floor one', 'floor two', 'floor few'],
  )
})

test('samples fit what a text asks for, and every text is asked', () => {
  const samples = samplesOf([
    'Hello {name}, {day, date, long} {n, number} {{store}}',
    '{name} {who, select, female {a} other {b}} {n, plural, other {#}}',
    '{ broken',
  ])
  assert.deepEqual(
    samples.map(({ name, kind }) => [name, kind]),
    [
      ['name', 'text'],
      ['day', 'date'],
      ['n', 'number'],
      ['store', 'text'],
      ['who', 'choice'],
    ],
  )
  assert.deepEqual(
    samples.map((sample) => sampleText(sample, '2026-03-01')),
    ['name', '2026-03-01', '3', 'store', 'female'],
  )
  const values = valuesOf(samples, { name: 'Noor', day: '2026-03-01', n: '7', who: 'other' })
  assert.equal(values['n'], 7)
  assert.ok(values['day'] instanceof Date)
})

test('a bare argument that is a plural elsewhere takes a number', () => {
  assert.deepEqual(samplesOf(['{n}', '{n, plural, other {#}}']), [{ name: 'n', kind: 'number', options: [] }])
})

test('a text in another format has no samples and no forms', () => {
  assert.deepEqual(samplesOf(['{ not closed']), [])
  assert.deepEqual(pluralForms('{ not closed', 'en'), [])
})
