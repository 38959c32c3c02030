/** What guards people and content: switched in the settings, and proposed to whoever makes a workspace or its first key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROTECTIONS } from '@contentflow/core/protections.ts'
import type { Locator, Page } from 'playwright-core'
import { clientFor, expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard({ isDemo: false, name: 'Gulf Bank' })
const { page, goto, admin, account, openAs, expectPresentable, expectAccessible } = dashboard

const section = (name: string, at: Page = page) => at.getByRole('region', { name, exact: true })
const dialog = (at: Page = page) => at.getByRole('dialog')
const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const said = (text: string) => page.getByText(text).waitFor()
const flip = async (name: string) => {
  await page.getByRole('switch', { name, exact: true }).focus()
  await page.keyboard.press('Space')
}
const protections = async () => expectStatus(await admin.get('/settings/protections'), 200).data.protections

test('each protection says what it does; turning one off is asked about, turning it on is not', async () => {
  await goto('/settings/protection')
  await flip('Confirm erasures')
  await said('Confirm erasures turned on')
  assert.deepEqual(await protections(), { ...NONE, confirmErasures: true })
  await flip('Confirm erasures')
  await dialog().getByText('Anyone who has the app key and names a person can then erase them at once.').waitFor()
  await button('Cancel', dialog()).click()
  assert.equal((await protections()).confirmErasures, true)
  await flip('Confirm erasures')
  await expectAccessible()
  await button('Turn off', dialog()).click()
  await said('Confirm erasures turned off')
  assert.deepEqual(await protections(), NONE)
  await section('Derived keys').getByText('They open this workspace.').waitFor()
  await expectPresentable('settings-protection')
})

test('whoever is no admin sees what is on, and changes nothing', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/protection')
  await section('Protections', viewer.page).getByText('Only admins can change this.').waitFor()
  assert.equal(await viewer.page.getByRole('switch').count(), 0)
  await viewer.goto('')
  await viewer.page.getByRole('heading', { name: 'Go live in five steps' }).waitFor()
  assert.equal(await section('Protect this workspace', viewer.page).count(), 0)
  await viewer.context.close()
})

test('a new workspace proposes them all; what is left out stays off, and nothing is proposed twice', async () => {
  await goto('')
  await section('Protect this workspace').waitFor()
  await expectPresentable('home-proposals')
  await button('Choose protections', section('Protect this workspace')).click()
  await flip('Strict approvals')
  await button('Turn on', section('Protect this workspace')).click()
  await said('Protections turned on')
  await section('Protect this workspace').waitFor({ state: 'detached' })
  assert.deepEqual(await protections(), { ...ALL, strictApprovals: false })
  assert.deepEqual(expectStatus(await admin.get('/settings/link-schemes'), 200).data, { schemes: [] })
  await page.reload()
  await section('Go live in five steps').waitFor()
  assert.equal(await section('Protect this workspace').count(), 0)
})

test('"not now" is remembered, in a further workspace too, and its first app key turns derived keys off', async () => {
  await goto('')
  await page.getByRole('button', { name: 'Workspace: Gulf Bank' }).click()
  await page.getByRole('menuitem', { name: 'New workspace…' }).click()
  await dialog().getByRole('textbox', { name: 'Workspace name' }).fill('Gulf Bank Egypt')
  await button('Create').click()
  await button('Workspace: Gulf Bank Egypt').waitFor()
  await button('Not now', section('Protect this workspace')).click()
  await section('Protect this workspace').waitFor({ state: 'detached' })
  const id = /\/w\/([^/]+)/.exec(page.url())?.[1] ?? ''
  const other = await clientFor({ url: dashboard.url, ws: { ...dashboard.ws, id } }, account)
  const policy = async () => expectStatus(await other.get('/settings/sdk-key-policy'), 200).data.derivedKeysEnabled

  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Keys' }).click()
  await button('New key').click()
  await dialog().getByText('Test', { exact: true }).click()
  await dialog().getByRole('checkbox', { name: 'Turn off derived keys' }).waitFor({ state: 'detached' })
  await dialog().getByText('Live', { exact: true }).click()
  await dialog().getByRole('checkbox', { name: 'Turn off derived keys', checked: true }).waitFor()
  await expectPresentable('settings-first-key')
  await button('Create key', dialog()).click()
  await dialog().getByText('it is shown once').waitFor()
  await said('Derived keys turned off')
  assert.equal(await policy(), false)
  await dialog().getByLabel('I stored it').check()
  await button('Done', dialog()).click()
  await button('New key').click()
  await dialog().getByText('What is it for?').waitFor()
  assert.equal(await dialog().getByRole('checkbox').count(), 0, 'there is nothing left to turn off')
  assert.deepEqual(expectStatus(await other.get('/settings/protections'), 200).data.protections, NONE)
})

const NONE = Object.fromEntries(PROTECTIONS.map((name) => [name, false]))
const ALL = Object.fromEntries(PROTECTIONS.map((name) => [name, true]))
