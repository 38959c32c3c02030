import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDefinition } from '@contentflow/core/blocks/definition.ts'
import type { Field } from '@contentflow/core/blocks/field.ts'
import { blankDraft, faultsOf, keyFrom, risksOf, toDraft, toField } from './fields-form.ts'

const FIELDS: Field[] = [
  { id: 'a', tag: '#title', type: 'text', label: 'Title', required: true, maxLength: 60, default: 'Hi' },
  { id: 'b', tag: '#body', type: 'textarea' },
  { id: 'c', tag: '#badge', type: 'select', options: ['none', 'new'], default: 'none' },
  { id: 'd', tag: '#size', type: 'select', options: [{ value: 1, label: 'One' }, 2] },
  { id: 'e', tag: '#items', type: 'collection', allowedBlockKeys: ['card'], minItems: 1, maxItems: 4 },
  { id: 'f', tag: '#on', type: 'toggle', default: false },
  { id: 'g', tag: '#odd', type: 'colour_of_brand', options: ['x'] },
]

test('M-REG-23 a form that nobody touched sends the fields as they are stored', () => {
  assert.deepEqual(
    FIELDS.map((field) => toField(toDraft(field))),
    FIELDS,
  )
})

test('what the form makes is what a definition takes', () => {
  const drafts = FIELDS.map(toDraft)
  const made = [...drafts, { ...blankDraft('row'), tag: ' #new ', type: 'collection', allowedBlockKeys: ['card'] }]
  const parsed = parseDefinition({ key: 'k', fields: made.map(toField) })
  assert.ok(parsed.ok, JSON.stringify(parsed))
  assert.deepEqual(parsed.value.fields.at(-1), { id: '#new', tag: '#new', type: 'collection', allowedBlockKeys: ['card'] })
})

test('another kind leaves behind what only the old one had', () => {
  const draft = { ...toDraft(FIELDS[0]!), type: 'collection', allowedBlockKeys: ['card'] }
  assert.deepEqual(toField(draft), {
    id: 'a',
    tag: '#title',
    type: 'collection',
    label: 'Title',
    required: true,
    allowedBlockKeys: ['card'],
  })
})

test('a default goes with the choice it named', () => {
  assert.equal(toField({ ...toDraft(FIELDS[2]!), options: ['new'] }).default, undefined)
  assert.equal(toField({ ...toDraft(FIELDS[2]!), options: ['new', 'none'] }).default, 'none')
})

test('faults name the member that has to be mended', () => {
  const members = (change: object) => faultsOf({ ...blankDraft('r'), tag: '#a', ...change }).map(({ member }) => member)
  assert.deepEqual(members({}), [])
  assert.deepEqual(members({ tag: ' ' }), ['tag'])
  assert.deepEqual(members({ type: 'select' }), ['options'])
  assert.deepEqual(members({ type: 'collection' }), ['allowed'])
  assert.deepEqual(members({ type: 'collection', allowedBlockKeys: ['x'], minItems: 3, maxItems: 2 }), ['items'])
})

test('what a save takes from apps is said; what it adds is not', () => {
  const [title, body, badge, ...rest] = FIELDS.map(toDraft)
  const after = [{ ...title!, tag: '#headline' }, { ...badge!, type: 'text' }, ...rest, blankDraft('new')]
  assert.ok(body)
  assert.deepEqual(risksOf(FIELDS, after), [
    { kind: 'retagged', name: 'Title', before: '#title', after: '#headline' },
    { kind: 'removed', name: '#body' },
    { kind: 'retyped', name: '#badge' },
  ])
  assert.deepEqual(risksOf(FIELDS, FIELDS.map(toDraft)), [])
})

test('a key is made from a name', () => {
  assert.equal(keyFrom('  Été: Summer Sale! '), 'ete_summer_sale')
  assert.equal(keyFrom('عرض'), '')
})
