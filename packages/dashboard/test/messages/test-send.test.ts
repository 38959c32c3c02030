/** A test of a campaign, in the language one wants to read and with what somebody's values make of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '../../../server/test/builders/campaigns.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { openEmail } from '../../../server/test/builders/sends.ts'
import { openDashboard } from '../support/browser.ts'

const { ws, page, admin, goto, shot, expectAccessible } = await openDashboard({ isDemo: false })

const email = await openEmail()
await email.connect(admin)
await identify(ws.app, 'phone', 'huda', { name: 'Huda Nasser', traits: { plan: 'gold' } })
const content = {
  ar: { title: 'مرحبًا، فئتك {{customAttributes.plan}}', body: 'x' },
  en: { title: 'Hello, you are {{customAttributes.plan}}', body: 'x' },
}
const { id } = await create(await ws.editor(), { name: 'Tiers', content, dispatchChannels: ['email'] })

test('a test to oneself is in the language that is chosen, with example values or those of a person', async () => {
  const dialog = page.getByRole('dialog', { name: 'Send a test' })
  const subjects = () => email.mails().map(({ subject }) => subject)
  await goto(`/campaigns/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  await dialog.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await dialog.getByRole('button', { name: 'Send test' }).click()
  await dialog.getByRole('status').getByText('Sent').waitFor()
  assert.deepEqual(subjects(), ['[Test] Hello, you are gold'])
  await dialog.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Arabic' }).click()
  await dialog.getByRole('combobox', { name: 'Fill placeholders with the values of' }).fill('Huda')
  await page.getByRole('option', { name: /Huda Nasser/ }).click()
  await expectAccessible()
  await shot('test-send')
  await shot('test-send-ar-390', { language: 'ar', width: 390 })
  const isSent = page.waitForResponse((response) => response.url().endsWith('/test-send') && response.ok())
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await isSent
  assert.equal(subjects().at(-1), '[Test] مرحبًا، فئتك gold')
})
