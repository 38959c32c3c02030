/** A journey that listens to events: made beside the canvas, and read. */
import { test } from 'node:test'
import { check, makeJourney, setStatus } from '../../../server/test/builders/journeys.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { addPeople } from '../../../server/test/builders/sends.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { app, ws, page, admin, goto, expectPresentable } = await openDashboard()
await addPeople(ws, ['sara'])
await identify(ws.app, 'sara-phone', 'sara')

const button = (name: string | RegExp) => page.getByRole('button', { name })
const journeyOf = async (id: string) => expectStatus(await admin.get(`/journeys/${id}`), 200).data
const PUSH = { id: 'push', type: 'send', channel: 'push', content: { en: { title: 'Hi', body: 'x' }, ar: { title: 'أهلًا', body: 'x' } } }

test('a journey by any event is edited: what begins it, how often, what it waits for and what ends it', async () => {
  const { id } = await makeJourney(admin, {
    name: 'Abandoned cart',
    trigger: { type: 'custom_event', event: 'cart_updated', key: 'cartId' },
    entry: { policy: 'every_event', onRepeat: 'restart' },
    exitOn: [{ event: 'cart_cleared', sameKey: true }],
    steps: [{ id: 'w', type: 'wait_for', event: 'order_completed', sameKey: true, timeoutMinutes: 60, then: [], else: [PUSH] }],
  })
  await goto(`/journeys/${id}`)
  await button(/^Trigger cart_updated/).click()
  await page.getByLabel('One run for each').waitFor()
  await expectPresentable('journey-event-trigger')
  await button(/^Wait for an event/)
    .first()
    .click()
  await page.getByLabel('Only of the same cartId').waitFor()
  await expectPresentable('journey-wait-for')
  await page.getByRole('combobox', { name: 'Event', exact: true }).fill('order_paid')
  // Drafts save themselves.
  await until('the event is saved', async () => (await journeyOf(id)).steps[0].event === 'order_paid')
  expectStatus(await setStatus(admin, id, 'active'), 200)
  const report = async (events: object[]) => expectStatus(await ws.app.post('/events', { deviceId: 'sara-phone', events }), 202)
  await report([{ type: 'cart_updated', properties: { cartId: 'C1' } }, { type: 'cart_updated' }])
  expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'rollup' }), 200)
  await check(app.operator)
  await goto(`/journeys/${id}?tab=report`)
  await page.getByText('The event lacks the property: 1').waitFor()
  await expectPresentable('journey-event-report')
})
