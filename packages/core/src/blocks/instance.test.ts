import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from './field.ts'
import { fieldsByTag, listReferences, parseInstancePatch, publishFault, valuesByTag, type InstanceContent } from './instance.ts'

const FIELDS: Field[] = [
  { id: 'f_title', tag: '#title', type: 'text', maxLength: 10 },
  { id: 'f_link', tag: '#link', type: 'url' },
  { id: 'f_size', tag: '#size', type: 'number' },
  { id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['item'], maxItems: 3 },
  { id: 'f_second', tag: '#title', type: 'number' },
]
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

const read = (input: unknown) => {
  const parsed = parseInstancePatch(input, FIELDS)
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error)
  return parsed.value
}
const refuses = (input: unknown, why: RegExp) => {
  const parsed = parseInstancePatch(input, FIELDS)
  assert.ok(!parsed.ok, JSON.stringify(input))
  assert.match(parsed.error, why)
}

test('members that are absent are absent from the patch, and unknown ones are ignored', () => {
  assert.deepEqual(read({}), {})
  assert.deepEqual(read({ id: 'x', version: 9, externalId: 'e', unknown: 1 }), {})
})

test('what is no object and what has a name is refused', () => {
  for (const body of [null, 'x', 5, [], [{ title: 'x' }], undefined]) refuses(body, /JSON object/)
  for (const body of [{ name: 'x' }, { name: null }, { name: 'x', title: 'y' }]) refuses(body, /use title/)
})

test('title, segment and priority', () => {
  assert.deepEqual(read({ title: 'T', seg: 'Gold', priority: -5 }), { title: 'T', seg: 'Gold', priority: -5 })
  assert.deepEqual(read({ title: null, seg: '', priority: null }), { title: '', seg: null, priority: 0 })
  assert.deepEqual(read({ seg: null }), { seg: null })
  refuses({ title: 5 }, /title/)
  refuses({ title: 'x'.repeat(201) }, /title/)
  refuses({ seg: 5 }, /seg/)
  refuses({ seg: ['Gold'] }, /seg/)
  for (const priority of ['1', 1.5, 1e9, true]) refuses({ priority }, /priority/)
})

test('values come by tag and are kept by field id; the first field with a tag owns it', () => {
  assert.deepEqual(read({ values: { '#title': 'Hi', '#size': 5, '#link': null } }).values, { f_title: 'Hi', f_size: 5, f_link: null })
  assert.deepEqual(read({ values: { '#title': '' } }).values, { f_title: null })
  assert.equal(fieldsByTag(FIELDS).get('#title')?.id, 'f_title')
  assert.deepEqual(valuesByTag(FIELDS, { f_title: 'Hi', f_second: 2, f_gone: 3, f_size: 0 }), { '#title': 'Hi', '#size': 0 })
  refuses({ values: { '#nope': 1 } }, /no field #nope/)
  refuses({ values: { f_title: 'by id' } }, /no field f_title/)
  refuses({ values: { '#title': 'more than ten' } }, /at most 10/)
  refuses({ values: { '#link': 'javascript:x' } }, /#link/)
  refuses({ values: { '#items': ['a', 'b', 'c', 'd'] } }, /at most 3/)
  for (const values of [null, 'x', []]) refuses({ values }, /values must be an object/)
})

test('values are only read from what is stored, not from what objects inherit', () => {
  const fields: Field[] = [{ id: 'constructor', tag: 'toString', type: 'text', required: true }]
  assert.deepEqual(valuesByTag(fields, {}), {})
  assert.match(publishFault(fields, EMPTY) ?? '', /required/)
})

test('translations come by locale and are checked like values', () => {
  assert.deepEqual(read({ translations: { ar: { '#title': 'عرض' }, 'en-GB': { '#title': null } } }).translations, {
    ar: { f_title: 'عرض' },
    'en-GB': { f_title: null },
  })
  assert.deepEqual(read({ translations: null }).translations, {})
  refuses({ translations: { '': {} } }, /locale/)
  assert.deepEqual(read({ translations: { en_GB: { '#title': 'x' } } }).translations, { 'en-GB': { f_title: 'x' } }, 'G-95')
  refuses({ translations: { en__GB: {} } }, /locale/)
  refuses({ translations: { ar: { '#nope': 'x' } } }, /translations\.ar: .*#nope/)
  refuses({ translations: { ar: { '#link': 'data:x' } } }, /#link/)
  refuses({ translations: { ar: 'x' } }, /translations\.ar/)
  refuses({ translations: [] }, /translations/)
})

test('variants have an id of their own, a weight and checked values', () => {
  const variant = { id: 'a', weight: 1, values: { '#title': 'A', '#link': '' }, translations: { ar: { '#title': 'ع' } } }
  assert.deepEqual(read({ variants: [variant, { id: 'b', weight: 0 }] }).variants, [
    { id: 'a', weight: 1, values: { f_title: 'A' }, translations: { ar: { f_title: 'ع' } } },
    { id: 'b', weight: 0, values: {} },
  ])
  assert.deepEqual(read({ variants: null }).variants, [])
  for (const [variants, why] of [
    ['x', /array/],
    [['x'], /variants\[0\]/],
    [[{ weight: 1 }], /id/],
    [[{ id: '', weight: 1 }], /id/],
    [[{ id: 'a' }], /weight/],
    [[{ id: 'a', weight: -1 }], /weight/],
    [[{ id: 'a', weight: 0.5 }], /weight/],
    [[{ id: 'a', weight: '1' }], /weight/],
    [[{ id: 'a', weight: 0 }], /above 0/],
    [[variant, variant], /used twice/],
    [[{ id: 'a', weight: 1, values: { '#nope': 1 } }], /no field #nope/],
    [[{ id: 'a', weight: 1, values: { '#link': 'javascript:x' } }], /variants\[0\]\.values #link/],
    [[{ id: 'a', weight: 1, translations: { ar: { '#link': 'javascript:x' } } }], /#link/],
    [Array.from({ length: 21 }, (_, i) => ({ id: `v${i}`, weight: 1 })), /at most 20/],
  ] as [unknown, RegExp][])
    refuses({ variants }, why)
})

test('a schedule has UTC times, either end may be open, and the end is after the start', () => {
  assert.deepEqual(read({ schedule: { startTime: '2026-03-01T09:00:00+04:00' } }).schedule, { startTime: '2026-03-01T05:00:00.000Z' })
  assert.deepEqual(read({ schedule: { startTime: '2026-03-01', endTime: '2026-03-02' } }).schedule, {
    startTime: '2026-03-01T00:00:00.000Z',
    // G-90: a date is a whole day.
    endTime: '2026-03-03T00:00:00.000Z',
  })
  for (const schedule of [null, {}, { startTime: null, endTime: null }]) assert.equal(read({ schedule }).schedule, null)
  for (const schedule of ['x', [], { startTime: 'soon' }, { endTime: 5 }, { startTime: '2026-02-30' }]) refuses({ schedule }, /schedule/)
  refuses({ schedule: { startTime: '2026-03-02', endTime: '2026-03-01' } }, /after startTime/)
  refuses({ schedule: { startTime: '2026-03-01T00:00:00Z', endTime: '2026-03-01T00:00:00Z' } }, /after startTime/)
})

test('a frequency has one of four periods and a whole maximum', () => {
  for (const per of ['session', 'day', 'week', 'ever']) assert.deepEqual(read({ frequency: { per, max: 2 } }).frequency, { per, max: 2 })
  assert.equal(read({ frequency: null }).frequency, null)
  for (const frequency of ['day', { per: 'hour', max: 1 }, { per: 'day' }, { per: 'day', max: 0 }, { per: 'day', max: 1.5 }, { max: 1 }])
    refuses({ frequency }, /frequency/)
})

test('what may be live: required values are there, and collections keep their bounds', () => {
  const required: Field[] = [{ id: 'f', tag: '#f', type: 'text', required: true }]
  const bounded: Field[] = [{ id: 'c', tag: '#c', type: 'collection', allowedBlockKeys: ['item'], minItems: 1, maxItems: 2 }]
  const variant = (values: InstanceContent['values']) => ({ ...EMPTY, variants: [{ id: 'a', weight: 1, values }] })
  const table: [Field[], Partial<InstanceContent>, RegExp | undefined][] = [
    [required, {}, /#f is required/],
    [required, { values: { f: '' } }, /#f is required/],
    [required, { values: { f: 'x' } }, undefined],
    [required, { translations: { ar: { f: 'x' } } }, /#f is required/],
    [[{ id: 'f', tag: '#f', type: 'toggle', required: true }], { values: { f: false } }, undefined],
    [[{ id: 'f', tag: '#f', type: 'number', required: true }], { values: { f: 0 } }, undefined],
    [bounded, {}, /at least 1/],
    [bounded, { values: { c: [] } }, /at least 1/],
    [bounded, { values: { c: ['a'] } }, undefined],
    [bounded, { values: { c: ['a', 'b', 'c'] } }, /at most 2/],
    [bounded, { ...variant({}), values: { c: ['a'] } }, undefined],
    [bounded, { ...variant({ c: [] }), values: { c: ['a'] } }, /at least 1/],
    [bounded, { values: { c: ['a'] }, translations: { ar: { c: [] } } }, /at least 1/],
    [bounded.map((field) => ({ ...field, minItems: 0, required: true })), { ...variant({ c: [] }), values: { c: ['a'] } }, /required/],
    [[], { values: { gone: 1 } }, undefined],
  ]
  for (const [fields, content, why] of table) {
    const fault = publishFault(fields, { ...EMPTY, ...content })
    if (why) assert.match(fault ?? 'no fault', why)
    else assert.equal(fault, undefined)
  }
})

test('references are found in base values, translations and variants', () => {
  const found = listReferences(FIELDS, {
    values: { f_items: ['1'], f_title: 'x' },
    translations: { ar: { f_items: ['2'] } },
    variants: [{ id: 'a', weight: 1, values: { f_items: ['3', '1'] }, translations: { ar: { f_items: ['4'] } } }],
  })
  assert.deepEqual(
    found.map(({ instanceId }) => instanceId),
    ['1', '2', '3', '1', '4'],
  )
  assert.deepEqual([...new Set(found.map(({ field }) => field.tag))], ['#items'])
  assert.deepEqual(listReferences(FIELDS.slice(0, 2), { ...EMPTY, values: { f_items: ['1'] } }), [])
})
