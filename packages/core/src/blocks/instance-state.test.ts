import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instanceState } from './instance-state.ts'
import type { Schedule } from './instance.ts'

const NOW = Date.parse('2026-06-01T12:00:00.000Z')
const state = (isLive: boolean, isTest: boolean, schedule: Schedule | null = null) => instanceState({ isLive, isTest, schedule }, NOW)

test('without a publication everything is a draft, whatever its schedule says', () => {
  for (const schedule of [null, { startTime: '2020-01-01T00:00:00.000Z' }, { endTime: '2020-01-01T00:00:00.000Z' }])
    assert.equal(state(false, false, schedule), 'draft')
})

test('what is published nowhere, and is to be at a moment to come, is scheduled; of what is served the schedule alone counts', () => {
  const planned = (isLive: boolean) => instanceState({ isLive, isTest: false, isPlanned: true, schedule: null }, NOW)
  assert.deepEqual([planned(false), planned(true)], ['scheduled', 'live'])
})

test('a publication to live counts before one to test', () => {
  assert.deepEqual([state(true, false), state(true, true), state(false, true)], ['live', 'live', 'test'])
})

test('C-SYNC-20 G-37 the start belongs to the schedule, the end does not', () => {
  const [before, now, after] = ['2026-06-01T11:59:59.999Z', '2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.001Z']
  for (const [isLive, onAir] of [
    [true, 'live'],
    [false, 'test'],
  ] as const) {
    assert.equal(state(isLive, true, { startTime: now }), onAir)
    assert.equal(state(isLive, true, { startTime: after }), 'scheduled')
    assert.equal(state(isLive, true, { endTime: now }), 'ended')
    assert.equal(state(isLive, true, { endTime: after }), onAir)
    assert.equal(state(isLive, true, { startTime: before, endTime: after }), onAir)
    assert.equal(state(isLive, true, { startTime: before, endTime: now }), 'ended')
  }
})
