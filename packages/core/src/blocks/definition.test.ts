import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LIMITS } from '../limits.ts'
import { DESIGN_TYPES, parseDefinition, startingValues, type Definition } from './definition.ts'
import { FIELD_TYPES, type Field, type Json } from './field.ts'

const read = (input: unknown): Definition => {
  const parsed = parseDefinition(input)
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error)
  return parsed.value
}
const refuses = (input: unknown, why?: RegExp) => {
  const parsed = parseDefinition(input)
  assert.ok(!parsed.ok, JSON.stringify(input))
  if (why) assert.match(parsed.error, why)
}
const withField = (field: object) => ({ key: 'promo', fields: [{ id: 'f1', tag: '#t', type: 'text', ...field }] })
const fieldOf = (field: object): Field | undefined => read(withField(field)).fields[0]

test('a key alone is a whole definition', () => {
  assert.deepEqual(read({ key: 'promo' }), {
    key: 'promo',
    name: 'promo',
    screen: '',
    crumb: '',
    fields: [],
    blank: {},
    inCampaigns: false,
    interruptive: null,
    designType: null,
  })
})

test('a definition is read again from what it was read into', () => {
  const definition = read({
    key: 'promo_2',
    name: 'Promo',
    screen: 'home',
    crumb: 'Home / Top',
    fields: [
      { id: 'f1', tag: '#t', type: 'text', label: 'Title', default: 'Hi', maxLength: 10, required: true },
      { id: 'f2', tag: '#s', type: 'select', options: ['a', { value: 'b', label: 'B' }], default: 'b' },
      { id: 'f3', tag: '#items', type: 'collection', allowedBlockKeys: ['item'], minItems: 0, maxItems: 3 },
    ],
    blank: { f1: 'Hello' },
    inCampaigns: true,
    interruptive: false,
    designType: 'hero',
  })
  assert.deepEqual(read(definition), definition)
  assert.deepEqual(read(JSON.parse(JSON.stringify(definition))), definition)
})

test('keys are lower case letters, digits and underscores, 1 to 100 of them', () => {
  for (const key of ['a', '0', '_', 'promo_2', 'x'.repeat(100), 'constructor']) assert.equal(read({ key }).key, key)
  for (const key of [undefined, null, '', 'Promo', 'a-b', 'a b', 'a.b', 'é', 'a\n', ' a', 'x'.repeat(101), 5, ['a'], {}, 'journey_message'])
    refuses({ key }, /key/)
  for (const input of [undefined, null, 'promo', 5, [], [{ key: 'promo' }]]) refuses(input, /JSON object/)
})

test('texts have their lengths in characters', () => {
  for (const [member, max] of [
    ['name', LIMITS.blockNameLength],
    ['screen', LIMITS.screenLength],
    ['crumb', LIMITS.crumbLength],
  ] as const) {
    assert.equal(read({ key: 'a', [member]: '😀'.repeat(max) })[member], '😀'.repeat(max))
    refuses({ key: 'a', [member]: 'x'.repeat(max + 1) }, new RegExp(member))
    refuses({ key: 'a', [member]: 5 }, new RegExp(member))
  }
  refuses({ key: 'a', name: '' }, /name/)
  assert.equal(read({ key: 'a', name: null, screen: null, crumb: null }).name, 'a')
})

test('flags are booleans and the design type is one of ten', () => {
  for (const flag of ['inCampaigns', 'interruptive'] as const) {
    for (const value of [true, false]) assert.equal(read({ key: 'a', [flag]: value })[flag], value)
    for (const value of ['yes', 1, 'true', []]) refuses({ key: 'a', [flag]: value }, new RegExp(flag))
  }
  assert.equal(DESIGN_TYPES.length, 10)
  for (const designType of DESIGN_TYPES) assert.equal(read({ key: 'a', designType }).designType, designType)
  for (const designType of ['Banner', 'modal', '', 5]) refuses({ key: 'a', designType }, /designType/)
})

test('every known field type is read, and an unknown one is kept', () => {
  for (const type of [...FIELD_TYPES, 'rating']) {
    const rules = type === 'collection' ? { allowedBlockKeys: ['item'] } : {}
    assert.deepEqual(fieldOf({ type, ...rules }), { id: 'f1', tag: '#t', type, ...rules })
  }
})

test('a field keeps what is known of it and nothing else', () => {
  assert.deepEqual(fieldOf({ label: 'Title', required: false, maxLength: 1, options: [], hidden: true, value: 'x' }), {
    id: 'f1',
    tag: '#t',
    type: 'text',
    label: 'Title',
    options: [],
    maxLength: 1,
    required: false,
  })
})

test('faulty fields are refused with their place', () => {
  const table: [object, RegExp][] = [
    [{ tag: undefined }, /fields\[0\]: tag/],
    [{ tag: '' }, /tag/],
    [{ tag: 5 }, /tag/],
    [{ tag: 'x'.repeat(151) }, /tag/],
    [{ tag: '__proto__' }, /tag/],
    [{ type: undefined }, /type/],
    [{ type: '' }, /type/],
    [{ id: '' }, /id/],
    [{ id: 5 }, /id/],
    [{ id: '__proto__' }, /id/],
    [{ label: 5 }, /label/],
    [{ options: 'a' }, /options/],
    [{ options: {} }, /options/],
    [{ maxLength: 0 }, /maxLength/],
    [{ maxLength: -1 }, /maxLength/],
    [{ maxLength: 1.5 }, /maxLength/],
    [{ maxLength: 'a' }, /maxLength/],
    [{ maxLength: '10' }, /maxLength/],
    [{ required: 'yes' }, /required/],
    [{ allowedBlockKeys: ['item'] }, /allowedBlockKeys/],
    [{ minItems: 0 }, /minItems/],
    [{ maxItems: 3 }, /maxItems/],
    [{ fields: [] }, /sub-schema/],
    [{ fields: null }, /sub-schema/],
    [{ default: 5 }, /default/],
    [{ default: 'long', maxLength: 3 }, /default/],
    [{ type: 'url', default: 'javascript:x' }, /default/],
    [{ type: 'number', default: '5' }, /default/],
  ]
  for (const [field, why] of table) refuses(withField(field), why)
  refuses({ key: 'a', fields: 'x' }, /fields must be an array/)
  refuses({ key: 'a', fields: { id: 'f1' } }, /fields must be an array/)
  refuses({ key: 'a', fields: ['#t'] }, /fields\[0\]: must be an object/)
  refuses({ key: 'a', fields: Array.from({ length: 201 }, (_, i) => ({ tag: `#${i}`, type: 'text' })) }, /at most 200/)
})

test('a collection names block keys, and its bounds are whole numbers in order', () => {
  const collection = (rules: object) => withField({ type: 'collection', allowedBlockKeys: ['item'], ...rules })
  for (const rules of [
    { minItems: 0, maxItems: 3 },
    { minItems: 2 },
    { maxItems: 0 },
    { minItems: 2, maxItems: 2 },
    { allowedBlockKeys: [] },
  ])
    read(collection(rules))
  for (const [rules, why] of [
    [{ allowedBlockKeys: undefined }, /allowedBlockKeys/],
    [{ allowedBlockKeys: 'item' }, /allowedBlockKeys/],
    [{ allowedBlockKeys: ['My Item'] }, /display names/],
    [{ allowedBlockKeys: [5] }, /display names/],
    [{ minItems: -1 }, /minItems/],
    [{ minItems: 1.5 }, /minItems/],
    [{ maxItems: -1 }, /maxItems/],
    [{ maxItems: '3' }, /maxItems/],
    [{ minItems: 3, maxItems: 2 }, /above/],
    [{ fields: [] }, /sub-schema/],
  ] as [object, RegExp][])
    refuses(collection(rules), why)
})

test('two fields may share a tag but no id, and a missing id is made from the tag', () => {
  const ids = (fields: object[]) =>
    read({ key: 'a', fields: fields.map((field) => ({ type: 'text', ...field })) }).fields.map(({ id }) => id)
  assert.deepEqual(ids([{ tag: '#t' }, { tag: '#t' }, { tag: '#u' }, { tag: '#t' }]), ['#t', '#t~2', '#u', '#t~3'])
  assert.deepEqual(
    ids([
      { id: 'f1', tag: '#t' },
      { id: 'f2', tag: '#t' },
    ]),
    ['f1', 'f2'],
  )
  refuses(
    {
      key: 'a',
      fields: [
        { id: 'f1', tag: '#a', type: 'text' },
        { id: 'f1', tag: '#b', type: 'text' },
      ],
    },
    /used by another/,
  )
})

test('blank is read by field id and checked like a value', () => {
  const fields = [
    { id: 'f1', tag: '#t', type: 'text' },
    { id: 'f2', tag: '#u', type: 'url' },
  ]
  assert.deepEqual(read({ key: 'a', fields, blank: { f1: 'Hi', '#t': 'by tag', other: 1, f2: null } }).blank, { f1: 'Hi' })
  refuses({ key: 'a', fields, blank: { f2: 'javascript:x' } }, /blank\.f2/)
  refuses({ key: 'a', fields, blank: { f1: 5 } }, /blank\.f1/)
  for (const blank of ['x', [], 5]) refuses({ key: 'a', fields, blank }, /blank/)
})

test('a new instance starts with the blank values, then the defaults, and with nothing that objects inherit', () => {
  const { fields, blank } = read({
    key: 'a',
    fields: [
      { id: 'f1', tag: '#a', type: 'text', default: 'default' },
      { id: 'f2', tag: '#b', type: 'number', default: 5 },
      { id: 'f3', tag: '#c', type: 'toggle', default: false },
      { id: 'constructor', tag: '#d', type: 'select' },
    ],
    blank: { f1: 'blank' },
  })
  assert.deepEqual(startingValues({ fields, blank }), { f1: 'blank', f2: 5, f3: false })
})

test('whatever is sent, a definition is refused in words or read into one that reads the same again', () => {
  const word = fc.constantFrom<Json>('a', '', 'text', 'collection', '#t', 0, 1, -1, 1.5, true, null, [], {}, ['item'])
  const members = (...names: string[]) => fc.record(Object.fromEntries(names.map((name) => [name, word])), { requiredKeys: [] })
  const field = members(
    'id',
    'tag',
    'type',
    'label',
    'default',
    'options',
    'maxLength',
    'required',
    'allowedBlockKeys',
    'minItems',
    'maxItems',
  )
  const plausible = fc.record({ tag: fc.constantFrom('#a', '#b'), type: fc.constantFrom('text', 'number', 'rating') })
  const fields = fc.array(fc.oneof(field, plausible), { maxLength: 3 })
  const definition = fc
    .tuple(members('name', 'screen', 'crumb', 'blank', 'inCampaigns', 'interruptive', 'designType'), fields)
    .map(([rest, list]) => ({ ...rest, key: 'a', fields: list }))
  fc.assert(
    fc.property(fc.oneof(definition, fc.jsonValue()), (input) => {
      const parsed = parseDefinition(input)
      if (!parsed.ok) assert.ok(parsed.error.length > 5)
      else assert.deepEqual(parseDefinition(parsed.value), parsed)
    }),
    { seed: 20260301, numRuns: 3000 },
  )
})
