import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CHANNELS,
  consentChanges,
  decideChannels,
  readChannels,
  suppress,
  SUPPRESSED_CHANNELS,
  unsuppress,
  type Channels,
  type ChannelState,
} from './consent.ts'

const free = (channels: Channels): ChannelState => ({ channels, saved: null })

test('C-CONS-02 G-23 the seven flags are read, other names are ignored', () => {
  const all = Object.fromEntries(CHANNELS.map((channel, index) => [channel, index % 2 === 0]))
  assert.deepEqual(readChannels({ ...all, pigeon: true, Push: 1, constructor: 'x' }), { ok: true, value: all })
  assert.deepEqual(readChannels({}), { ok: true, value: {} })
  assert.deepEqual(readChannels({ push: undefined }), { ok: true, value: {} })
})

test('G-23 a flag that is not a boolean, or flags that are not an object, are an error', () => {
  for (const value of [null, 0, 1, 'true', [], {}])
    assert.deepEqual(readChannels({ sms: true, push: value }), { ok: false, error: 'channels.push must be a boolean' })
  for (const input of [null, undefined, true, 'push', ['push'], 1]) assert.equal(readChannels(input).ok, false)
})

test('C-CONS-02 flags that only an ancestor has are not there', () => {
  assert.deepEqual(readChannels(Object.create({ push: true })), { ok: true, value: {} })
})

test('C-CONS-03 what is left out stays', () => {
  assert.deepEqual(decideChannels(free({ push: true, sms: true }), { sms: false }), free({ push: true, sms: false }))
})

test('M-SUPP-02 M-SUPP-03 M-SUPP-11 five flags go off, also those never asked; in-app and location stay', () => {
  assert.deepEqual(suppress(free({ push: true, inApp: true, locationTracking: true })), {
    channels: { push: false, sms: false, whatsapp: false, email: false, marketing: false, inApp: true, locationTracking: true },
    saved: { push: true },
  })
})

test('A-29 while suppressed a decision about the five waits, one about the others holds at once', () => {
  const suppressed = suppress(free({ push: true })) ?? assert.fail()
  const decided = decideChannels(suppressed, { push: false, sms: true, inApp: true })
  assert.deepEqual(decided.channels, { ...suppressed.channels, inApp: true })
  assert.deepEqual(unsuppress(decided), free({ push: false, sms: true, inApp: true }))
})

// --- for all people ---

const flags = fc.record(Object.fromEntries(CHANNELS.map((name) => [name, fc.boolean()])), {
  requiredKeys: [],
  noNullPrototype: true,
}) as fc.Arbitrary<Channels>
const act = fc.oneof(
  flags.map((decided) => ({ kind: 'decide' as const, decided })),
  fc.constantFrom({ kind: 'suppress' as const }, { kind: 'unsuppress' as const }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

function step(state: ChannelState, one: Act): ChannelState {
  if (one.kind === 'decide') return decideChannels(state, one.decided)
  return (one.kind === 'suppress' ? suppress(state) : unsuppress(state)) ?? state
}

test('M-SUPP-04..M-SUPP-07 X-INT-12 the round trip gives everybody back exactly what they had', () => {
  fc.assert(
    fc.property(flags, (channels) => {
      const suppressed = suppress(free(channels)) ?? assert.fail()
      for (const channel of SUPPRESSED_CHANNELS) assert.equal(suppressed.channels[channel], false)
      assert.deepEqual(unsuppress(suppressed), free(channels))
    }),
  )
})

test('M-SUPP-05 M-SUPP-09 the second of the same is nothing', () => {
  fc.assert(
    fc.property(flags, (channels) => {
      assert.equal(unsuppress(free(channels)), undefined)
      assert.equal(suppress(suppress(free(channels)) ?? assert.fail()), undefined)
    }),
  )
})

test('A-29 whatever happens meanwhile, the five are off while suppressed, and the last decision on each holds in the end', () => {
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      let state = free({})
      const last: Channels = {}
      for (const one of acts) {
        state = step(state, one)
        if (one.kind === 'decide') Object.assign(last, one.decided)
        if (state.saved) for (const channel of SUPPRESSED_CHANNELS) assert.equal(state.channels[channel], false)
      }
      assert.deepEqual(unsuppress(state) ?? state, free(last))
    }),
  )
})

test('the changes of every history, one after the other, are its state; no change, no entry', () => {
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      let state = free({})
      const ledger = new Map<string, boolean>()
      for (const one of acts) {
        const next = step(state, one)
        for (const { channel, oldValue, newValue } of consentChanges(state, next)) {
          assert.notEqual(oldValue, newValue)
          assert.equal(ledger.get(channel) ?? null, oldValue)
          if (newValue === null) ledger.delete(channel)
          else ledger.set(channel, newValue)
        }
        state = next
      }
      const saved = Object.entries(state.saved ?? {}).map(([channel, value]) => [`saved:${channel}`, value])
      assert.deepEqual(Object.fromEntries(ledger), { ...state.channels, ...Object.fromEntries(saved) })
    }),
  )
})
