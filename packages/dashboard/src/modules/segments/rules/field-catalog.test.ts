import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseField } from '@contentflow/core/targeting/fields.ts'
import { FIXED, kindOf, offerFields, typedFields } from './field-catalog.ts'

test('every fixed field is one that rules may name (C-SEG-16, C-SEG-17)', () => {
  for (const field of FIXED) assert.ok(parseField(field).ok, field)
})

test('what occurs comes first with its samples, fixed fields follow once', () => {
  const plan = { field: 'customAttributes.plan', kind: 'text', samples: ['gold'], people: 3 } as const
  const country = { field: 'demographic.country', kind: 'text', samples: ['SA'] } as const
  const offered = offerFields([
    { ...country, samples: ['SA'] },
    { ...plan, samples: ['gold'] },
  ])
  assert.deepEqual(offered[0], plan)
  assert.equal(offered.length, FIXED.length + 1)
  assert.deepEqual(offered.find(({ field }) => field === 'demographic.country')?.samples, ['SA'])
  assert.deepEqual(offered.find(({ field }) => field === 'metadata.environment')?.samples, ['live', 'test'])
})

test('the kind of a field is known from the grammar, else from what occurs', () => {
  assert.equal(kindOf('behavioral.clicks', []), 'number')
  assert.equal(kindOf('consent.push', []), 'boolean')
  assert.equal(kindOf('currentLocation', []), 'place')
  assert.equal(kindOf('customAttributes.plan', [{ field: 'customAttributes.plan', kind: 'text', samples: [] }]), 'text')
  assert.equal(kindOf('customAttributes.plan', []), 'any')
})

test('a name typed by hand becomes a trait or an attribute, a whole field stays itself', () => {
  assert.deepEqual(typedFields('tier'), ['customAttributes.tier', 'enrichment.tier'])
  assert.deepEqual(typedFields('loyalty level'), ['enrichment.loyalty level'])
  assert.deepEqual(typedFields('industryProfile.banking.tier'), ['industryProfile.banking.tier'])
  assert.deepEqual(typedFields('  '), [])
  assert.deepEqual(typedFields('a/b'), [])
  assert.deepEqual(typedFields('demographic.age'), [])
})
