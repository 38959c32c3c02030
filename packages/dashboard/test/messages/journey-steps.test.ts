/** Steps that tell an endpoint or write attributes, and what events say in texts: made beside the canvas, and tried out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { addPeople } from '../../../server/test/builders/sends.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { ws, page, admin, goto, expectPresentable } = await openDashboard({ env: { CF_WEBHOOK_ALLOW_PRIVATE: 'on' } })
await addPeople(ws, ['sara'])
const { id: endpoint } = expectStatus(
  await admin.post('/webhooks', { url: 'http://127.0.0.1:8123/hook', events: ['campaign.approved'], description: 'Warehouse' }),
  201,
).data
const types = [{ name: 'cart_updated', properties: { cartId: { kind: 'string', required: true }, total: { kind: 'number' } } }]
expectStatus(await admin.put('/event-types', { types }), 200)

/** Beside the name of the journey, which is a field too. */
const panel = page.getByRole('tabpanel')
const button = (name: string | RegExp) => page.getByRole('button', { name })
const stepsOf = async (id: string) => expectStatus(await admin.get(`/journeys/${id}`), 200).data.steps
const addAfter = async (step: string, kind: RegExp) => {
  await button(`Add step after ${step}`).click()
  await page.getByRole('menuitem', { name: kind }).click()
}

test('a webhook and new attributes are added, filled from the event, tried out, and nothing is told or written', async () => {
  const { id } = await makeJourney(admin, {
    name: 'Carts',
    trigger: { type: 'custom_event', event: 'cart_updated', key: 'cartId' },
    entry: { policy: 'every_event' },
    steps: [{ id: 'push', type: 'send', channel: 'push', content: { en: { title: 'Hi' }, ar: { title: 'أهلًا' } } }],
  })
  await goto(`/journeys/${id}`)
  await button(/^Push/).first().click()
  await page.getByRole('textbox', { name: 'Title' }).click()
  await button('Insert from the event').click()
  await page.getByRole('menuitem', { name: /^total/ }).click()
  await page.getByText('total: not every cart_updated has it').waitFor()
  await expectPresentable('journey-tokens')
  await until('the token is saved', async () => (await stepsOf(id))[0].content.en.title === 'Hi{{event.total}}')

  await addAfter('Push', /^Webhook/)
  await page.getByText('Choose an endpoint.').waitFor()
  await page.getByRole('combobox', { name: 'Endpoint' }).click()
  await page.getByRole('option', { name: 'Warehouse' }).click()
  await button('Add a member').click()
  await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('total')
  await button('Insert from the event').click()
  await page.getByRole('menuitem', { name: /^total/ }).click()
  await button(/^Webhook Warehouse/).waitFor()
  await expectPresentable('journey-webhook')

  await addAfter('Webhook', /^Update the profile/)
  await page.getByText('Attributes: at least one').waitFor()
  await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('tier')
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill('gold')
  await page.getByRole('textbox', { name: 'They end after days' }).fill('30')
  await button(/^Update the profile tier/).waitFor()
  await expectPresentable('journey-update')
  await until('all of it is saved', async () => (await stepsOf(id))[2]?.expiresInDays === 30)
  const [, tell, update] = await stepsOf(id)
  assert.deepEqual([tell.endpoint, tell.data, update.set], [endpoint, { total: '{{event.total}}' }, { tier: 'gold' }])

  await goto(`/journeys/${id}?tab=try`)
  await page.getByRole('combobox', { name: 'Add a person' }).fill('sara')
  await page.getByRole('option', { name: /sara/ }).click()
  await page.getByRole('group', { name: 'What cart_updated says that takes them in' }).waitFor()
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill('C1')
  await button('Add a property').click()
  await panel.getByRole('textbox', { name: 'Name', exact: true }).nth(1).fill('total')
  await page.getByRole('combobox', { name: 'Kind' }).nth(1).click()
  await page.getByRole('option', { name: 'Number' }).click()
  await page.getByRole('textbox', { name: 'Value', exact: true }).nth(1).fill('55')
  await button('Add an event').click()
  await page.getByRole('combobox', { name: 'Name of the event' }).waitFor()
  await button('Try it').click()
  await page.getByText('Webhook: told').waitFor()
  await page.getByText('Update the profile: written').waitFor()
  await page.getByText('total: 55').waitFor()
  await page.getByText('tier: gold').waitFor()
  await expectPresentable('journey-try-any-event')
  assert.deepEqual(expectStatus(await admin.get(`/webhooks/${endpoint}/deliveries`), 200).data.deliveries, [])
})
