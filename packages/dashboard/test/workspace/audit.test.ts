/** The audit log, as an admin reads it, finds what somebody did, checks it and sets how long it is kept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, openAs, expectPresentable, inArabic, inEnglish } = await openDashboard({ isDemo: false })

const region = (name: string, at: Page = page) => at.getByRole('region', { name, exact: true })
const RULES = { logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }] }

test('each entry is a sentence that leads to what it is about; it is found by kind, result and text', async () => {
  const { id } = expectStatus(await admin.post('/segments', { name: 'Gold', ...RULES }), 201).data
  expectStatus(await admin.put(`/segments/${id}`, { name: 'Silver' }), 200)
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/audit')
  await viewer.page.getByText('Only admins can change this.').first().waitFor()
  await viewer.context.close()

  await goto('/settings/audit')
  const changed = page.getByRole('link', { name: /changed segment “Silver”/ })
  await changed.waitFor()
  await expectPresentable('settings-audit')
  await page.getByRole('combobox', { name: 'Who' }).click()
  await page.getByRole('option', { name: 'The viewer' }).click()
  await changed.waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Who' }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await changed.waitFor()
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'segment', exact: true }).click()
  await page.getByRole('link', { name: /created segment “Silver”/ }).waitFor()
  await changed.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('updateSegment').waitFor()
  await dialog.getByText('name', { exact: true }).waitFor()
  await expectPresentable('settings-audit-entry')
  await dialog.getByRole('link', { name: 'Open it' }).click()
  await page.getByRole('heading', { name: 'Silver' }).first().waitFor()
})

test('the log is checked and exported, and how long it is kept is set', async () => {
  await goto('/settings/audit')
  await region('Check and export').getByText('It was never checked.').waitFor()
  await page.getByRole('button', { name: 'Check the log' }).click()
  await region('Check and export')
    .getByText(/every entry is as it was written/)
    .waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()])
  assert.equal(file.suggestedFilename(), 'audit.jsonl')
  const days = region('How long it is kept').getByLabel('Days')
  await days.fill('89')
  assert.equal(await region('How long it is kept').getByRole('button', { name: 'Save' }).isDisabled(), true)
  await days.fill('365')
  await region('How long it is kept').getByLabel('Record reads too').check()
  await region('How long it is kept').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Audit log settings saved').first().waitFor()
  const { retentionDays, recordReads } = expectStatus(await admin.get('/settings/audit'), 200).data
  assert.deepEqual([retentionDays, recordReads], [365, true])
  await inArabic()
  await page.getByRole('heading', { name: 'سجل التدقيق' }).first().waitFor()
  await inEnglish()
})
