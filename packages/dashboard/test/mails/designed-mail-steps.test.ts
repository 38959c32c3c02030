/** Mails of sections in steps of journeys, in variants, and in messages to a segment: what members see of them (decision 72). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, submit } from '../../../server/test/builders/campaigns.ts'
import { makeJourney, setStatus } from '../../../server/test/builders/journeys.ts'
import { MAIL } from '../../../server/test/builders/mails/mails.ts'
import { openEmail } from '../../../server/test/builders/sends.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, expectPresentable } = await openDashboard({ isDemo: false, env: { CF_WEBHOOK_ALLOW_PRIVATE: 'on' } })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const step = { id: 'mail', type: 'send', channel: 'email', content: {}, mail: MAIL }

test('a step shows its mail as people would see it, in each of its languages, and only email keeps it', async () => {
  const { id } = await makeJourney(admin, { name: 'Orders', steps: [step] })
  const stored = async () => expectStatus(await admin.get(`/journeys/${id}`), 200).data.steps[0]
  await goto(`/journeys/${id}`)
  await button(/^Email Your order, .* designed email, 5 sections/)
    .first()
    .click()
  await page.getByText(/^It sends a .*designed email, 5 sections.*, instead of texts\.$/).waitFor()
  await page.getByRole('heading', { name: 'Good news, Sara', includeHidden: true }).waitFor()
  await expectPresentable('journey-designed-mail')
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Arabic' }).click()
  await page.getByRole('heading', { name: /^خبر سار/, includeHidden: true }).waitFor()
  await page.getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'SMS' }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('Short')
  await until('the step sends texts', async () => (await stored()).channel === 'sms')
  assert.equal((await stored()).mail, undefined)
})

test('whoever approves a journey, or a message to a segment, reads every word of its mail', async () => {
  expectStatus(await admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
  const editor = await ws.editor()
  // A home without any content has the first steps alone.
  await ws.block('promo')
  await ws.instance('promo', { title: 'Sale', values: { '#title': 'sale' } })
  const { id } = await makeJourney(admin, { name: 'Waits', steps: [step] })
  expectStatus(await setStatus(editor, id, 'active'), 202)
  await goto('')
  await page.getByRole('link', { name: 'Waits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('English · Designed email').waitFor()
  await dialog.getByText('1. Open').first().waitFor()
  await dialog.getByText('https://shop.example.com/orders').first().waitFor()
  await dialog.getByText('Arabic · Designed email').waitFor()
  await expectPresentable('request-designed-mail')
  await page.keyboard.press('Escape')
  const rules = [{ field: 'demographic.email', operator: 'exists', value: true }]
  expectStatus(await admin.post('/segments', { name: 'Reachable', logicalOperator: 'AND', rules }), 201)
  await (await openEmail()).connect(admin)
  expectStatus(await editor.post('/notifications/segment/Reachable', { channel: 'email', mail: MAIL }), 202)
  await goto('')
  await page.getByRole('link', { name: /^(Your order|طلبك)/ }).click()
  await dialog.getByText('English · Designed email').waitFor()
  await dialog.getByText('Free to send back for 30 days').first().waitFor()
  expectStatus(await admin.put('/settings/protections', { protections: { approveMessages: false } }), 200)
})

test('each variant of a mail is shown by itself, and the composer keeps what it does not write', async () => {
  const editor = await ws.editor()
  const mail = { texts: { en: { subject: 'It is on its way' } }, hidden: ['two'] }
  const variants = [
    { id: 'long', weight: 1, values: {} },
    { id: 'short', weight: 1, values: {}, mail },
  ]
  const body = { name: 'Two mails', content: { en: { title: 'T', variants } }, dispatchChannels: ['email'], mail: MAIL }
  const { id } = await create(editor, body)
  const stored = async () => expectStatus(await admin.get(`/campaigns/${id}`), 200).data
  await goto(`/campaigns/${id}/edit`)
  await page.getByLabel('Name').first().fill('Two mails again')
  await until('the draft saves itself', async () => (await stored()).name === 'Two mails again')
  await page.getByLabel('Name').first().blur()
  assert.deepEqual((await stored()).content.en.variants[1].mail, mail)
  expectStatus(await submit(editor, id), 200)
  await goto(`/campaigns/${id}`)
  await page.getByText('English · Variant short · Designed email').waitFor()
  await page.getByRole('combobox', { name: 'Variant' }).click()
  await page.getByRole('option', { name: /^short/ }).click()
  await page.getByText('It is on its way').last().waitFor()
  await expectPresentable('campaign-mail-variants')
})
