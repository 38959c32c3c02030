/** What of a message would arrive nowhere, as whoever writes and submits it is told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPeople, openEmail, openPush } from '../../../server/test/builders/sends.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, openAs, expectPresentable } = await openDashboard({ isDemo: false })

const button = (name: string, at: Page = page) => at.getByRole('button', { name, exact: true })
const said = (text: string | RegExp, at: Page = page) => at.getByText(text).first().waitFor()
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const preview = page.getByRole('region', { name: 'Preview', exact: true })
const section = (at: Page = page) => at.getByRole('region', { name: 'Web address', exact: true })

for (const channel of [await openEmail(), await openPush()]) await channel.connect(admin)
await addPeople(ws, ['sara'])

test('composer and submit say what leads nowhere and what is too long, by provider', async () => {
  await goto('/campaigns/new')
  await field('Name').fill('Spring')
  for (const channel of [/^Push/, /^Email/]) await page.getByRole('group', { name: 'Channels' }).getByText(channel).click()
  await field('Title').fill('Spring is here')
  await field('Text').fill('خصم كبير '.repeat(400))
  await field('Button label').fill('Shop')
  await field('Button link').fill('/spring')
  await said('Email, English: the link leads nowhere, because it starts with / and the workspace has no web address.')
  await said(/^Huawei \(HMS\), English: too long for a push\. It has at least [\d,]+ bytes, and 4,096 are allowed\. Shorten it\.$/)
  assert.equal(await page.getByText(/^Firebase|^Apple/).count(), 0, 'nobody sends over them')
  await said(/^Unsubscribe links lead to http:\/\/127\.0\.0\.1:\d+, because the public address/)
  await expectPresentable('message-warnings-composer')
  await preview.getByRole('radiogroup', { name: 'Channel' }).getByText('Email', { exact: true }).click()
  await preview.getByText('Unsubscribe from these emails').waitFor()
  assert.equal(await preview.getByText('Shop', { exact: true }).count(), 0, 'as it would be sent')
})

test('an admin sets the web address of the workspace; others read it', async () => {
  await goto('/settings/workspace')
  await section().getByLabel('Web address').fill('http://shop.example.com')
  await section().getByText('Enter an address that starts with https://, without ? and #.').waitFor()
  assert.equal(await button('Save web address').isDisabled(), true)
  await expectPresentable('message-warnings-web-address')
  await section().getByLabel('Web address').fill('https://shop.example.com/')
  await button('Save web address').click()
  await said('Web address saved')
  assert.equal(expectStatus(await admin.get('/settings/web-address'), 200).data.url, 'https://shop.example.com')
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/workspace')
  await section(viewer.page).getByText('https://shop.example.com').waitFor()
})

test('channels say that links in mails are not set up for good; so does the dialog that submits', async () => {
  await goto('/settings/channels')
  await said(
    /^The public address of this server \(CF_PUBLIC_URL\) isn’t set\. Unsubscribe links lead to the address used for the latest approval, now http/,
  )
  await expectPresentable('message-warnings-channels')
  const body = {
    name: 'Summer',
    type: 'promo',
    segments: ['All users'],
    schedule: {},
    content: { en: { title: 'Summer', body: 'Now', ctaUrl: '/summer' } },
    dispatchChannels: ['email'],
  }
  const { id } = expectStatus(await admin.post('/campaigns', body), 201).data
  await goto(`/campaigns/${id}`)
  await button('Submit for review').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^Unsubscribe links lead to http/).waitFor()
  assert.equal(await dialog.getByText(/leads nowhere/).count(), 0)
  await expectPresentable('message-warnings-submit')
})
