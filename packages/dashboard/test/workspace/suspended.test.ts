/** A workspace is suspended while somebody works in it, and resumed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, app, ws, expectPresentable } = await openDashboard()
const banner = page.getByRole('alert', { name: 'This workspace is suspended' })
const set = async (verb: 'suspend' | 'resume') => void expectStatus(await app.operator.post(`/operator/workspaces/${ws.id}/${verb}`), 200)

test('G-93 every page says that the workspace is suspended, a change is refused in words, and the pages go on to be read', async () => {
  await goto('/settings')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Souq Avenue')
  await set('suspend')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page
    .getByText(/^This workspace is suspended: it can be read/)
    .first()
    .waitFor()
  await banner.waitFor()
  await name.fill('Souq Lane')
  await page.reload()
  await banner.waitFor()
  assert.equal(await name.inputValue(), 'Souq Lane', 'nothing was changed')
  await goto('/people')
  await banner.waitFor()
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await expectPresentable('suspended')
  await set('resume')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await banner.waitFor({ state: 'detached' })
})
