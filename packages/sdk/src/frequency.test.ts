import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frequencyOf, mayShow, noteShown, type ShownTimes } from './frequency.ts'
import type { Block, Config, Frequency } from './types.ts'

const HOUR = 3_600_000
const NOON = new Date(2026, 2, 10, 12).getTime()
const popup: Block = {
  key: 'p',
  name: '',
  screen: '',
  instanceId: 'i',
  version: 1,
  values: {},
  fields: [],
  visible: true,
  designType: 'popup',
}
const config = (features: Config['features'] = {}): Config => ({
  features,
  pollIntervalSeconds: 30,
  popupDefaultFrequency: { per: 'day', max: 1 },
})
const shownAt = (frequency: Frequency, ...moments: number[]) =>
  moments.reduce<ShownTimes>((shown, moment) => noteShown(shown, 'i', frequency, moment), {})['i'] ?? []

test('C-LIMIT-19 a popup without a frequency shows once a day; a second show the same day is suppressed, the next day it shows again', () => {
  const frequency = frequencyOf(popup, config())
  assert.deepEqual(frequency, { per: 'day', max: 1 })
  const shown = shownAt({ per: 'day', max: 1 }, NOON)
  assert.equal(mayShow({ per: 'day', max: 1 }, [], NOON, 0), true)
  assert.equal(mayShow({ per: 'day', max: 1 }, shown, NOON + 11 * HOUR, 0), false)
  assert.equal(mayShow({ per: 'day', max: 1 }, shown, NOON + 13 * HOUR, 0), true)
})

test('G-70 session, week and ever count what they say, up to max', () => {
  const session: Frequency = { per: 'session', max: 2 }
  assert.equal(mayShow(session, shownAt(session, NOON, NOON + 1), NOON + 2, NOON), false)
  assert.equal(mayShow(session, shownAt(session, NOON, NOON + 1), NOON + 2, NOON + 2), true)
  const week: Frequency = { per: 'week', max: 1 }
  assert.equal(mayShow(week, shownAt(week, NOON), NOON + 167 * HOUR, 0), false)
  assert.equal(mayShow(week, shownAt(week, NOON), NOON + 168 * HOUR, 0), true)
  const ever: Frequency = { per: 'ever', max: 1 }
  assert.equal(mayShow(ever, shownAt(ever, NOON), NOON + 10_000 * HOUR, 0), false)
})

test('C-FLAG-12 with frequency_caps off nothing is capped, and other designs have no default', () => {
  assert.equal(frequencyOf(popup, config({ frequency_caps: false })), undefined)
  const { designType, ...plain } = popup
  assert.equal(designType, 'popup')
  assert.equal(frequencyOf(plain, config()), undefined)
  assert.deepEqual(frequencyOf({ ...plain, frequency: { per: 'ever', max: 3 } }, config()), { per: 'ever', max: 3 })
})

test('what is remembered stays bounded', () => {
  let shown: ShownTimes = {}
  for (let i = 0; i < 700; i++) shown = noteShown(shown, `b${i}`, { per: 'day', max: 2 }, i)
  for (let i = 0; i < 9; i++) shown = noteShown(shown, 'b699', { per: 'day', max: 2 }, 1000 + i)
  assert.equal(Object.keys(shown).length, 500)
  assert.deepEqual(shown['b699'], [1007, 1008])
  assert.equal(shown['b0'], undefined)
})
