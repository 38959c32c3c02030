import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareContent, filledContent, isWithoutDifference } from './compare-content.ts'
import type { Field } from './field.ts'
import type { InstanceContent } from './instance.ts'

const FIELDS: Field[] = [
  { id: 't', tag: '#title', type: 'text' },
  { id: 'u', tag: '#url', type: 'url' },
  { id: 'c', tag: '#items', type: 'collection' },
]
const CONTENT: InstanceContent = {
  title: 'T',
  values: { t: 'Hello', c: ['1', '2'] },
  seg: null,
  priority: 0,
  schedule: { startTime: 'a', endTime: 'b' },
  variants: [{ id: 'v', weight: 1, values: { t: 'x' } }],
  translations: { ar: { t: 'مرحبا' }, fr: { t: 'Salut' } },
  frequency: null,
}
const differ = (change: Partial<InstanceContent>) => compareContent(FIELDS, CONTENT, { ...CONTENT, ...change })

test('equal content differs in nothing, however its members are ordered and its empty values are written', () => {
  const same = differ({
    values: { c: ['1', '2'], u: '', t: 'Hello', gone: 'of a field the type has no longer' },
    schedule: { endTime: 'b', startTime: 'a' },
    translations: { fr: { t: 'Salut' }, ar: { t: 'مرحبا' }, de: {} },
  })
  assert.deepEqual(same, { fields: [], locales: [], settings: [] })
  assert.ok(isWithoutDifference(same))
})

test('each part that differs is named, and no other', () => {
  assert.deepEqual(differ({ values: { t: 'Hello', c: ['2', '1'], u: '/a' } }).fields, ['#url', '#items'])
  assert.deepEqual(differ({ values: { t: 'hello' } }).fields, ['#title', '#items'])
  assert.deepEqual(differ({ translations: { ar: { t: 'أهلا' }, de: { t: 'Hallo' } } }).locales, ['ar', 'fr', 'de'])
  for (const change of [
    { title: 'U' },
    { seg: 'VIP' },
    { priority: 1 },
    { schedule: null },
    { variants: [{ id: 'v', weight: 2, values: { t: 'x' } }] },
    { frequency: { per: 'day' as const, max: 1 } },
  ]) {
    const found = differ(change)
    assert.deepEqual(found, { fields: [], locales: [], settings: Object.keys(change) })
    assert.ok(!isWithoutDifference(found))
  }
})

test('of new content everything that is filled is named', () => {
  assert.deepEqual(filledContent(FIELDS, CONTENT), { fields: ['#title', '#items'], locales: ['ar', 'fr'], settings: [] })
})
