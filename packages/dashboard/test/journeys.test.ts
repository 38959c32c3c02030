/** Journeys: from a template to one that runs, edited on the canvas and as a list, tried out, and read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDashboard } from './browser.ts'

const { page, admin, goto, expectPresentable } = await openDashboard({ env: { CF_WEBHOOK_ALLOW_PRIVATE: 'on' } })

const journeys = async () => (await admin.get('/journeys')).data.journeys as any[]

test('G-57 a journey is made from a template, looked at and activated', async () => {
  await goto('/journeys')
  await page.getByText('No journeys yet').waitFor()
  await expectPresentable('journeys-empty')
  await page.getByRole('link', { name: /^Welcome/ }).click()
  await page.getByRole('button', { name: /^Trigger Signs up/ }).waitFor()
  await expectPresentable('journey-template')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/journeys\/[0-9a-f-]{36}/)
  const [stored] = await journeys()
  assert.deepEqual([stored.name, stored.status, stored.trigger], ['Welcome', 'draft', { type: 'event', eventType: 'SIGN_UP' }])
  assert.deepEqual(
    stored.steps.map(({ type }: any) => type),
    ['in_app', 'wait', 'condition'],
  )
  await page.getByRole('button', { name: 'Activate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Push is not connected/).waitFor()
  await dialog.getByRole('button', { name: 'Activate anyway' }).click()
  await page.getByText('Pause the journey to edit it.').waitFor()
  assert.equal((await journeys())[0].status, 'active')
  await goto('/journeys')
  await page
    .getByRole('row', { name: /Welcome/ })
    .getByText('Live')
    .waitFor()
  await expectPresentable('journeys-list')
})
