/** The composer of campaigns: previews of every channel, variants, times, two editors at once, and a test to oneself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, account, expectPresentable, expectAccessible, shot } = await openDashboard()

const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const preview = page.getByRole('region', { name: 'Preview', exact: true })
const show = (channel: string) => preview.getByRole('radiogroup', { name: 'Channel' }).getByText(channel, { exact: true }).click()
const dialog = page.getByRole('dialog')

const email = await openEmail()
await email.connect(admin)
await addPeople(ws, ['sara', 'omar'])
expectStatus(await admin.put('/settings/calendar', { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: true }), 200)
expectStatus(
  await admin.post('/segments', {
    name: 'Gold buyers',
    logicalOperator: 'AND',
    rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }],
  }),
  201,
)

test('each channel is previewed as people see it, and a text message says in how many parts it goes', async () => {
  await goto('/campaigns/new')
  await field('Name').fill('Spring')
  for (const channel of [/^Push/, /^Email/, /^SMS/, /^In-app/])
    await page.getByRole('group', { name: 'Channels' }).getByText(channel).click()
  await field('Title').fill('Spring is here')
  await field('Text').fill('Every dress is a fifth off until Saturday.')
  await field('Button label').fill('Shop')
  await field('Button link').fill('https://shop.example/spring')
  await said('Spring is here', preview)
  await preview.getByText('Android').click()
  await shot('campaigns-preview-push')
  await show('Email')
  await preview.getByText('Dark').click()
  await said('Unsubscribe from these emails', preview)
  await shot('campaigns-preview-mail')
  await show('SMS')
  await said('1 part', preview)
  await said('GSM-7: 160 characters, 153 per part of several', preview)
  await field('Text').fill(`${'Every dress is a fifth off until Saturday. '.repeat(4)}“Now”`)
  await said(/““” needs UCS-2\./, preview)
  await said('4 parts', preview)
  await shot('campaigns-preview-sms')
  await show('In-app')
  await said('Shop', preview)
  await expectAccessible()
  await expectPresentable('campaigns-preview-in-app')
})

test('variants, segments and times are set; what cannot be is said at once', async () => {
  await button('Add variant').click()
  await field('Title').fill('Spring has come')
  await said('Spring has come', preview)
  await field('Variant name').fill('')
  await said('Give each variant a name.')
  await field('Variant name').fill('B')
  await page.getByRole('radio', { name: 'People in segments' }).check()
  const segments = page.getByRole('combobox', { name: 'Segments' })
  await segments.fill('Gold')
  await page.getByRole('option', { name: /Gold buyers/ }).click()
  await page.keyboard.press('Escape')
  await said(/Up to 0 people/)
  await field('Control group').fill('10')
  await page.getByRole('radio', { name: 'At a time' }).check()
  await page.getByRole('switch', { name: 'Quiet hours' }).check()
  await page.getByLabel('Quiet hours: To').fill('22:00')
  await said('Quiet hours need a beginning and another end.')
  await page.getByLabel('Quiet hours: To').fill('07:30')
  await page.getByRole('switch', { name: 'Prayer-time pause' }).check()
  await page.getByRole('combobox', { name: 'Place' }).click()
  await page.getByRole('option', { name: 'Jeddah' }).click()
  await said('Nothing is missing.')
  await button('Save draft').click()
  await page.waitForURL(/\/campaigns\/[^/]+\/edit$/)
  const [held] = expectStatus(await admin.get('/campaigns'), 200).data.campaigns
  assert.deepEqual([held.segments, held.controlPercent], [['Gold buyers'], 10])
  assert.deepEqual(held.schedule.quietHours, { from: '22:00', to: '07:30' })
  assert.equal(held.schedule.prayerBlackout.latitude, 21.4858)
  assert.deepEqual(held.content.en.variants, [{ id: 'B', weight: 1, values: { title: 'Spring has come' } }])
  assert.ok(Date.parse(held.schedule.startTime) > Date.now())
  await expectPresentable('campaigns-composer-full')
})

test('what somebody else saved meanwhile is not written over unasked', async () => {
  const [held] = expectStatus(await admin.get('/campaigns'), 200).data.campaigns
  await field('Name').fill('Spring sale')
  expectStatus(await admin.put(`/campaigns/${held.id}`, { name: 'Spring, theirs' }), 200)
  await button('Save draft').click()
  await said('Someone else saved this campaign while you were editing.')
  assert.equal(await field('Name').inputValue(), 'Spring sale')
  await shot('campaigns-conflict')
  await shot('campaigns-conflict-390-ar', { width: 390, language: 'ar' })
  // The note of the save before may stand there still.
  const isSaved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok())
  await button('Overwrite').click()
  await isSaved
  await said('Draft saved')
  assert.equal(expectStatus(await admin.get(`/campaigns/${held.id}`), 200).data.name, 'Spring sale')
})

test('a test goes to oneself by email, and a draft is copied and deleted', async () => {
  const [held] = expectStatus(await admin.get('/campaigns'), 200).data.campaigns
  await goto(`/campaigns/${held.id}`)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  await button('Send test', dialog).click()
  await dialog.getByRole('status').getByText('Sent').waitFor()
  const [mail] = email.mails()
  assert.match(mail.subject, /^\[Test\] Spring/)
  assert.ok(JSON.stringify(mail.to).includes(account.email))
  await expectAccessible()
  await shot('campaigns-test-send')
  await button('Close', dialog.getByRole('form').or(dialog)).last().click()

  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.waitForURL((url) => url.pathname.endsWith('/edit') && !url.pathname.includes(held.id))
  assert.equal(await field('Name').inputValue(), 'Spring sale (copy)')
  const copied = expectStatus(await admin.get(`/campaigns/${new URL(page.url()).pathname.split('/').at(-2)}`), 200).data
  assert.deepEqual([copied.segments, copied.controlPercent], [['Gold buyers'], 10])
  await page.getByRole('link', { name: 'Spring sale (copy)' }).click()
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete draft' }).click()
  await button('Delete draft', dialog).click()
  await said('Draft deleted')
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  assert.equal(expectStatus(await admin.get('/campaigns'), 200).data.campaigns.length, 1)
})

test('over WhatsApp a template goes, with what its variables say of each person', async () => {
  await goto('/campaigns/new')
  await field('Name').fill('Ready')
  await page
    .getByRole('group', { name: 'Channels' })
    .getByText(/^WhatsApp/)
    .click()
  await field('WhatsApp template').fill('HX1 ')
  await button('Add variable').click()
  await said('English: a WhatsApp template needs its id (letters, digits, _ and -) and a text for each variable.')
  await button('Insert placeholder: Variable 1').click()
  await page.getByRole('menuitem', { name: '{{name}}' }).click()
  await button('Add variable').click()
  await field('Variable 2').fill('Friday')
  await said('1: Sara', preview)
  await said('2: Friday', preview)
  await button('Save draft').click()
  await page.waitForURL(/\/campaigns\/[^/]+\/edit$/)
  const { campaigns } = expectStatus(await admin.get('/campaigns'), 200).data
  const held = campaigns.find(({ name }: any) => name === 'Ready')
  assert.deepEqual(held.content, { en: { whatsappTemplate: { id: 'HX1', variables: { 1: '{{name}}', 2: 'Friday' } } } })
  await expectAccessible()
  await expectPresentable('campaigns-composer-whatsapp')
})
