import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openDashboard, PASSWORD, uniqueEmail } from '../support/browser.ts'

const { page, goto, expectPresentable, app, ws, openDevice } = await openDashboard({ isDemo: false })
const dialog = () => page.getByRole('dialog')
const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })

test('G-06 somebody with an account of their own joins by a link that is shown once, after signing in', async () => {
  const email = uniqueEmail()
  await app.workspace({ email, name: 'Their own' })
  await goto('/settings/members')
  await button('Add member').click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Omar')
  await dialog().getByRole('textbox', { name: 'Email' }).fill(email)
  await button('Add member', dialog()).click()
  await dialog().getByText('They already have an account here.').waitFor()
  await expectPresentable('settings-member-invited')
  await button('Copy: Invitation link', dialog()).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await dialog().getByLabel('I shared or stored it').check()
  await button('Done', dialog()).click()
  await page.getByText('Invited', { exact: true }).waitFor()

  const theirs = await openDevice()
  await theirs.page.goto(link)
  await theirs.page.getByRole('textbox', { name: 'Email' }).fill(email)
  await theirs.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await theirs.page.getByRole('button', { name: 'Sign in' }).click()
  await theirs.page.getByText("You're invited").waitFor()
  await theirs.expectPresentable('join')
  await theirs.page.getByRole('button', { name: 'Join' }).click()
  await theirs.page.waitForURL(`**/w/${ws.id}`)
  await theirs.page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(new URL(theirs.page.url()).hash, '', 'the secret is nowhere any more')

  await theirs.page.goto(link)
  await theirs.page.getByRole('button', { name: 'Join' }).click()
  await theirs.page.getByText('This invitation was used').waitFor()
})
