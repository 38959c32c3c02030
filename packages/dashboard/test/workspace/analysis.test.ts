/** Analysis, as a product manager asks how many, how far and whether people come back, keeps a question and puts it on Home. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rollUp, track } from '../../../server/test/builders/events.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, app, ws, expectPresentable, expectAccessible } = await openDashboard()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const save = async () => void expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'event-catalog' }), 200)
/** Chooses one of a list that is searched. */
const choose = async (label: string, option: string) => {
  await page.getByRole('main').getByLabel(label, { exact: true }).first().click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

expectStatus(await admin.put('/event-types/product_viewed', { properties: { category: { kind: 'string', use: 'dimension' } } }), 200)
for (const [index, user] of ['sara', 'omar', 'lina', 'yusuf'].entries()) {
  await identify(ws.app, `phone-${user}`, user, index < 2 ? { traits: { family: 'yes' } } : {})
  await track(ws.app, `phone-${user}`, [
    { type: 'product_viewed', properties: { category: index < 2 ? 'shoes' : 'عطور' } },
    ...(index < 3 ? [{ type: 'cart_add' }] : []),
    ...(index < 2 ? [{ type: 'order_completed', value: 120 }] : []),
  ])
}
const rules = [{ field: 'customAttributes.family', operator: 'equals', value: 'yes' }]
expectStatus(await admin.post('/segments', { name: 'Family', logicalOperator: 'AND', rules }), 201)
await save()
await rollUp(app.operator)

test('how many: lines over time with the numbers in a table, told apart by a property', async () => {
  await goto('/analysis')
  await page.getByText('Nothing asked yet').waitFor()
  await expectPresentable('analysis-empty')
  await choose('Events', 'product_viewed')
  await page.keyboard.press('Escape')
  await choose('Count', 'Different people')
  await choose('Tell apart by', 'category')
  await button('Show').click()
  const table = page.getByRole('table', { name: 'Numbers' })
  await table.getByRole('columnheader', { name: 'عطور' }).waitFor()
  assert.deepEqual(await table.getByRole('row', { name: 'Total' }).getByRole('cell').allTextContents(), ['2', '2'])
  await button('Download CSV').waitFor()
  await expectPresentable('analysis-explore')
  await choose('Tell apart by', 'Segments of people')
  await button('Show').click()
  await table.getByRole('columnheader', { name: 'Family' }).waitFor()
  assert.deepEqual(await table.getByRole('row', { name: 'Total' }).getByRole('cell').allTextContents(), ['2', '2'])
  await page.getByText('A person in several segments counts in each.').waitFor()
  await expectPresentable('analysis-by-segment')
})

test('how far: a bar for each step, who went no further, and a report on Home', async () => {
  await goto('/analysis?view=funnel')
  await button('Add a step').click()
  await choose('Step 1', 'product_viewed')
  await choose('Step 2', 'cart_add')
  await choose('Step 3', 'order_completed')
  await button('Show').click()
  const table = page.getByRole('table', { name: 'Funnels' })
  await table.getByText('75%').first().waitFor()
  await expectPresentable('analysis-funnel')
  await page.getByRole('button', { name: 'Who went no further than step 2' }).click()
  await dialog.getByRole('link', { name: 'lina' }).waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Make a segment' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name of the segment').fill('Left the cart')
  await dialog.getByRole('button', { name: 'Make a segment' }).click()
  await dialog.getByText('has 1 of 1 people, added by hand').waitFor()
  await expectPresentable('analysis-segment-made')
  const { segments } = expectStatus(await admin.get('/segments?search=Left'), 200).data
  assert.deepEqual(
    segments.map(({ name, memberCount }: { name: string; memberCount: number }) => [name, memberCount]),
    [['Left the cart', 1]],
  )
  await page.keyboard.press('Escape')
  await button('Save report').click()
  await dialog.getByRole('button', { name: 'Save report', exact: true }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('From view to order')
  await dialog.getByLabel('Show on Home').check()
  await dialog.getByRole('button', { name: 'Save report', exact: true }).click()
  await page.getByRole('heading', { name: 'From view to order' }).waitFor()
  const { reports } = expectStatus(await admin.get('/reports'), 200).data
  assert.deepEqual(
    reports.map(({ name, isPinned }: { name: string; isPinned: boolean }) => [name, isPinned]),
    [['From view to order', true]],
  )
  await goto('')
  await page.getByRole('link', { name: 'From view to order' }).click()
  await table.getByText('75%').first().waitFor()
})

test('whether they come back, and the list of reports', async () => {
  await goto('/analysis?view=retention')
  await choose('Who did this first', 'product_viewed')
  await choose('comes back and does this', 'order_completed')
  await button('Show').click()
  await page.getByRole('table', { name: 'Retention' }).getByText('50%').waitFor()
  await expectPresentable('analysis-retention')
  await goto('/analysis?view=reports')
  await page.getByRole('link', { name: 'From view to order' }).waitFor()
  await expectPresentable('analysis-reports')
  await button('Delete: From view to order').click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No reports yet').waitFor()
})
