/** Own roles and service accounts, as an admin makes them and gives one to a member. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard({ isDemo: false })
const { page, goto, admin, expectPresentable } = dashboard

const button = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name, exact: typeof name === 'string' })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const dialog = () => page.getByRole('dialog')

test('an admin makes a role from a preset, limits it to a language and gives it to a member', async () => {
  await goto('/settings/access')
  await said('No own roles yet')
  await expectPresentable('access-empty')
  await button('Add role').click()
  await button('Save', dialog()).click()
  await said('Enter a name.', dialog())
  await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Arabic translator')
  await dialog().getByRole('combobox', { name: 'Start from' }).click()
  await page.getByRole('option', { name: 'Translator' }).click()
  await dialog().getByLabel('Languages').fill('ar')
  await expectPresentable('access-role')
  await button('Save', dialog()).click()
  await said('Role saved')
  const [role] = expectStatus(await admin.get('/roles'), 200).data.roles
  assert.deepEqual([role.name, role.limits], ['Arabic translator', { locales: ['ar'] }])
  assert.ok(role.permissions.includes('strings:write'))
  const member = { email: 'translator@example.com', name: 'Huda', password: 'a long password of hers', role: 'viewer' }
  expectStatus(await admin.post('/members', member), 201)
  await goto('/settings/members')
  await page.getByRole('combobox', { name: 'Role of Huda' }).selectOption('Arabic translator')
  await said('Huda updated')
  const { members } = expectStatus(await admin.get('/members'), 200).data
  assert.equal(members.find(({ name }: { name: string }) => name === 'Huda').roleName, 'Arabic translator')
})

test('an admin makes a service account and a token, whose text is shown once', async () => {
  await goto('/settings/access')
  await button('Add service account').click()
  await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Release pipeline')
  await button('Save', dialog()).click()
  await said('Service account saved')
  await expectPresentable('access-filled')
  await button('Tokens: Release pipeline').click()
  await said('No token yet.', dialog())
  await expectPresentable('access-tokens')
  await button('Create token', dialog()).click()
  await said(/^cft_/, dialog())
  await dialog().getByLabel('I stored it').check()
  await button('Done', dialog()).click()
  await said('never', dialog())
  assert.equal(await page.getByText(/^cft_/).count(), 0)
  await button(/^Take back/, dialog()).click()
  await said('The token no longer works')
})
