import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeEvents, type EventSource } from './judge-events.ts'
import { readEvents } from './read-events.ts'

const NOW = Date.parse('2026-05-01T12:00:00Z')
const read = (event: object) => {
  const batch = readEvents({ events: [{ type: 'impression', ...event }] }, NOW)
  assert.ok(batch.ok)
  const [first] = batch.value.events
  assert.ok(first)
  return first
}

test('G-21 the time of the device is taken when it can be', () => {
  for (const [sent, at] of [
    ['2026-05-01T11:00:00Z', NOW - 3_600_000],
    ['2026-05-01T14:00:00+03:00', NOW - 3_600_000],
    [NOW - 1.5, NOW - 2],
    [NOW + 86_400_000, NOW + 86_400_000],
    [NOW + 86_400_001, null],
    [NOW - 30 * 86_400_000, NOW - 30 * 86_400_000],
    [NOW - 30 * 86_400_000 - 1, null],
    ['yesterday', null],
    ['', null],
    [true, null],
    [[NOW], null],
    [null, null],
  ] as const)
    assert.equal(read({ timestamp: sent }).occurredAt, at, JSON.stringify(sent))
})

test('G-21 stringKey or key names the string of a signal, and of nothing else', () => {
  assert.equal(read({ type: 'string_impression', key: 'k' }).stringKey, 'k')
  assert.equal(read({ type: 'string_impression', stringKey: 's', key: 'k' }).stringKey, 's')
  assert.equal(read({ type: 'impression', stringKey: 's' }).stringKey, null)
})

test('C-EVT-11 C-EVT-14 C-EVT-18 of several reasons the first counts', () => {
  const events = [read({ type: 'string_interaction' })]
  const reasons = (source: Partial<EventSource>) => [
    ...judgeEvents(events, { isFeatureOn: true, consent: 'granted', isSensor: () => false, ...source }).dropReasons.keys(),
  ]
  assert.deepEqual(reasons({ isFeatureOn: false, consent: undefined }), ['feature_disabled'])
  assert.deepEqual(reasons({ consent: undefined }), ['device_not_identified'])
  assert.deepEqual(reasons({ consent: 'denied' }), ['consent_not_granted'])
  assert.deepEqual(reasons({}), ['invalid_string_signal'])
})
