import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANNELS } from './consent.ts'
import { PRESETS, presetTexts, type Preset } from './presets.ts'

const presets = [...PRESETS.values()]
const entriesOf = ({ requiredConsents, topics }: Preset) => [...requiredConsents, ...topics]

test('C-CONS-18 C-CONS-20 G-24 the seven presets, each under its own name', () => {
  const names = ['banking_ksa', 'insurance_ksa', 'healthcare_ksa', 'retail_ksa', 'travel_ksa', 'general_ksa', 'general_eu']
  assert.deepEqual([...PRESETS.keys()], names)
  for (const [name, { preset }] of PRESETS) assert.equal(preset, name)
  assert.equal(PRESETS.get('constructor'), undefined)
})

test('G-24 every id is one that /consent/full takes, and stands once in its list', () => {
  for (const { preset, requiredConsents, topics } of presets)
    for (const list of [requiredConsents, topics]) {
      const ids = list.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, preset)
      for (const id of ids) assert.match(id, /^[a-z_]{1,64}$/)
    }
})

test('G-24 every text is there in English and in Arabic, and no two entries of a preset read alike', () => {
  for (const preset of presets) {
    for (const language of ['en', 'ar'] as const) {
      const labels = entriesOf(preset).map(({ label }) => label[language])
      assert.equal(new Set(labels).size, labels.length, preset.preset)
      assert.match(preset.notice[language], language === 'en' ? /not legal advice/ : /ليست استشارة قانونية/)
      for (const label of labels) assert.match(label, language === 'en' ? /^[ -~]{4,}$/ : /^[\u0600-\u06ff ]{4,}\.?$/, label)
    }
  }
})

test('G-24 topics name channels of ours, and the law belongs to the country', () => {
  for (const { preset, topics, legalFramework, requiredConsents } of presets) {
    for (const { id, channels } of topics) {
      assert.ok(channels.length > 0 && new Set(channels).size === channels.length, id)
      for (const channel of channels) assert.ok(CHANNELS.includes(channel), id)
    }
    assert.ok(
      requiredConsents.some(({ required }) => required),
      'something is asked for',
    )
    assert.ok(
      requiredConsents.every(({ id, required }) => !required || id !== 'direct_marketing'),
      'nobody must agree to marketing',
    )
    assert.deepEqual(
      [legalFramework.country, /GDPR|General Data Protection Regulation/.test(legalFramework.name)],
      preset.endsWith('_ksa') ? ['SA', false] : ['EU', true],
    )
  }
})

test('the texts of a preset are what the person read: every entry, in one language', () => {
  const preset = PRESETS.get('general_eu') ?? assert.fail()
  const [english, arabic] = [presetTexts(preset, 'en'), presetTexts(preset, 'ar')]
  assert.equal(english.length, entriesOf(preset).length)
  assert.notDeepEqual(english, arabic)
  for (const [index, { label }] of entriesOf(preset).entries()) {
    assert.ok(english[index]?.includes(label.en) && arabic[index]?.includes(label.ar))
  }
})
