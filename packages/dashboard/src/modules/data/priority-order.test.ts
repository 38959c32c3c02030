import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PRIORITIES, prioritiesWith, SOURCES } from '@contentflow/core/imports/priorities.ts'
import { moved, orderOf, overridesOf } from './priority-order.ts'

test('an order that is saved is read again, and that of the defaults needs no numbers', () => {
  assert.deepEqual(orderOf(DEFAULT_PRIORITIES), SOURCES)
  assert.deepEqual(overridesOf(SOURCES), {})
  const order = moved(SOURCES, 4, 0)
  assert.deepEqual(order, ['csv_upload', 'crm_webhook', 'loyalty_api', 'erp_sync', 'manual_api', 'analytics'])
  assert.deepEqual(orderOf(prioritiesWith(overridesOf(order))), order)
  assert.equal('analytics' in overridesOf(order), false)
})
