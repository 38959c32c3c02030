import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json, JsonObject } from './field.ts'
import { applyPatch, type InstanceContent, type InstancePatch } from './instance.ts'

const SEED = { seed: 20260301, numRuns: 1000 }
const CONTENT: InstanceContent = {
  title: 'Winter',
  values: { a: 1, b: 'x' },
  seg: 'Gold',
  priority: 3,
  schedule: { startTime: '2026-03-01T00:00:00.000Z' },
  variants: [{ id: 'v', weight: 1, values: { a: 2 } }],
  translations: { ar: { b: 'ع' } },
  frequency: { per: 'day', max: 1 },
}

test('values and translations are merged one by one and null clears one, everything else is replaced', () => {
  assert.deepEqual(applyPatch(CONTENT, {}), CONTENT)
  assert.deepEqual(applyPatch(CONTENT, { values: { b: null, c: false } }).values, { a: 1, c: false })
  assert.deepEqual(applyPatch(CONTENT, { translations: { ar: { a: 5 }, fr: { b: 'f' } } }).translations, {
    ar: { b: 'ع', a: 5 },
    fr: { b: 'f' },
  })
  assert.deepEqual(applyPatch(CONTENT, { translations: { ar: { b: null } } }).translations, {})
  assert.deepEqual(applyPatch(CONTENT, { translations: { AR: { b: 'new' } } }).translations, { ar: { b: 'new' } })
  assert.deepEqual(applyPatch(CONTENT, { variants: [] }).variants, [])
  assert.deepEqual(applyPatch(CONTENT, { seg: null, schedule: null, frequency: null, title: '' }), {
    ...CONTENT,
    seg: null,
    schedule: null,
    frequency: null,
    title: '',
  })
})

const name = fc.constantFrom('a', 'b', 'constructor')
const value = fc.constantFrom<Json>(1, 'x', false, null, [])
const stored = fc.constantFrom<Json>(1, 'x', false, [])
const locale = fc.constantFrom('ar', 'AR', 'en-GB')
const translationsOf = (one: fc.Arbitrary<Json>) =>
  fc.dictionary(locale, fc.dictionary(name, one, { noNullPrototype: true }), { noNullPrototype: true })
const values = fc.dictionary(name, value, { noNullPrototype: true })
const patch: fc.Arbitrary<InstancePatch> = fc.record(
  {
    title: fc.constantFrom('', 'T'),
    seg: fc.constantFrom(null, 'Gold', 'Silver'),
    priority: fc.constantFrom(0, 9),
    values,
    translations: translationsOf(value),
    schedule: fc.constantFrom(null, { endTime: '2026-03-01T00:00:00.000Z' }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const content: fc.Arbitrary<InstanceContent> = fc
  .tuple(fc.dictionary(name, stored, { noNullPrototype: true }), translationsOf(stored))
  .map(([base, translations]) => applyPatch({ ...CONTENT, values: base, translations: {} }, { translations }))

const hasNull = (object: JsonObject) => Object.values(object).includes(null)

test('the same patch a second time changes nothing', () => {
  fc.assert(
    fc.property(content, patch, (before, change) => {
      const once = applyPatch(before, change)
      assert.deepEqual(applyPatch(once, change), once)
    }),
    SEED,
  )
})

test('what a patch does not name stays, what it names is there, and no null is stored', () => {
  fc.assert(
    fc.property(content, patch, (before, change) => {
      const after = applyPatch(before, change)
      for (const member of ['title', 'seg', 'priority', 'schedule', 'variants', 'frequency'] as const)
        assert.deepEqual(after[member], member in change ? change[member] : before[member])
      for (const id of ['a', 'b', 'constructor']) {
        const isNamed = change.values !== undefined && Object.hasOwn(change.values, id)
        const expected = isNamed ? (change.values?.[id] ?? undefined) : Object.hasOwn(before.values, id) ? before.values[id] : undefined
        assert.deepEqual(Object.hasOwn(after.values, id) ? after.values[id] : undefined, expected)
      }
      assert.ok(!hasNull(after.values) && !Object.values(after.translations).some(hasNull))
      assert.ok(Object.values(after.translations).every((one) => Object.keys(one).length > 0))
      const codes = Object.keys(after.translations).map((code) => code.toLowerCase())
      assert.equal(new Set(codes).size, codes.length)
    }),
    SEED,
  )
})

test('neither the content nor the patch is changed', () => {
  fc.assert(
    fc.property(content, patch, (before, change) => {
      const copies = structuredClone([before, change])
      applyPatch(before, change)
      assert.deepEqual([before, change], copies)
    }),
    SEED,
  )
})
