import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHANNEL_TYPES, type ChannelType } from '../../channels/channel.ts'
import type { ConsentChange } from './consent.ts'
import { decisionChanges, NOTHING_DECIDED, WEEKLY_LIMITS, type Decisions } from './decisions.ts'
import { decidePreferences, leaveAll, preferencesOf, type Offered, type Preferences } from './preferences.ts'
import { preferencePage, readPreferencePage } from './preference-page.ts'
import { readTopic } from './read-topic.ts'
import { answersWith, topicFault, wantsTopic, type Topic } from './topics.ts'

const news: Topic = { id: 'news', names: { en: 'News' }, descriptions: {}, channels: ['email', 'sms'], mode: 'opt_out', position: 0 }
const offers: Topic = { ...news, id: 'offers', channels: ['email', 'push'], mode: 'opt_in' }

test('what was said for a channel goes before what was said for the topic, and that before what it presumes', () => {
  const wants = (answers: Record<string, boolean>, topic: Topic = news) => wantsTopic(answers, topic, 'email')
  assert.deepEqual([wants({}), wants({}, offers)], [true, false])
  assert.deepEqual([wants({ news: false }), wants({ offers: true }, offers)], [false, true])
  assert.deepEqual([wants({ news: false, 'news.email': true }), wants({ news: true, 'news.email': false })], [true, false])
  assert.deepEqual([wants({ 'news.sms': false }), wants({ newsletter: false })], [true, true])
  assert.equal(wants({}, { ...offers, id: 'constructor' }), false, 'names of objects are no answers')
})

test('one answer for the topic where all channels were asked and said the same; else one for each that was asked', () => {
  const choose = (answers: Record<string, boolean>, ...chosen: [ChannelType, boolean][]) => answersWith(answers, news, new Map(chosen))
  assert.deepEqual(choose({}, ['email', false], ['sms', false]), { news: false })
  assert.deepEqual(choose({ 'news.sms': true, 'news.push': true, other: true }, ['email', false], ['sms', false]), {
    news: false,
    other: true,
  })
  assert.deepEqual(choose({ news: true }, ['email', false], ['sms', true]), { news: true, 'news.email': false, 'news.sms': true })
  assert.deepEqual(choose({}, ['email', true]), { 'news.email': true }, 'nobody asked about text messages')
  assert.deepEqual(choose({ news: true }), { news: true })
})

test('a message can only be about a topic that is there, over channels that it has', () => {
  const fault = (topic: string, ...channels: string[]) => topicFault([news], { topic, channels, at: 'steps[0].topic' })
  assert.equal(fault('news', 'email'), undefined)
  assert.equal(fault('old', 'email'), 'steps[0].topic: there is no topic "old"')
  assert.equal(fault('news', 'email', 'push'), 'steps[0].topic: the topic "news" is not sent over push')
})

test('a topic is read with its faults named', () => {
  const sent = { id: 'news', names: { en: 'News', ar_SA: 'أخبار' }, channels: ['sms', 'email'] }
  assert.deepEqual(readTopic(sent), {
    ok: true,
    value: { ...news, names: { en: 'News', 'ar-SA': 'أخبار' }, descriptions: {} },
  })
  const faults: [object, RegExp][] = [
    [{ id: 'news.email' }, /^id must be a letter/],
    [{ id: '__proto__' }, /^id must be/],
    [{ id: 'message_tracking' }, /^id must be/],
    [{ names: {} }, /^names must have/],
    [{ names: { en: ' ' } }, /^names.en must be a text of 1 to 100/],
    [{ names: { '?': 'x' } }, /^names: "\?" is not a locale code/],
    [{ names: { en: 'a', EN: 'b' } }, /^names has the language EN twice/],
    [{ descriptions: { en: 1 } }, /^descriptions.en must/],
    [{ channels: [] }, /^channels must be/],
    [{ channels: ['email', 'email'] }, /^channels must be/],
    [{ channels: ['in_app'] }, /^channels must be/],
    [{ mode: 'maybe' }, /^mode must be one of opt_out, opt_in/],
    [{ position: 0.5 }, /^position must be/],
    [{ colour: 'red' }, /^"colour" is not a member of a topic/],
  ]
  for (const [change, said] of faults) {
    const read = readTopic({ ...sent, ...change })
    assert.match(read.ok ? 'read' : read.error, said)
  }
})

test('the page has a law whose days count, and a published period only where the law takes one', () => {
  assert.deepEqual(preferencePage(null), { inMails: 'with_topics', law: 'pdpl_ksa', publishedDays: null })
  assert.equal(readPreferencePage({ inMails: 'always', law: 'dpdp', publishedDays: 20 }).ok, true)
  for (const wrong of [
    {},
    { inMails: 'always', law: 'none' },
    { inMails: 'always', law: 'gdpr', publishedDays: 20 },
    { inMails: 'x', law: 'gdpr' },
  ])
    assert.equal(readPreferencePage(wrong).ok, false, JSON.stringify(wrong))
})

/** What the ledger says now, read from nothing. */
function replay(ledger: readonly ConsentChange[]): Decisions {
  const now = new Map<string, boolean>()
  for (const { channel, oldValue, newValue } of ledger) {
    assert.equal(now.get(channel) ?? null, oldValue, `${channel} was what the entry says it was`)
    if (newValue === null) now.delete(channel)
    else now.set(channel, newValue)
  }
  const under = (prefix: string) =>
    Object.fromEntries([...now].flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])))
  const flags = Object.fromEntries([...now].filter(([name]) => !name.includes(':')))
  const [limit] = Object.keys(under('frequency:'))
  return { ...NOTHING_DECIDED, channels: flags, topics: under('topic:'), maxMessagesAWeek: limit === undefined ? null : Number(limit) }
}

const offered: Offered = {
  reached: ['email', 'sms', 'push'],
  topics: [news, offers],
  tracking: { opens: 'agreed', clicks: 'off', trap: false },
}
const choices = (channels: readonly ChannelType[]) =>
  fc.tuple(...channels.map((channel) => fc.boolean().map((wanted) => ({ channel, wanted }))))
const anyChoice: fc.Arbitrary<Preferences> = fc.record({
  channels: choices(['email', 'sms', 'push']),
  topics: fc.tuple(
    choices(['email', 'sms']).map((channels) => ({ id: 'news', channels })),
    choices(['email', 'push']).map((channels) => ({ id: 'offers', channels })),
  ),
  maxMessagesAWeek: fc.constantFrom(null, ...WEEKLY_LIMITS),
  tracking: fc.boolean(),
})
const anyStep = fc.record({
  reached: fc.subarray([...CHANNEL_TYPES]),
  chosen: fc.oneof(anyChoice, fc.constant<'leave'>('leave')),
})

test('the page shows what was chosen last, and what it shows is what the ledger says when it is read again', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
      let decisions = NOTHING_DECIDED
      const ledger: ConsentChange[] = []
      for (const { reached, chosen } of steps) {
        const page = { ...offered, reached }
        const after = chosen === 'leave' ? leaveAll(decisions) : decidePreferences(decisions, page, chosen)
        ledger.push(...decisionChanges(decisions, after))
        decisions = after
        const shown = preferencesOf(decisions, page)
        if (chosen === 'leave') assert.ok(shown.channels.every(({ wanted }) => !wanted))
        else {
          for (const { channel, wanted } of shown.channels)
            assert.equal(wanted, chosen.channels.find((each) => each.channel === channel)?.wanted ?? wanted)
          for (const { id, channels } of shown.topics)
            for (const { channel, wanted } of channels)
              assert.equal(wanted, chosen.topics.find((each) => each.id === id)?.channels.find((each) => each.channel === channel)?.wanted)
          assert.deepEqual([shown.maxMessagesAWeek, shown.tracking], [chosen.maxMessagesAWeek, chosen.tracking])
        }
      }
      assert.deepEqual(preferencesOf(replay(ledger), offered), preferencesOf(decisions, offered))
    }),
  )
})

test('what somebody chose who is suppressed waits, and is what the page shows', () => {
  const suppressed: Decisions = { ...NOTHING_DECIDED, channels: { email: false }, saved: { email: true } }
  const page = { ...offered, reached: ['email'] as const }
  assert.deepEqual(preferencesOf(suppressed, page).channels, [{ channel: 'email', wanted: true }])
  const left = leaveAll(suppressed)
  assert.deepEqual([left.channels.email, left.saved?.email], [false, false])
  assert.deepEqual(
    preferencesOf({ ...suppressed, channels: {} }, { ...page, tracking: { opens: 'off', clicks: 'off', trap: false } }).tracking,
    null,
  )
})
