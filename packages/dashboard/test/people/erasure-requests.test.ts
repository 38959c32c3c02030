/** Erasures that an app asked for and that wait for somebody: an admin decides, others look. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { erase, identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, openAs, expectPresentable, expectAccessible } = await openDashboard({ isDemo: false, name: 'Gulf Bank' })

const waiting = page.getByRole('region', { name: 'Waiting for confirmation', exact: true })
const rowOf = (userId: string) => waiting.getByRole('row').filter({ hasText: userId })
const dialog = page.getByRole('dialog')

test('without a request the page is as before; one that waits is shown with whom it is about', async () => {
  expectStatus(await admin.put('/settings/protections', { protections: { confirmErasures: true } }), 200)
  await goto('/people/erasures')
  await page.getByText('No erasures yet').waitFor()
  assert.equal(await waiting.count(), 0)
  for (const userId of ['noura', 'victim']) {
    await identify(ws.app, `phone of ${userId}`, userId)
    expectStatus(await erase(ws.app, `phone of ${userId}`), 202)
  }
  await page.reload()
  await rowOf('noura').waitFor()
  await expectPresentable('erasure-requests')
  const viewer = await openAs('viewer')
  await viewer.goto('/people/erasures')
  await viewer.page.getByText('Only admins can decide.').waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Reject', exact: true }).count(), 0)
  await viewer.context.close()
})

test('a request that is rejected leaves the person; one that is confirmed erases them', async () => {
  await rowOf('victim').getByRole('button', { name: 'Reject', exact: true }).click()
  await dialog.getByText('victim stays as they are.').waitFor()
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await rowOf('victim').waitFor({ state: 'detached' })
  expectStatus(await admin.get('/users/victim'), 200)

  await rowOf('noura').getByRole('button', { name: 'Erase', exact: true }).click()
  await dialog.getByText('noura is erased at once, as requested.').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await waiting.waitFor({ state: 'detached' })
  expectStatus(await admin.get('/users/noura'), 404)
  await page.getByRole('row', { name: /Complete|In progress/ }).waitFor()
})
