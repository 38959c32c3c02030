import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANNELS } from '@contentflow/core/identity/consent/consent.ts'
import { blockOf, type Reachable } from './reach.ts'

const ALL_YES = Object.fromEntries(CHANNELS.map((channel) => [channel, true]))
const person = (more: Partial<Reachable> = {}): Reachable => ({
  channels: ALL_YES,
  personalOptOut: false,
  suppressed: false,
  email: 'a@b.example',
  phone: '+966500000000',
  hasPush: true,
  ...more,
})
const blocks = (more: Partial<Reachable>) => Object.fromEntries(CHANNELS.map((channel) => [channel, blockOf(channel, person(more))]))

test('a decided yes with an address is the only yes (C-CONS-04)', () => {
  for (const channel of CHANNELS) {
    assert.equal(blockOf(channel, person()), undefined, channel)
    assert.equal(blockOf(channel, person({ channels: { [channel]: false } })), 'refused', channel)
    assert.equal(blockOf(channel, person({ channels: {} })), 'neverAsked', channel)
  }
})

test('an opt-out blocks every outbound channel whatever the flags say (C-CONS-05)', () => {
  const { push, sms, whatsapp, email, inApp } = blocks({ personalOptOut: true, suppressed: true })
  assert.deepEqual([push, sms, whatsapp, email], ['optedOut', 'optedOut', 'optedOut', 'optedOut'])
  assert.equal(inApp, undefined)
})

test('suppression blocks its five flags and no other (M-SUPP-02)', () => {
  const { inApp, locationTracking, ...others } = blocks({ suppressed: true })
  assert.deepEqual([inApp, locationTracking], [undefined, undefined])
  assert.deepEqual(new Set(Object.values(others)), new Set(['suppressed']))
})

test('a yes without an address is told apart', () => {
  const { push, sms, whatsapp, email } = blocks({ email: null, phone: null, hasPush: false })
  assert.deepEqual([push, sms, whatsapp, email], ['noDevice', 'noPhone', 'noPhone', 'noEmail'])
})
