/** The limit of first messages, as an admin sets it and as others see it. */
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, openAs, expectPresentable } = await openDashboard({ isDemo: false })

const section = (at: Page = page) => at.getByRole('region', { name: 'First messages', exact: true })

test('an admin limits first messages, and takes the limit away again; others see it', async () => {
  await goto('/settings/channels')
  await section().getByText('This hour: 0. Waiting: 0.').waitFor()
  await section().getByLabel('Limit first messages').click()
  const perHour = section().getByLabel('First messages per hour')
  await perHour.fill('0')
  await section().getByText('Enter a whole number from 1 to 1,000,000.').waitFor()
  await perHour.fill('500')
  await expectPresentable('settings-first-messages')
  await section().getByRole('button', { name: 'Save limit' }).click()
  await page.getByText('Limit saved').first().waitFor()
  const stored = async () => expectStatus(await admin.get('/settings/first-messages'), 200).data.perHour as number | null
  if ((await stored()) !== 500) throw new Error('it is stored')

  const viewer = await openAs('viewer')
  await viewer.goto('/settings/channels')
  await section(viewer.page).getByText('At most 500 per hour').waitFor()
  await goto('/settings/channels')
  await section().getByLabel('Limit first messages').click()
  await section().getByRole('button', { name: 'Save limit' }).click()
  await page.getByText('Limit saved').first().waitFor()
  if ((await stored()) !== null) throw new Error('it is gone')
})
