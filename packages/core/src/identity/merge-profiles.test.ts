import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHANNELS, decideChannels, suppress, unsuppress, type Channels } from './consent/consent.ts'
import { mergeProfiles, type Mergeable } from './merge-profiles.ts'

const NOBODY: Mergeable = {
  channels: {},
  saved: null,
  name: null,
  email: null,
  phone: null,
  country: null,
  language: null,
  personalOptOut: false,
  topics: {},
  requiredConsents: {},
  industry: {},
  pushPreferences: {},
}
const person = (known: Partial<Mergeable>): Mergeable => ({ ...NOBODY, ...known })

test('C-DEV-30 C-DEV-31 empty fields are filled, on conflict the known value wins', () => {
  const merged = mergeProfiles(
    person({ name: 'B', phone: '+9661', industry: { retail: { a: 1 } } }),
    person({ name: 'A', email: 'a@b.co' }),
  )
  assert.deepEqual(merged, person({ name: 'A', email: 'a@b.co', phone: '+9661', industry: { retail: { a: 1 } } }))
})

test('C-DEV-33 flags are taken over only where nothing was decided', () => {
  const merged = mergeProfiles(person({ channels: { push: true, sms: true } }), person({ channels: { push: false } }))
  assert.deepEqual(merged.channels, { push: false, sms: true })
})

test('C-DEV-33 answers are taken over one by one, an opt-out of either stays', () => {
  const anonymous = person({ topics: { news: true, sale: true }, requiredConsents: { terms: true }, personalOptOut: true })
  const merged = mergeProfiles(anonymous, person({ topics: { news: false } }))
  assert.deepEqual([merged.topics, merged.requiredConsents, merged.personalOptOut], [{ news: false, sale: true }, { terms: true }, true])
})

test('C-DEV-33 A-29 while suppressed, what comes over waits for the end of it', () => {
  const suppressed = suppress({ channels: { push: false }, saved: null })
  const merged = mergeProfiles(person({ channels: { push: true, email: true, inApp: true } }), person(suppressed ?? {}))
  assert.equal(merged.channels.email, false)
  assert.deepEqual(unsuppress(merged)?.channels, { push: false, email: true, inApp: true })
})

test('C-DEV-33 a suppressed anonymous person brings what they decided, not what was switched off', () => {
  const suppressed = suppress({ channels: { push: true, inApp: false }, saved: null })
  assert.deepEqual(mergeProfiles(person(suppressed ?? {}), NOBODY).channels, { push: true, inApp: false })
})

// --- for all people ---

const maybe = (value: string) => fc.option(fc.constantFrom(value, `${value}2`))
const flags = fc.record(Object.fromEntries(CHANNELS.map((name) => [name, fc.boolean()])), {
  requiredKeys: [],
  noNullPrototype: true,
}) as fc.Arbitrary<Channels>
const answers = fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), fc.boolean(), { noNullPrototype: true })
const people = fc
  .record({
    channels: flags,
    name: maybe('n'),
    email: maybe('e'),
    phone: maybe('p'),
    country: maybe('c'),
    language: maybe('l'),
    personalOptOut: fc.boolean(),
    topics: answers,
    requiredConsents: answers,
    industry: answers,
    pushPreferences: answers,
    isSuppressed: fc.boolean(),
    later: flags,
  })
  .map(({ isSuppressed, later, ...rest }): Mergeable => {
    const free = { ...rest, saved: null }
    return isSuppressed ? { ...free, ...decideChannels(suppress(free) ?? free, later) } : free
  })
/** What holds for the person once nobody suppresses them. */
const decided = (of: Mergeable): Channels => unsuppress(of)?.channels ?? of.channels

test('C-DEV-29..C-DEV-33 merging twice is merging once, and nothing known is lost or replaced', () => {
  fc.assert(
    fc.property(people, people, (anonymous, known) => {
      const merged = mergeProfiles(anonymous, known)
      assert.deepEqual(mergeProfiles(anonymous, merged), merged)
      for (const field of ['name', 'email', 'phone', 'country', 'language'] as const)
        assert.equal(merged[field], known[field] ?? anonymous[field])
      for (const set of ['topics', 'requiredConsents', 'industry', 'pushPreferences'] as const)
        assert.deepEqual(merged[set], { ...anonymous[set], ...known[set] })
      assert.deepEqual(decided(merged), { ...decided(anonymous), ...decided(known) })
      assert.equal(merged.saved === null, known.saved === null, 'suppression neither starts nor ends by a merge')
    }),
  )
})

test('merging with nobody changes nobody', () => {
  fc.assert(fc.property(people, (known) => assert.deepEqual(mergeProfiles(NOBODY, known), known)))
})
