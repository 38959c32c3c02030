import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisionChanges, forgottenDecisions, hasDecided, NOTHING_DECIDED, type Decisions } from './decisions.ts'

const decided: Decisions = {
  channels: { push: true },
  saved: { push: false },
  personalOptOut: true,
  topics: { offers: true },
  requiredConsents: { terms: true },
}

test('each value that differs is one entry: flags, waiting flags, answers, the opt-out', () => {
  assert.deepEqual(decisionChanges(NOTHING_DECIDED, decided), [
    { channel: 'push', oldValue: null, newValue: true },
    { channel: 'saved:push', oldValue: null, newValue: false },
    { channel: 'topic:offers', oldValue: null, newValue: true },
    { channel: 'required:terms', oldValue: null, newValue: true },
    { channel: 'personalOptOut', oldValue: false, newValue: true },
  ])
  assert.deepEqual(decisionChanges(decided, decided), [])
  assert.deepEqual(decisionChanges(decided, { ...decided, topics: { offers: false, constructor: true } }), [
    { channel: 'topic:offers', oldValue: true, newValue: false },
    { channel: 'topic:constructor', oldValue: null, newValue: true },
  ])
})

test('what is forgotten goes back to never asked', () => {
  assert.deepEqual(
    forgottenDecisions(decided).map(({ channel, oldValue, newValue }) => [channel, oldValue, newValue]),
    [
      ['push', true, null],
      ['saved:push', false, null],
      ['topic:offers', true, null],
      ['required:terms', true, null],
      ['personalOptOut', true, null],
    ],
  )
  assert.deepEqual(forgottenDecisions(NOTHING_DECIDED), [])
})

test('an answer alone is a decision', () => {
  assert.equal(hasDecided(NOTHING_DECIDED), false)
  assert.equal(hasDecided({ ...NOTHING_DECIDED, topics: { offers: false } }), true)
  assert.equal(hasDecided({ ...NOTHING_DECIDED, personalOptOut: true }), true)
})
