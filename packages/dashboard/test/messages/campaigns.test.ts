/** Campaigns, as an editor writes them, a second person approves them, and everybody watches them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { clientFor, expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, ws, openAs, expectPresentable, expectAccessible, shot } = dashboard

const button = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name, exact: typeof name === 'string' })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const dialog = (at: Page = page) => at.getByRole('dialog')
const region = (name: string, at: Page = page) => at.getByRole('region', { name, exact: true })

const email = await openEmail()
await email.connect(admin)
await addPeople(ws, ['sara', 'omar', 'lina'])
expectStatus(await admin.put('/users/omar/opt-out', { optedOut: true }), 200)
const editor = await openAs('editor', { name: 'Noura' })
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
  await page.getByRole('combobox', { name: 'Person: name, email, phone or ID' }).fill('omar')
  await page.getByRole('option', { name: /^omar/ }).click()
  await page.getByRole('row', { name: /Email.*Opted out of all messages/ }).waitFor()
  await expectPresentable('campaigns-report')
  await button('Pause').click()
  await button('Pause', dialog()).click()
  await said('Campaign paused')
  await button('Resume').waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await said('Submitted for review')
  await expectPresentable('campaigns-history')
})

test('M-CAMP-33 M-CAMP-34 an editor asks for a change of what is live; an approver compares and agrees on a phone', async () => {
  const { page: at } = editor
  const [{ id }] = expectStatus(await admin.get('/campaigns?search=Weekend'), 200).data.campaigns
  await editor.goto(`/campaigns/${id}`)
  await at.getByRole('link', { name: 'Request edit' }).click()
  await said('Your changes apply once an approver agrees.', at)
  await field('Title', at).fill('A quarter off')
  await button('Request edit', at).click()
  await said('Edit requested. An approver decides on it.', at)
  await at.getByRole('link', { name: 'Review edits' }).click()
  await said('You requested this, so another approver must decide.', at)

  await page.setViewportSize({ width: 390, height: 844 })
  await goto('')
  await region('Review queue').getByRole('link', { name: 'Weekend' }).click()
  await said('Requested by Noura')
  await said('A fifth off, {{userId}}')
  await said('A quarter off')
  await expectAccessible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectPresentable('campaigns-edit-request')
  await page.getByRole('textbox', { name: 'Note' }).fill('Good.')
  await button('Approve edit').click()
  await said('Edit approved')
  assert.equal(expectStatus(await admin.get(`/campaigns/${id}`), 200).data.content.en.title, 'A quarter off')
})

test('M-CAMP-22 a campaign is sent back with the reason, and what was changed since the last approval is shown side by side', async () => {
  const { page: at } = editor
  const [{ id }] = expectStatus(await admin.get('/campaigns?search=Weekend'), 200).data.campaigns
  await editor.goto(`/campaigns/${id}`)
  await button('More actions', at).click()
  await at.getByRole('menuitem', { name: 'Return to draft' }).click()
  await said('The approval is removed. It needs a new review.', dialog(at))
  await button('Return to draft', dialog(at)).click()
  await said('Campaign returned to draft', at)
  await at.getByRole('link', { name: 'Edit', exact: true }).click()
  await field('Title', at).fill('Half price')
  await at.getByRole('radio', { name: 'At a time' }).check()
  await button('Submit for review', at).click()
  await button('Submit for review', dialog(at)).click()
  await said('You submitted this', at)

  await goto(`/campaigns/${id}`)
  const differences = region('Changed since the last approval')
  await said('A quarter off', differences)
  await said('Half price', differences)
  await expectPresentable('campaigns-differences')
  await button('Reject').click()
  await page.getByRole('textbox', { name: 'What needs to change?' }).fill('Too much.')
  await button('Reject', dialog()).click()
  await said('Sent back: Too much.')
  await editor.goto(`/campaigns/${id}`)
  await said('Sent back: Too much.', at)
})

test('M-CAMP-26 G-54 where launches are protected, a code is asked for, and the right one lets it go live', async () => {
  await goto('/settings/publishing')
  await page.getByRole('radio', { name: 'One-time code' }).click()
  await said('Launch protection saved')
  await expectPresentable('settings-launch')
  const noura = await clientFor(dashboard, editor.account)
  const { id } = expectStatus(
    await noura.post('/campaigns', {
      name: 'Eid',
      type: 'promo',
      segments: ['All users'],
      dispatchChannels: ['in_app'],
      content: { en: { title: 'Eid Mubarak' } },
    }),
    201,
  ).data
  expectStatus(await noura.post(`/campaigns/${id}/submit-review`, {}), 200)
  await goto(`/campaigns/${id}`)
  await button('Approve').click()
  await dialog().getByRole('radio', { name: 'Approve and launch' }).check()
  const sent = page.waitForResponse((response) => response.url().endsWith('/launch-otp'))
  await button('Send code', dialog()).click()
  const { data } = (await (await sent).json()) as { data: { code: string } }
  await said(/Code sent to/, dialog())
  await dialog()
    .getByLabel('One-time code')
    .fill(data.code === '000000' ? '000001' : '000000')
  await button('Approve and launch', dialog()).click()
  await said('The code is wrong or no longer valid.', dialog())
  await expectAccessible()
  await shot('campaigns-code')
  await dialog().getByLabel('One-time code').fill(data.code)
  await button('Approve and launch', dialog()).click()
  await said('Campaign approved')
  await page.getByRole('main').getByText('Live', { exact: true }).waitFor()
  expectStatus(await admin.put('/settings/launch-protection', { mode: 'off' }), 200)
})

test('the calendar shows when campaigns begin, Home says what comes next, and a viewer changes nothing', async () => {
  const startTime = new Date(Date.now() + 3 * 86_400_000).toISOString()
  // The month as it is in Riyadh.
  const month = new Date(Date.parse(startTime) + 3 * 3_600_000).toISOString().slice(0, 7)
  const noura = await clientFor(dashboard, editor.account)
  const { id } = expectStatus(
    await noura.post('/campaigns', { name: 'Spring', type: 'announcement', segments: ['All users'], schedule: { startTime } }),
    201,
  ).data
  expectStatus(await noura.post(`/campaigns/${id}/submit-review`, {}), 200)
  expectStatus(await admin.post(`/campaigns/${id}/approve`, {}), 200)
  await goto(`/campaigns?view=calendar&month=${month}`)
  await page.getByRole('link', { name: /Spring/ }).waitFor()
  await expectPresentable('campaigns-calendar')
  await goto('')
  await region('Next 14 days').getByRole('link', { name: 'Spring' }).waitFor()
  await shot('home-campaigns')
  await goto('/campaigns')
  await expectPresentable('campaigns')
  const viewer = await openAs('viewer')
  await viewer.goto(`/campaigns/${id}`)
  await viewer.page.getByRole('tab', { name: 'History' }).waitFor()
  assert.equal(await viewer.page.getByRole('link', { name: 'Edit' }).count(), 0)
  assert.equal(await button('Pause', viewer.page).count(), 0)
  assert.equal(await button('More actions', viewer.page).count(), 0)
  await viewer.expectPresentable('campaigns-viewer')
  await viewer.goto('/campaigns/new')
  await viewer.page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  await viewer.context.close()
})
