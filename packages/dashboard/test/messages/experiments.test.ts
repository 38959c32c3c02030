/** Experiments: the list, and the page of one, on what was counted over some days. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeExperiment } from '../../../server/test/builders/experiments.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, ws, app, admin, openAs, expectPresentable, expectAccessible } = await openDashboard({ isDemo: false, name: 'Souq' })

const daysOf = (rates: { a: number; b: number }, units = { a: 400, b: 400 }) =>
  Array.from({ length: 7 }, (_, index) => `2026-11-${String(20 + index)}`).flatMap((day) =>
    (['a', 'b'] as const).map((variantId) => ({
      variantId,
      day,
      units: units[variantId],
      did: Math.round(units[variantId] * rates[variantId]),
    })),
  )
const store = async (id: string, name: string, counted = daysOf({ a: 0.1, b: 0.1 })) =>
  storeExperiment(app.ctx, ws.id, { id, name, counted })
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('experiments are listed with what each says, and the page of one says it before the picture and the table', async () => {
  await goto('/experiments')
  await page.getByText('No experiments yet').waitFor()
  await expectPresentable('experiments-none')
  await store('campaign:clear', 'Shorter title', daysOf({ a: 0.16, b: 0.1 }))
  await store('campaign:open', 'Blue button')
  await store('campaign:wrong', 'Other picture', daysOf({ a: 0.1, b: 0.1 }, { a: 400, b: 300 }))
  await page.reload()
  await page.getByRole('row', { name: /Shorter title.*a is better than b/ }).waitFor()
  await page.getByRole('row', { name: /Blue button.*No clear difference yet/ }).waitFor()
  await page.getByRole('row', { name: /Other picture.*not as they should be/ }).waitFor()
  await expectPresentable('experiments')

  await page.getByRole('link', { name: 'Shorter title' }).click()
  await page.getByText(/a is better than b: of a hundred devices/).waitFor()
  await page
    .getByRole('table', { name: /day by day/ })
    .getByRole('row')
    .nth(7)
    .waitFor()
  await expectPresentable('experiment')

  await goto('/experiments/campaign:wrong')
  await page.getByText('a: seen on 2,800 devices, expected on 2,450').waitFor()
  await expectAccessible()
})

test('goal, guardrails and plan are chosen for a new run, and what came of it is written down', async () => {
  await store('campaign:chosen', 'Free delivery')
  await goto('/experiments/campaign:chosen')
  await button('Goal and plan').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What you expect').fill('It sells more')
  await dialog.getByRole('combobox', { name: 'Event' }).fill('purchase')
  await button('With a property').click()
  await dialog.getByRole('textbox', { name: 'Property' }).fill('plan')
  await dialog.getByRole('combobox', { name: 'Comparison' }).selectOption('equals')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('pro')
  await dialog.getByRole('switch', { name: 'Take out what people did before' }).waitFor()
  await button('Add a guardrail').click()
  await dialog.getByRole('switch', { name: 'Plan its size' }).click()
  await expectPresentable('experiment-goal')
  await button('Save').click()
  await dialog.getByText(/Devices were counted already, so its metric/).waitFor()
  await dialog.getByLabel('Begin a new run').check()
  await button('Save').click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Run 2').waitFor()
  await page.getByText(/Planned: 18,856 devices, to find a rise of 20%/).waitFor()
  await page.getByText('Not clear yet').waitFor()
  await button('Decide').click()
  await dialog.getByLabel('b', { exact: true }).check()
  await dialog.getByLabel('Why').fill('Cheaper')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click()
  await page.getByText('Decided for b').waitFor()
  const { data } = expectStatus(await admin.get('/experiments/campaign:chosen'), 200)
  const where = { logicalOperator: 'AND', conditions: [{ field: 'properties.plan', operator: 'equals', value: 'pro' }] }
  assert.deepEqual([data.decision.note, data.guardrails.length, data.metric.where, data.cuped], ['Cheaper', 1, where, false])

  const viewer = await openAs('viewer')
  await viewer.goto('/experiments/campaign:chosen')
  await viewer.page.getByText('Decided for b').waitFor()
  if ((await viewer.page.getByRole('button', { name: 'Goal and plan' }).count()) > 0) throw new Error('a viewer changes it')
})

test('harm beside any variant is said first, the past of people is taken out, and a choice becomes a draft of the item', async () => {
  await ws.block('hero')
  const variants = ['a', 'b', 'c'].map((id) => ({ id, weight: 1, values: { '#title': `Title ${id}` } }))
  const { id: item } = await ws.instance('hero', { title: 'Welcome', values: { '#title': 'base' }, variants })
  const id = `instance:${item}`
  const counted = (['a', 'b', 'c'] as const).map((variantId) => ({
    variantId,
    day: '2026-11-20',
    units: 2_000,
    did: { a: 700, b: 420, c: 400 }[variantId],
    guarded: { a: 200, b: 200, c: 600 }[variantId],
  }))
  const metric = { event: 'purchase', of: 'people' as const, days: 7, namesIt: false }
  const guardrails = [{ metric, mustNot: 'fall' as const, margin: 0.05 }]
  await storeExperiment(app.ctx, ws.id, { id, name: 'Welcome', counted, variants: ['a', 'b', 'c'], guardrails })
  await goto(`/experiments/${id}`)
  await page.getByText(/purchase: .* between the leading variant and c\./).waitFor()
  await page.getByText('beside b: Safe and beside c: Harmed').waitFor()
  await expectPresentable('experiment-harm')
  await button('Goal and plan').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Take out what people did before').click()
  await dialog.getByLabel('Begin a new run').check()
  await expectAccessible()
  await button('Cancel').click()
  await button('Decide').click()
  await dialog.getByLabel('b', { exact: true }).check()
  await dialog.getByLabel('Make it the content').check()
  await expectPresentable('experiment-decide')
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click()
  await page.getByText('Decided for b').waitFor()
  const { data } = expectStatus(await admin.get(`/blocks/hero/instances/${item}`), 200)
  assert.deepEqual(
    data.variants.map((variant: { id: string }) => variant.id),
    ['b'],
  )
})

test('a control group says what a campaign changes, of people; a campaign is edited when it is decided', async () => {
  const rates = { reached: 0.3, control: 0.2 }
  const counted = daysOf({ a: 0, b: 0 }).flatMap(({ day, variantId }) => {
    const group = variantId === 'a' ? ('reached' as const) : ('control' as const)
    return { variantId: group, day, units: 300, did: 300 * rates[group] }
  })
  await storeExperiment(app.ctx, ws.id, { id: 'control:eid', name: 'Eid offer', counted, variants: ['reached', 'control'] })
  await goto('/experiments')
  await page.getByRole('row', { name: /Eid offer.*Control group.*The campaign brings more.*4,200 people/ }).waitFor()
  await expectPresentable('experiments-control')
  await page.getByRole('link', { name: 'Eid offer' }).click()
  await page.getByText(/The campaign brings more: of a hundred people it came to/).waitFor()
  await page.getByRole('rowheader', { name: 'Left out' }).waitFor()
  await expectPresentable('experiment-control')
  await button('Goal and plan').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Event' }).waitFor()
  assert.equal(await dialog.getByText('Only events that name this item or campaign').count(), 0)
  await button('Cancel').click()
  await button('Decide').click()
  await dialog.getByLabel('Got it', { exact: true }).check()
  assert.equal(await dialog.getByLabel('Edit the campaign').count(), 0)
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click()
  await page.getByText('Decided for Got it').waitFor()

  await store('campaign:edited', 'Two greetings')
  await goto('/experiments/campaign:edited')
  await button('Decide').click()
  await dialog.getByLabel('Edit the campaign').check()
  await expectPresentable('experiment-decide-campaign')
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click()
  // The campaign is not there any more: nothing is decided, and the dialog says why.
  await dialog
    .getByText(/not found|is gone|could not/i)
    .first()
    .waitFor()
})
