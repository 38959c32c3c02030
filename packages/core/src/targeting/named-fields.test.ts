import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedFields } from './named-fields.ts'
import type { Rule } from './rule.ts'

test('fields are found at any depth, each once, and values are none', () => {
  const leaf = (field: string): Rule => ({ field, operator: 'equals', value: 'enrichment.value' })
  const rules: Rule[] = [
    leaf('language'),
    {
      logicalOperator: 'OR',
      conditions: [leaf('enrichment.tier'), { logicalOperator: 'AND', conditions: [leaf('enrichment.tier'), leaf('appVersion')] }],
    },
  ]
  assert.deepEqual([...namedFields(rules)], ['language', 'enrichment.tier', 'appVersion'])
  assert.deepEqual([...namedFields([])], [])
})
