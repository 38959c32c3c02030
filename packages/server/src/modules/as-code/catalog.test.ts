/** Settings, languages and texts of the workspace as one document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAIN_BRAND } from '@contentflow/core/mail/brand/brand.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { apply, carry, exported, plan, refused, stale, told } from '../../../test/builders/code.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const translate = async (ws: Workspace, key: string, locale: string, text: string, isApproved: boolean) =>
  expectStatus(await ws.admin.put(`/strings/${key}/translations/${locale}`, { text }), 200) &&
  isApproved &&
  expectStatus(await ws.admin.post(`/strings/${key}/translations/${locale}/approve`, {}), 200)

async function fill(ws: Workspace): Promise<void> {
  for (const locale of [{ code: 'ar', name: 'Arabic' }, { code: 'fr-CA', native: 'Français', rtl: false }, { code: 'de' }])
    expectStatus(await ws.admin.post('/locales', locale), 201)
  for (const key of ['z.title', 'a.title', 'gone'])
    expectStatus(await ws.admin.post('/strings', { key, sourceText: `Text of ${key}`, description: 'no: "yes"', namespace: 'shop' }), 201)
  await translate(ws, 'z.title', 'ar', 'نص', true)
  await translate(ws, 'z.title', 'fr-CA', 'Texte', false)
  await translate(ws, 'a.title', 'ar', 'عنوان', false)
  expectStatus(await ws.admin.put('/strings/gone', { hidden: true }), 200)
}

test('languages and texts: export, apply to an empty workspace, export: byte for byte the same', async () => {
  const [from, to] = [await workspace(), await workspace()]
  await fill(from)
  const changes = await carry(from, to)
  assert.deepEqual(told(changes), [
    'create locales ar',
    'create locales de',
    'create locales fr-CA',
    'create strings a.title',
    'create strings z.title',
  ])
  const { strings } = (await exported(to, 'strings')).data
  assert.deepEqual(strings[1].values, { ar: { text: 'نص', status: 'ok' }, 'fr-CA': { text: 'Texte', status: 'review' } })
  // Only what is approved is delivered.
  assert.equal(expectStatus(await to.app.get('/strings?locale=ar'), 200).data.strings['z.title'], 'نص')
  assert.equal(expectStatus(await to.app.get('/strings?locale=fr-CA'), 200).data.strings['z.title'], 'Text of z.title')
  // A workspace whose source is another one takes it too.
  const third = await workspace({ sourceLocale: 'ar' })
  await carry(from, third)
  assert.equal(expectStatus(await third.admin.get('/settings/source-locale'), 200).data.code, 'en')
})

test('texts change, go and come back exactly as planned, and are delivered so', async () => {
  const ws = await workspace()
  await fill(ws)
  const { data } = await exported(ws, 'locales,strings')
  const [title, other] = data.strings
  const document = { strings: [{ ...title, sourceText: 'New', values: { ar: { text: 'جديد', status: 'ok' } } }] }
  assert.deepEqual(
    (await apply(ws, document)).map(({ key, change, members }) => [key, change, members]),
    [
      ['a.title', 'change', ['sourceText', 'values']],
      ['z.title', 'delete', []],
    ],
  )
  assert.deepEqual((await exported(ws, 'strings')).data, document)
  const texts = expectStatus(await ws.app.get('/strings?locale=ar'), 200).data.strings
  assert.deepEqual(texts, { 'a.title': 'جديد' })
  // Hidden, not lost: by the same key it comes back.
  assert.equal(expectStatus(await ws.admin.get('/strings/z.title'), 200).data.hidden, true)
  await apply(ws, { strings: [title, other] })
  assert.deepEqual((await exported(ws, 'strings')).data.strings, data.strings)
  // A language that goes takes its texts along, and the plan says how many.
  const without = { locales: data.locales.filter(({ code }: { code: string }) => code !== 'ar') }
  const [gone] = await apply(ws, without)
  assert.deepEqual([gone.key, gone.change, gone.reach.strings], ['ar', 'delete', 2])
  assert.deepEqual(
    (await exported(ws, 'strings')).data.strings.map(({ values }: { values: object }) => Object.keys(values)),
    [[], ['fr-CA']],
  )
  await stale(ws, { locales: data.locales }, () => ws.admin.post('/locales', { code: 'it' }))
})

test('languages and texts that cannot be are refused where they stand', async () => {
  const ws = await workspace()
  await fill(ws)
  const { locales, strings } = (await exported(ws, 'locales,strings')).data
  const text = (change: object) => ({ strings: [{ key: 'k', sourceText: 's', ...change }] })
  await refused(ws, text({ values: { it: { text: 'x' } } }), /string "k": values.it is in a language that is not among the locales/)
  await refused(ws, text({ values: { AR: { text: 'x' } } }), /values.AR is in a language that is not among the locales/)
  await refused(ws, text({ values: { en: { text: 'x' } } }), /values.en is in the source language/)
  await refused(ws, text({ values: { ar: { text: 'x', status: 'good' } } }), /strings\[0\]: values.ar.status must be one of ok/)
  await refused(ws, text({ sourceText: '' }), /strings\[0\]: sourceText must be/)
  await refused(ws, { locales: locales.slice(0, 2), strings }, /string "z.title": values.fr-CA/)
  await refused(ws, { locales: [...locales, { code: 'AR' }] }, /locales: (ar and AR|AR and ar) are one language/)
  await refused(ws, { locales: [{ code: 'en', source: true }, { code: 'AR' }] }, /this workspace spells AR ar/)
  await refused(ws, { locales: locales.map((locale: object) => ({ ...locale, source: true })) }, /only one of them/)
  await refused(ws, { locales: [{ code: 'en' }] }, /en is the source where no other one is/)
  await refused(ws, { locales: [{ code: 'not a code' }] }, /locales\[0\]: code must be/)
})

const SETTINGS = {
  calendar: { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: true },
  publishApproval: true,
  launchProtection: { mode: 'admin', sealAudience: true },
  sensorApproval: true,
  eventRetentionDays: 90,
  protections: { confirmErasures: false, confirmEmails: false, approveMessages: true, strictApprovals: true, refusePlaceholderIds: false },
  webAddress: 'https://shop.example.com',
  linkSchemes: ['shop'],
  brand: { ...PLAIN_BRAND, radius: 2, texts: { en: { company: 'Shop', address: '', footer: '' } } },
  messageTracking: { opens: 'off', clicks: 'unless_refused', trap: true },
  preferencePage: { inMails: 'always', law: 'gdpr', publishedDays: null },
  holdout: { percent: 5, startsAt: '2026-12-01T00:00:00.000Z', endsAt: null },
}

test('settings that are configuration: each by itself, and nothing of keys, members or secrets', async () => {
  const [from, to] = [await workspace(), await workspace()]
  expectStatus(await from.admin.put('/settings/features', { features: { campaigns: false } }), 200)
  const changes = await apply(from, { settings: SETTINGS })
  assert.deepEqual(told(changes), [
    'change settings brand',
    'change settings calendar',
    'change settings eventRetentionDays',
    'change settings holdout',
    'change settings launchProtection',
    'change settings linkSchemes',
    'change settings messageTracking',
    'change settings preferencePage',
    'change settings protections',
    'change settings publishApproval',
    'change settings sensorApproval',
    'change settings webAddress',
  ])
  const read = async (path: string) => expectStatus(await from.admin.get(`/settings/${path}`), 200).data
  assert.deepEqual(await read('calendar'), { ...SETTINGS.calendar, isSet: true })
  assert.deepEqual(await read('publishing'), { approval: true })
  assert.deepEqual(await read('protections'), { protections: SETTINGS.protections })
  assert.deepEqual(await read('launch-protection'), SETTINGS.launchProtection)
  assert.deepEqual(await read('sensor-approval'), { required: true })
  assert.deepEqual(await read('event-retention'), { days: 90 })
  assert.deepEqual(await read('message-tracking'), SETTINGS.messageTracking)
  assert.deepEqual(await read('preference-page'), SETTINGS.preferencePage)
  assert.equal((await read('web-address')).url, SETTINGS.webAddress)
  assert.deepEqual(await read('brand'), { brand: SETTINGS.brand, isSet: true })
  const { data } = await exported(from, 'settings')
  assert.deepEqual(Object.keys(data.settings).toSorted(), [...Object.keys(SETTINGS), 'features'].toSorted())
  await carry(from, to)
  // One that is left out stays, and none is deleted; clients hear of a switch.
  assert.equal(expectStatus(await to.app.get('/sync'), 200).data.config.features.campaigns, false)
  const { features } = data.settings
  const on = { settings: { features: { ...features, campaigns: true } } }
  assert.deepEqual((await plan(to.admin, on)).changes[0].members, ['campaigns'])
  await apply(to, on)
  assert.equal(expectStatus(await to.app.get('/sync'), 200).data.config.features.campaigns, true)
  await apply(to, { settings: { calendar: null, brand: null } })
  assert.equal(expectStatus(await to.admin.get('/settings/brand'), 200).data.isSet, false)
  assert.equal(expectStatus(await to.admin.get('/settings/calendar'), 200).data.isSet, false)
  await stale(to, { settings: { publishApproval: false } }, () => apply(to, { settings: { publishApproval: false } }))
})

test('settings that cannot be are refused where they stand', async () => {
  const ws = await workspace()
  const wrong = (settings: object, error: RegExp) => refused(ws, { settings }, error)
  await wrong({ keys: [] }, /settings may have calendar, .*, not keys/)
  await wrong({ calendar: { ...SETTINGS.calendar, timeZone: 'Mars' } }, /settings.calendar .timeZone must be/)
  await wrong({ calendar: { ...SETTINGS.calendar, weekend: [5, 5] } }, /.weekend must be/)
  await wrong({ calendar: { ...SETTINGS.calendar, firstDayOfWeek: 7 } }, /.firstDayOfWeek must be/)
  await wrong({ features: { rockets: true } }, /settings.features may have campaigns/)
  await wrong({ protections: { rockets: true } }, /settings.protections may have confirmErasures/)
  await wrong({ publishApproval: 'yes' }, /settings.publishApproval must be a boolean/)
  await wrong({ launchProtection: { mode: 'never', sealAudience: true } }, /settings.launchProtection must be/)
  await wrong({ webAddress: 'http://shop.example' }, /settings.webAddress must be an https address/)
  await wrong({ brand: { light: { text: '#ffffff' } } }, /settings.brand .light.text #ffffff on .light.surface #fefefe has a contrast/)
  await wrong(
    { preferencePage: { inMails: 'never', law: 'gdpr' } },
    /settings.preferencePage must have inMails, one of with_topics, always/,
  )
  await wrong({ messageTracking: { opens: 'off' } }, /settings.messageTracking must be {opens, clicks, trap}/)
  await wrong({ eventRetentionDays: 0 }, /settings.eventRetentionDays must be/)
})
