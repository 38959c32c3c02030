import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step, Trigger } from '@contentflow/core/journeys/journey.ts'
import { findFaults, isStopping, unreachableOf, type Surroundings } from './faults.ts'

const AROUND: Surroundings = {
  locales: ['en', 'ar'],
  sourceLocale: 'en',
  channels: new Set(['push']),
  segments: new Set(['Gold', 'id-1']),
  fences: new Set(['fence-1']),
}
const rule = { logicalOperator: 'AND' as const, rules: [{ field: 'consent.push', operator: 'equals' as const, value: true }] }
const content = { en: { title: 'Hi' }, ar: { title: 'أهلًا' } }
const push: Step = { id: 'push', type: 'send', channel: 'push', content }

type Given = { trigger?: Trigger; name?: string; around?: Surroundings }

function kinds(steps: Step[], { trigger = { type: 'manual' }, name = 'N', around = AROUND }: Given = {}) {
  return Object.fromEntries(
    [...findFaults({ name, trigger, steps, goal: null }, around)].map(([id, faults]) => [id, faults.map(({ kind }) => kind)]),
  )
}

test('a whole journey has no fault, and what is not known yet is no fault', () => {
  assert.deepEqual(kinds([push]), {})
  assert.deepEqual(kinds([{ ...push, channel: 'sms' }], { around: {}, trigger: { type: 'segment_entry', segment: 'any' } }), {})
})

test('each step says what is wrong with it', () => {
  assert.deepEqual(kinds([{ ...push, channel: 'sms' }]), { push: ['channelOff'] })
  assert.deepEqual(kinds([{ ...push, content: {} }]), { push: ['contentEmpty'] })
  assert.deepEqual(kinds([{ ...push, content: { en: { title: 'Hi' } } }]), { push: ['languageMissing'] })
  assert.deepEqual(kinds([{ ...push, content: { ...content, ar: { title: ' ' } } }]), { push: ['languageEmpty'] })
  assert.deepEqual(kinds([{ ...push, content: { ...content, en: { title: 'Hi', ctaUrl: 'javascript:1' } } }]), { push: ['linkWrong'] })
  const templated = { en: { whatsappTemplate: { id: 'HX1' } }, ar: { title: 'x', whatsappTemplate: { id: '' } } }
  const channels = new Set(['push', 'whatsapp'])
  assert.deepEqual(kinds([{ ...push, channel: 'whatsapp', content: templated }], { around: { channels } }), { push: ['templateWrong'] })
  assert.deepEqual(kinds([{ ...push, content: templated }]), { push: ['templateWrong', 'languageEmpty'] })
  assert.deepEqual(kinds([{ id: 'w', type: 'wait', minutes: 0 }]), { w: ['waitWrong'] })
  const prayer = { id: 'p', type: 'wait_until', afterPrayer: 'asr', minutesAfter: 0, latitude: 21.5, longitude: 39.2 } as const
  assert.deepEqual(kinds([prayer]), {})
  assert.deepEqual(kinds([{ ...prayer, minutesAfter: 181, latitude: Number.NaN }]), { p: ['minutesAfterWrong', 'placeWrong'] })
  assert.deepEqual(kinds([{ ...prayer, latitude: 69.6 }]), { p: ['placeWrong'] })
  const blank = { logicalOperator: 'AND' as const, rules: [{ field: '', operator: 'equals' as const }] }
  assert.deepEqual(kinds([{ id: 'if', type: 'condition', rule: blank, then: [], else: [] }]), { if: ['ruleUnfinished', 'thenEmpty'] })
})

test('a trigger says what it names and is not there', () => {
  const of = (trigger: Trigger) => kinds([push], { trigger })['trigger']
  assert.deepEqual(of({ type: 'segment_entry', segment: '' }), ['segmentMissing'])
  assert.deepEqual(of({ type: 'segment_entry', segment: 'Silver' }), ['segmentGone'])
  assert.equal(of({ type: 'segment_entry', segment: 'id-1' }), undefined)
  assert.deepEqual(of({ type: 'event', eventType: 'GEOFENCE_ENTER', filters: { fenceId: 'gone' } }), ['fenceGone'])
  assert.deepEqual(of({ type: 'inactivity', days: 0 }), ['inactivityDays'])
  assert.equal(of({ type: 'date', trait: 'birthday', daysBefore: 90, hour: 9 }), undefined)
  assert.deepEqual(of({ type: 'date', trait: 'birth day', daysBefore: 91, hour: 9 }), ['traitMissing', 'daysBeforeWrong'])
})

test('steps that nobody comes to are known', () => {
  const exit = (id: string): Step => ({ id, type: 'exit' })
  const both: Step = { id: 'if', type: 'condition', rule, then: [exit('x')], else: [exit('y'), push] }
  assert.deepEqual([...unreachableOf([both, exit('z')])], ['push', 'z'])
  assert.deepEqual([...unreachableOf([{ ...both, else: [] }, exit('z')])], [])
})

test('what the server would refuse is told from what is only worth knowing', () => {
  assert.deepEqual(kinds([], { name: ' ' }), { journey: ['nameMissing', 'noSteps'] })
  assert.equal(isStopping({ kind: 'nameMissing' }), true)
  assert.equal(isStopping({ kind: 'noSteps' }), false)
})
