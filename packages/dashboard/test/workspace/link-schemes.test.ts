/** The schemes of apps that links may lead into, as an admin names them and as others see them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, openAs, expectPresentable } = await openDashboard({ isDemo: false })

const section = (at: Page = page) => at.getByRole('region', { name: 'Links into apps', exact: true })
const stored = async () => expectStatus(await admin.get('/settings/link-schemes'), 200).data.schemes
const save = async () => {
  await section().getByRole('button', { name: 'Save links' }).click()
  await page.getByText('Links saved').first().waitFor()
}

test('an admin names the schemes of the apps, pasted from a link too; dangerous ones are told; others see the list', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/protection')
  await section(viewer.page).getByText('Links into every app are allowed').waitFor()

  await goto('/settings/protection')
  await section().getByLabel('Allow only the apps you name').click()
  const names = section().getByRole('combobox', { name: 'Schemes of your apps' })
  await names.fill('ms-msdt')
  await names.press('Enter')
  await section().getByText('“ms-msdt” can’t be named.').waitFor()
  assert.equal(await section().getByRole('button', { name: 'Save links' }).isDisabled(), true)
  await names.press('Backspace')
  await names.fill('MyShop://offers')
  await names.press('Enter')
  await names.fill('myshop.beta')
  await names.press('Enter')
  await section().getByText('myshop', { exact: true }).waitFor()
  await expectPresentable('settings-link-schemes')
  await save()
  assert.deepEqual(await stored(), ['myshop', 'myshop.beta'])

  await viewer.page.reload()
  await section(viewer.page).getByText('Links into these apps only: myshop, myshop.beta').waitFor()
  await viewer.context.close()
  await page.reload()
  await section().getByLabel('Allow only the apps you name').click()
  await save()
  assert.equal(await stored(), null)
})
