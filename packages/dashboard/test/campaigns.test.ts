/** Campaigns, as an editor writes them, a second person approves them, and everybody watches them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { addPeople, openEmail } from '../../server/test/sends.ts'
import { clientFor, expectStatus, openDashboard } from './browser.ts'

const dashboard = await openDashboard({ env: { CF_WEBHOOK_ALLOW_PRIVATE: 'on' } })
const { page, goto, admin, ws, openAs, expectPresentable, expectAccessible, shot, inArabic, inEnglish } = dashboard

const button = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name, exact: typeof name === 'string' })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const dialog = (at: Page = page) => at.getByRole('dialog')
const region = (name: string, at: Page = page) => at.getByRole('region', { name, exact: true })

const email = await openEmail()
await email.connect(admin)
await addPeople(ws, ['sara', 'omar', 'lina'])
expectStatus(await admin.put('/users/omar/opt-out', { optedOut: true }), 200)
const editor = await openAs('editor', { name: 'Noura' })
for (const c of [page.context(), editor.context]) c.setDefaultTimeout(25_000) // DEV
const field = (name: string, at: Page = page) => at.getByRole('textbox', { name, exact: true })

test('M-CAMP-01 M-CAMP-09 an editor writes a campaign in two languages; what is missing is said, then it is submitted', async () => {
  const { page: at } = editor
  await editor.goto('/campaigns')
  await said('No campaigns yet', at)
  await editor.expectPresentable('campaigns-empty')
  await at.getByRole('link', { name: 'New campaign' }).first().click()
  await at.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor()
  await button('Submit for review', at).click()
  await said('Fix 4 problems first', at)
  await said('Give it a name.', at)
  await editor.expectPresentable('campaigns-composer-empty')

  await at.getByRole('textbox', { name: /^Name/ }).fill('Weekend')
  await at.getByText('Email', { exact: true }).click()
  await at.getByText(/^In-app/).click()
  await field('Title', at).fill('A fifth off, ')
  await button('Insert placeholder: Title', at).click()
  await at.getByRole('menuitem', { name: /userId/ }).click()
  assert.equal(await field('Title', at).inputValue(), 'A fifth off, {{userId}}')
  await field('Text', at).fill('Until Saturday.')
  await field('Button label', at).fill('Shop')
  await field('Button link', at).fill('shop')
  await said(/the button link must begin with/, at)
  await field('Button link', at).fill('https://shop.example/offers')
  await said('A fifth off, user-1', region('Preview', at))
  await at.getByRole('tab', { name: /^Arabic/ }).click()
  await said('Nothing in Arabic yet: these people get English.', at)
  await field('Title', at).fill('خصم الخُمس')
  await field('Text', at).fill('حتى السبت.')
  await at.getByRole('radio', { name: 'Everyone' }).check()
  await said('Nothing is missing.', at)
  await button('Save draft', at).click()
  await said('Draft saved', at)
  await at.waitForURL(/\/campaigns\/[^/]+\/edit$/)
  await said(/Reachable: 2 of 3/, at)
  await editor.expectPresentable('campaigns-composer')
  await button('Submit for review', at).click()
  await said('Approvers see it exactly as it is now.', dialog(at))
  await button('Submit for review', dialog(at)).click()
  await said('Campaign submitted', at)
  await said('You submitted this, so another approver must approve it.', at)
  assert.equal(await button('Approve', at).count(), 0)
  await editor.expectPresentable('campaigns-submitted')
})

test('M-CAMP-13 M-CAMP-20 a second person approves it and lets it go live; its report moves, and it is paused', async () => {
  await goto('/campaigns?status=pending_review')
  await page.getByRole('link', { name: 'Weekend' }).click()
  await said(/Submitted by Noura/)
  await expectPresentable('campaigns-review')
  await button('Approve').click()
  await dialog().getByRole('radio', { name: 'Approve and launch' }).check()
  await said(/Reachable: Email 2/, dialog())
  await expectAccessible()
  await shot('campaigns-approve')
  await shot('campaigns-approve-390-ar', { width: 390, language: 'ar' })
  await button('Approve and launch', dialog()).click()
  await said('Campaign approved')
  await page.getByRole('tab', { name: 'Report' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Email' })
  await row.getByRole('cell', { name: '2', exact: true }).first().waitFor()
  await said('Opted out of all messages')
  await expectPresentable('campaigns-report')
  await button('Pause').click()
  await button('Pause', dialog()).click()
  await said('Campaign paused')
  await button('Resume').waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await said('Submitted for review')
  await expectPresentable('campaigns-history')
})
void inArabic
void inEnglish
void clientFor
