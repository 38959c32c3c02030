import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { deliveredValues, resolveValue } from './resolve-value.ts'

const content: InstanceContent = {
  title: '',
  values: { '#a': 'base', '#b': 'base b' },
  seg: null,
  priority: 0,
  schedule: null,
  variants: [{ id: 'B', weight: 1, values: { '#a': 'variant' }, translations: { ar: { '#a': 'variant ar' } } }],
  translations: { ar: { '#a': 'ar' }, 'ar-SA': { '#b': 'ar-SA b' } },
  frequency: null,
}
const FIELDS: Field[] = ['#a', '#b'].map((tag) => ({ id: tag, tag, type: 'text' }))

test('G-31 G-37 a reader sees the variant in the language, then its parents, then the variant, then the same of everyone', () => {
  const seen = (locale: string | null, variant: string | null) => {
    const { '#a': a, '#b': b } = deliveredValues(FIELDS, content, { locale, variant })
    return [a, b]
  }
  assert.deepEqual(seen(null, null), ['base', 'base b'])
  assert.deepEqual(seen('ar', null), ['ar', 'base b'])
  assert.deepEqual(seen('ar-SA', null), ['ar', 'ar-SA b'])
  assert.deepEqual(seen('fr', null), ['base', 'base b'])
  assert.deepEqual(seen('fr', 'B'), ['variant', 'base b'])
  assert.deepEqual(seen('ar-SA', 'B'), ['variant ar', 'ar-SA b'])
})

test('an own value is told from what shows through, which says whose it is', () => {
  assert.deepEqual(resolveValue(content, { locale: 'ar-SA', variant: null }, '#a'), {
    own: undefined,
    inherited: { value: 'ar', from: { locale: 'ar', variant: null } },
  })
  assert.deepEqual(resolveValue(content, { locale: 'ar', variant: 'B' }, '#a'), {
    own: 'variant ar',
    inherited: { value: 'variant', from: { locale: null, variant: 'B' } },
  })
  assert.deepEqual(resolveValue(content, { locale: null, variant: null }, '#c'), { own: undefined, inherited: undefined })
})

test('what its field can no longer hold is left out, as delivery leaves it out', () => {
  const fields: Field[] = [{ id: '#a', tag: '#a', type: 'url' }]
  assert.deepEqual(deliveredValues(fields, content, { locale: null, variant: null }), {})
})
