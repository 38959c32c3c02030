/** The holdout: an admin says whom nothing is written to, and the page of experiments shows what that says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, ws, app, admin, openAs, expectPresentable } = await openDashboard({ isDemo: false, name: 'Souq' })

const section = (at: Page = page) => at.getByRole('region', { name: 'Holdout', exact: true })
const stored = async () => expectStatus(await admin.get('/settings/holdout'), 200).data
const save = async () => {
  await section().getByRole('button', { name: 'Save holdout' }).click()
  await page.getByText('Holdout saved').first().waitFor()
}

test('an admin holds a share of the people out, and ends it; others see it; the page of experiments compares both sides', async () => {
  await goto('/experiments')
  await page.getByText('No experiments yet').waitFor()
  assert.equal(await page.getByText('what all messages change').count(), 0)

  await goto('/settings/publishing')
  await section().getByLabel('Hold people out').click()
  const share = section().getByLabel('Share of the people')
  await share.fill('21')
  await section().getByText('Enter a whole number from 1 to 20.').waitFor()
  assert.equal(await section().getByRole('button', { name: 'Save holdout' }).isDisabled(), true)
  await share.fill('10')
  await save()
  await section()
    .getByText(/Compared since/)
    .waitFor()
  await expectPresentable('settings-holdout')
  const { percent, startsAt, endsAt, since } = await stored()
  assert.deepEqual([percent, endsAt, typeof startsAt], [10, null, 'string'])

  const viewer = await openAs('viewer')
  await viewer.goto('/settings/publishing')
  await section(viewer.page).getByText('10% of the people are held out.').waitFor()
  await viewer.context.close()

  await goto('/experiments')
  await page.getByText('The first comparison follows').waitFor()
  const side = (units: number, converted: number) => ({ units, converted, value: converted * 20, squares: converted * 500 })
  const reading = { since, at: since, sides: { others: side(45_000, 2_700), heldOut: side(5_000, 200) } }
  await app.ctx.db
    .updateTable('holdout_readings')
    .set({ reading: JSON.stringify(reading) })
    .where('workspace_id', '=', ws.id)
    .execute()
  await page.reload()
  await page
    .getByText(/your messages bring .* more/)
    .first()
    .waitFor()
  await page.getByRole('row', { name: /Held out 5,000 200 4% 4,000 0.8/ }).waitFor()
  await expectPresentable('experiments-holdout')

  await goto('/settings/publishing')
  await section().getByLabel('Hold people out').click()
  await save()
  assert.equal((await stored()).percent, 0)
})
