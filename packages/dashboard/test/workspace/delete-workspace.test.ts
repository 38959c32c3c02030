/** An admin deletes the workspace, is told the day on every page, and restores it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard, PASSWORD } from '../support/browser.ts'

// The clock moves, so it has a server of its own.
const { page, goto, app, ws, expectPresentable } = await openDashboard({ env: { CF_LOG_LEVEL: 'silent' } })

test('deleting a workspace takes its name, and the password where the session is old; the notice says the day and restores it', async () => {
  await app.advance(700)
  await goto('/settings')
  const open = page.getByRole('button', { name: 'Delete workspace' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Delete workspace' })
  const submit = dialog.getByRole('button', { name: 'Delete workspace' })
  assert.equal(await submit.isDisabled(), true)
  const { name } = expectStatus(await ws.admin.get('/auth/me'), 200).data.workspaces[0]
  await dialog.getByRole('textbox', { name: /^Type the name/ }).fill(name)
  await expectPresentable('delete-workspace')
  await submit.click()
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const notice = page.getByRole('alert', { name: /^This workspace will be deleted on/ })
  await notice.waitFor()
  await open.waitFor({ state: 'detached' })
  await goto('/people')
  await notice.waitFor()
  await expectPresentable('workspace-ends')
  await notice.getByRole('button', { name: 'Restore workspace' }).click()
  await notice.waitFor({ state: 'detached' })
  assert.equal('endsAt' in expectStatus(await ws.admin.get('/auth/me'), 200).data.workspaces[0], false)
})
