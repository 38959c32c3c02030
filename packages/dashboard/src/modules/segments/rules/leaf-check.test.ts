import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Leaf } from '@contentflow/core/targeting/rule.ts'
import type { FieldKind } from './field-catalog.ts'
import { leafFault, leafNotes } from './leaf-check.ts'

test('a row that cannot be saved says why', () => {
  const cases: [Leaf, ReturnType<typeof leafFault>][] = [
    [{ field: '', operator: 'equals' }, 'fieldMissing'],
    [{ field: 'foo.bar', operator: 'exists' }, 'fieldWrong'],
    [{ field: 'demographic.age', operator: 'exists' }, 'fieldWrong'],
    [{ field: 'customAttributes.plan', operator: 'equals' }, 'valueMissing'],
    [{ field: 'customAttributes.plan', operator: 'exists' }, undefined],
    [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }, undefined],
    [{ field: 'customAttributes.plan', operator: 'regex', value: '(' }, 'pattern'],
    [{ field: 'customAttributes.plan', operator: 'regex', value: 'a'.repeat(501) }, 'pattern'],
    [{ field: 'metadata.createdAt', operator: 'date_after', value: 'soon' }, 'time'],
    [{ field: 'metadata.createdAt', operator: 'days_ago', value: -1 }, 'days'],
    [{ field: 'currentLocation.point', operator: 'geo_radius', value: { latitude: 91, longitude: 0, radiusMeters: 5 } }, 'circle'],
    [{ field: 'device.sdkVersion', operator: 'app_version_gte', value: 'latest' }, 'version'],
    [{ field: 'customAttributes.plan', operator: 'equals', value: 'a'.repeat(5000) }, 'tooLarge'],
  ]
  for (const [leaf, fault] of cases) assert.equal(leafFault(leaf), fault, JSON.stringify(leaf).slice(0, 80))
})

test('a row that never holds, or means more than it says, tells', () => {
  const cases: [Leaf, FieldKind, string[]][] = [
    [{ field: 'customAttributes.joined', operator: 'date_after', value: '2026-01-01' }, 'date', ['dateOnTrait']],
    [
      { field: 'demographic.country', operator: 'geo_radius', value: { latitude: 1, longitude: 1, radiusMeters: 1 } },
      'text',
      ['circleElsewhere'],
    ],
    [{ field: 'customAttributes.plan', operator: 'in', value: 'gold' }, 'text', ['never']],
    [{ field: 'customAttributes.carts', operator: 'between', value: [1, 2, 3] }, 'number', ['never']],
    [{ field: 'consent.push', operator: 'equals', value: 'true' }, 'boolean', ['never']],
    [{ field: 'customAttributes.carts', operator: 'equals', value: '30' }, 'number', ['otherType']],
    [{ field: 'customAttributes.carts', operator: 'equals', value: 30 }, 'number', []],
    [{ field: 'customAttributes.carts', operator: 'equals', value: '30' }, 'any', []],
    [{ field: 'enrichment.tier', operator: 'equals', value: 'gold' }, 'any', ['notInContent']],
    [{ field: 'consent.inApp', operator: 'is_true' }, 'boolean', ['notInContent']],
    [{ field: 'consent.push', operator: 'is_true' }, 'boolean', []],
    [{ field: 'customAttributes.plan', operator: 'not_equals', value: 'gold' }, 'text', ['unknownToo']],
    [{ field: 'customAttributes.plan', operator: 'equals' }, 'text', []],
  ]
  for (const [leaf, kind, notes] of cases) assert.deepEqual(leafNotes(leaf, kind), notes, JSON.stringify(leaf))
})
