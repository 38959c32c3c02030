/** The server goes away while somebody works, and comes back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDashboard } from '../support/browser.ts'

const { page, goto, expectPresentable, openDevice, account, url, ws } = await openDashboard()

const notice = page.getByText(/^No answer from the server since \d\d:\d\d/)
/** What is asked of the server goes nowhere, as when it is stopped; files of pages come from what the browser has. */
const API = /\/(api\/v1\/|readyz)/
const link = (name: string) => page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name })
const PAGES = ['Content', 'Segments', 'People', 'Strings', 'Settings', 'Home']

test('every page that was not loaded before says since when the server is away, and comes back by itself', async () => {
  await goto('/settings/account')
  await page.context().route(API, (route) => route.abort('connectionrefused'))
  for (const name of PAGES) {
    await link(name).click()
    await notice.waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Nothing waits without a word: what cannot be read says so.
    await page.waitForFunction(() => document.querySelectorAll('main .mantine-Skeleton-root').length === 0)
  }
  await page
    .getByRole('alert')
    .getByText(/No answer since \d\d:\d\d/)
    .first()
    .waitFor()
  await expectPresentable('away-home')
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Live now' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('a page whose files do not arrive says it too, and opens by itself', async () => {
  const device = await openDevice()
  await device.page.goto(`${url}/login`)
  await device.page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await device.page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await device.page.getByRole('button', { name: 'Sign in' }).click()
  await device.page.getByRole('region', { name: 'Live now' }).waitFor()
  await device.context.route('**/*', (route) => route.abort('connectionrefused'))
  await device.page.getByRole('link', { name: 'People' }).click()
  await device.page.getByRole('heading', { level: 1, name: "Can't reach the server" }).waitFor()
  await device.shot('away-page')
  await device.context.unrouteAll({ behavior: 'ignoreErrors' })
  await device.page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  assert.equal(device.page.url(), `${url}/w/${ws.id}/people`)
  await device.context.close()
})

test('a language that cannot be loaded is said, and the one there was stays', async () => {
  const device = await openDevice()
  await device.context.route(/assets\/texts-ar/, (route) => route.abort('connectionrefused'))
  await device.page.goto(`${url}/login`)
  await device.page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await device.page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await device.page.getByRole('button', { name: 'Sign in' }).click()
  await device.page.getByRole('region', { name: 'Live now' }).waitFor()
  await device.page.getByRole('button', { name: 'العربية' }).click()
  await device.page.getByText("Can't reach the server").waitFor()
  assert.equal(await device.page.evaluate(() => document.documentElement.lang), 'en')
  await device.context.close()
})
