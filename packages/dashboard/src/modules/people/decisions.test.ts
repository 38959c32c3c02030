import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LedgerEntry } from './api.ts'
import { aboutOf, groupDecisions, labelOf } from './decisions.ts'

const entry = (channel: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  channel,
  oldValue: null,
  newValue: true,
  source: 'consent',
  preset: null,
  presetVersion: null,
  textHash: null,
  locale: null,
  keyId: 'k',
  recordedAt: '2026-01-01T00:00:00.000Z',
  ...more,
})

test('what one call changed is one decision, in the order it was written down', () => {
  const later = { recordedAt: '2026-01-02T00:00:00.000Z' }
  const decisions = groupDecisions([entry('sms', later), entry('push', later), entry('push'), entry('email', { source: 'bulk' })])
  assert.deepEqual(
    decisions.map(({ source, recordedAt, changes }) => [source, recordedAt.slice(0, 10), changes.map(({ about }) => about)]),
    [
      ['consent', '2026-01-02', [aboutOf('push'), aboutOf('sms')]],
      ['consent', '2026-01-01', [aboutOf('push')]],
      ['bulk', '2026-01-01', [aboutOf('email')]],
    ],
  )
})

test('every name of the ledger is understood, and one of a newer server keeps its own', () => {
  assert.deepEqual(aboutOf('whatsapp'), { kind: 'channel', channel: 'whatsapp' })
  assert.deepEqual(aboutOf('saved:email'), { kind: 'waiting', channel: 'email' })
  assert.deepEqual(aboutOf('analytics'), { kind: 'analytics' })
  assert.deepEqual(aboutOf('personalOptOut'), { kind: 'personalOptOut' })
  assert.deepEqual(aboutOf('topic:offers'), { kind: 'topic', id: 'offers' })
  assert.deepEqual(aboutOf('required:data_processing'), { kind: 'required', id: 'data_processing' })
  assert.deepEqual(aboutOf('saved:fax'), { kind: 'other', id: 'saved:fax' })
  assert.deepEqual(aboutOf('toString'), { kind: 'other', id: 'toString' })
})

test('topics and required consents are shown in the words of their form', () => {
  assert.equal(labelOf('topic', 'offers', 'banking_ksa', 'en'), 'Offers and discounts')
  assert.match(labelOf('required', 'data_processing', 'banking_ksa', 'ar'), /أوافق/)
  assert.equal(labelOf('topic', 'offers', null, 'en'), 'Offers and discounts')
  assert.equal(labelOf('topic', 'our_own', 'banking_ksa', 'en'), 'our_own')
})
