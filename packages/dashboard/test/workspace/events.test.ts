/** The catalogue of events, as a developer declares what apps send, sees what differs and watches events arrive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rollUp, track } from '../../../server/test/builders/events.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, app, ws, openAs, expectPresentable, expectAccessible } = await openDashboard({ isDemo: false, name: 'Souq' })
const { operator } = app
const save = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'event-catalog' }), 200)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

test('what apps report appears by itself, is declared on its page, and what differs is shown without its value', async () => {
  await goto('/events')
  await page.getByText('No events yet').waitFor()
  await expectPresentable('events-none')
  await identify(ws.app, 'D', 'sara')
  await track(ws.app, 'D', [
    { type: 'order_completed', properties: { total: 120, state: 'paid', placedAt: '2026-11-27T10:00:00Z', items: [1, 2] } },
    { type: 'cart/left 50%', properties: { total: 12.5 } },
    { type: 'impression', blockKey: 'promo' },
  ])
  await save()
  await rollUp(operator)
  await page.reload()
  await page.getByRole('link', { name: 'cart/left 50%' }).waitFor()

  await page.getByRole('link', { name: 'order_completed' }).click()
  await page.getByRole('heading', { name: 'order_completed' }).waitFor()
  await button('Declare').click()
  await dialog.getByLabel('Description').fill('An order was paid')
  await dialog.getByLabel('Owner').fill('Checkout team')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('An order was paid').first().waitFor()

  // A property that apps send: its kind is suggested.
  await button('total').click()
  await dialog.getByLabel('Required').check()
  await dialog.getByRole('combobox', { name: 'Use' }).or(dialog.getByLabel('Use')).first().click()
  await page.getByRole('option', { name: 'Is added up' }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'total' }).getByText('Whole number').last().waitFor()
  await button('state').click()
  await dialog.getByLabel('Only these values').fill('paid\nopen')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('paid · open').waitFor()
  // One that none sends yet.
  await button('Declare a property').click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Enter the name of the event.').waitFor()
  await dialog.getByLabel('Name').fill('coupon')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'coupon' }).waitFor()

  const declared = expectStatus(await admin.get('/event-types/order_completed'), 200).data
  assert.equal(declared.properties.filter((one: { declared: object | null }) => one.declared).length, 3)
  await track(ws.app, 'D', [
    { type: 'order_completed', properties: { total: 'Sara Ahmed', state: 'lost' } },
    { type: 'order_completed', properties: { state: 'lost' } },
  ])
  await save()
  await page.reload()
  await page.getByText('The last one was none of the values.').waitFor()
  await page.getByRole('table', { name: 'Arriving now' }).getByText('Sara Ahmed').waitFor()
  assert.equal(await page.getByRole('table', { name: 'Properties' }).getByText('Sara').count(), 0)
  await expectPresentable('event-type')

  await goto('/events')
  await page.getByRole('row').filter({ hasText: 'order_completed' }).getByText('Checkout team').waitFor()
  await expectPresentable('events')
  await page.getByLabel('State').first().click()
  await page.getByRole('option', { name: 'Not as declared' }).click()
  await page.getByRole('link', { name: 'cart/left 50%' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'order_completed' }).waitFor()
})

test('a name with signs of addresses has a page; undeclared it is hidden', async () => {
  await goto('/events')
  await page.getByRole('link', { name: 'cart/left 50%' }).click()
  await page.getByRole('heading', { name: 'cart/left 50%' }).waitFor()
  await button('Hide').click()
  await dialog.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.getByRole('link', { name: 'order_completed' }).waitFor()
  await page.getByRole('link', { name: 'cart/left 50%' }).waitFor({ state: 'detached' })
  await button('Declare an event').click()
  await dialog.getByLabel('Name').fill('cart/left 50%')
  await dialog.getByRole('button', { name: 'Declare', exact: true }).click()
  await page.getByRole('heading', { name: 'cart/left 50%' }).waitFor()
  await page.getByText('Declared', { exact: true }).first().waitFor()
})

test('events are watched as they arrive, all or of one type', async () => {
  await goto('/events?view=live')
  await page.getByRole('table', { name: 'Arriving now' }).getByText('impression').first().waitFor()
  await expectPresentable('events-live')
  await page.getByLabel('Only this event').fill('cart/left 50%')
  await page.getByRole('table', { name: 'Arriving now' }).getByText('impression').first().waitFor({ state: 'detached' })
  await track(ws.app, 'D', [{ type: 'cart/left 50%', properties: { total: 77 } }])
  await page.getByText('{"total":77}').waitFor()
})

test('whoever only reads sees the catalogue and declares nothing', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/events')
  await viewer.page.getByRole('link', { name: 'order_completed' }).click()
  await viewer.page.getByRole('heading', { name: 'order_completed' }).waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: /^(Edit|Declare|Undeclare|Hide)/ }).count(), 0)
  await viewer.context.close()
})
