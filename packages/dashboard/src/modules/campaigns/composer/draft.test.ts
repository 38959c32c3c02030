import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WhatsappTemplate } from '@contentflow/core/messages/content.ts'
import { bodyOf, changedMembers, draftOf, isSame, newDraft, type Draft } from './draft.ts'
import { faultsOf } from './faults.ts'

const NOW = Date.parse('2030-01-01T00:00:00.000Z')
const AT = { now: NOW, source: 'en' }
const PASSED = '2029-12-31T00:00:00.000Z'
const COMING = '2030-02-01T00:00:00.000Z'

const full: Draft = {
  ...newDraft('Asia/Riyadh', 'en'),
  name: 'Eid',
  segments: ['All users'],
  dispatchChannels: ['email'],
  content: { en: { title: 'Hello' } },
}
const held = { ...bodyOf(full, undefined, AT), schedule: { startTime: PASSED, timezone: 'Asia/Riyadh' } }
const kinds = (draft: Draft) => faultsOf(draft, 'en', NOW).map(({ kind }) => kind)

test('languages in which nothing is written are not sent, and emptied members are left out', () => {
  const { content } = bodyOf({ ...full, content: { en: { title: 'Hello', body: '' }, ar: { title: '' }, fr: {} } }, undefined, AT)
  assert.deepEqual(content, { en: { title: 'Hello' } })
})

test('a template of WhatsApp is sent once it is entered, and is enough where nothing else is written to', () => {
  const of = (whatsappTemplate: WhatsappTemplate, dispatchChannels = ['whatsapp']): Draft => {
    return { ...full, dispatchChannels, content: { en: { whatsappTemplate } } }
  }
  const right = { id: 'HX1', variables: { 1: '{{name}}' } }
  assert.deepEqual(bodyOf(of({ id: '' }), undefined, AT).content, {})
  assert.deepEqual(bodyOf(of(right), undefined, AT).content, { en: { whatsappTemplate: right } })
  assert.deepEqual(kinds(of(right)), [])
  assert.deepEqual(kinds(of(right, ['whatsapp', 'sms'])), ['noWords'])
  for (const wrong of [{ id: '', variables: { 1: 'x' } }, { id: 'a b' }, { id: 'HX1', variables: { 1: ' ' } }])
    assert.deepEqual(kinds(of(wrong)), ['template'])
})

test('a start that has passed stays as it is stored; one that was taken back becomes now', () => {
  assert.equal(draftOf(held, AT).start, null)
  assert.equal(bodyOf(full, PASSED, AT).schedule.startTime, undefined)
  assert.equal(bodyOf(full, COMING, AT).schedule.startTime, '2030-01-01T00:00:00.000Z')
  assert.equal(bodyOf({ ...full, start: COMING }, PASSED, AT).schedule.startTime, COMING)
})

test('a draft is the same in whatever order its members stand', () => {
  const typed: Draft = { ...full, content: { en: { title: 'Hello', body: 'b', inbox: { days: 14 } } } }
  assert.ok(isSame(typed, { ...typed, content: { en: { inbox: { days: 14 }, body: 'b', title: 'Hello' } } }))
  assert.ok(!isSame(typed, { ...typed, content: { en: { title: 'Hello', body: 'b' } } }))
})

test('of what is approved only the members that are others are sent', () => {
  const changed = (part: Partial<Draft>) => changedMembers(bodyOf({ ...full, ...part }, PASSED, AT), held, 'en')
  assert.deepEqual(changed({}), {})
  assert.deepEqual(changed({ name: 'Eid sale' }), { name: 'Eid sale' })
  assert.deepEqual(changedMembers(bodyOf(full, PASSED, AT), { ...held, topic: 'news' }, 'en'), { topic: null })
  assert.deepEqual(changed({ schedule: { timezone: 'UTC' } }), { schedule: { timezone: 'UTC' } })
})

test('what a draft is missing is told by part, and what the server would refuse is told apart', () => {
  assert.deepEqual(kinds(full), [])
  assert.deepEqual(kinds(newDraft('UTC', 'en')), ['name', 'noChannel', 'noContent', 'noSegment'])
  assert.deepEqual(kinds({ ...full, content: { ar: { title: 'مرحبا' } } }), ['noSource'])
  assert.deepEqual(kinds({ ...full, content: { en: { ctaUrl: 'shop', imageUrl: 'a.png' } } }), ['noWords', 'image', 'url'])
  assert.deepEqual(kinds({ ...full, content: { en: { title: '{{name}}', ctaUrl: '{{customAttributes.link}}' } } }), [])
  const variants = [
    { id: 'A', weight: 1, texts: {} },
    { id: 'A', weight: 1, texts: {} },
    { id: ' ', weight: 1, texts: {} },
  ]
  assert.deepEqual(kinds({ ...full, content: { en: { title: 'a' } }, variants }), ['variantTwice', 'variantName'])
  assert.deepEqual(kinds({ ...full, start: COMING, schedule: { endTime: COMING } }), ['endFirst'])
  assert.deepEqual(kinds({ ...full, schedule: { endTime: PASSED } }), ['endPassed'])
  assert.deepEqual(kinds({ ...full, schedule: { quietHours: { from: '22:00', to: '22:00' } } }), ['quietHours'])
  const nowhere = { enabled: true, latitude: Number.NaN, longitude: 0, minutesBefore: 15, minutesAfter: 15 }
  assert.deepEqual(kinds({ ...full, schedule: { prayerBlackout: nowhere } }), ['noPlace'])
  assert.deepEqual(
    faultsOf({ ...full, name: '', segments: [] }, 'en', NOW).map(({ isWrong }) => isWrong),
    [true, false],
  )
})
