/** Closed contacts, as a marketer finds them, reads why and opens them again. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addChannel } from '../../../server/test/builders/channels.ts'
import { openMailServer } from '../../../server/test/builders/providers.ts'
import { addPeople } from '../../../server/test/builders/sends.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, openAs, expectPresentable, expectAccessible } = await openDashboard({
  isDemo: false,
  name: 'Souq',
})
const server = await openMailServer()
after(() => server.close())
const closed = async () => expectStatus(await admin.get('/contacts/closed'), 200).data.contacts.length

test('G-88 closed contacts are listed with the words of the provider, and opened one by one or together', async () => {
  await goto('/people')
  await page.getByRole('link', { name: 'Closed contacts', exact: true }).click()
  await page.getByText('No closed contacts').waitFor()
  await expectPresentable('closed-contacts-none')
  await addChannel(admin, 'email', 'smtp', { host: '127.0.0.1', port: server.port, secure: false, from: 'a@souq.example' })
  await addPeople(ws, ['noura', 'omar', 'sara'])
  server.refusalOf = () => '550 5.1.1 The email account that you tried to reach does not exist'
  for (const userId of ['noura', 'omar', 'sara'])
    expectStatus(await admin.post('/notifications', { userId, channel: 'email', content: { title: 't', body: 'b' } }), 200)
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'noura@example.com' }).getByText('5.1.1').last().waitFor()
  await expectPresentable('closed-contacts')
  await page.getByRole('button', { name: 'Open noura@example.com' }).click()
  await page.getByRole('row').filter({ hasText: 'noura@example.com' }).waitFor({ state: 'detached' })
  assert.equal(await closed(), 2)
  assert.equal(await page.getByRole('button', { name: 'Open all', exact: true }).count(), 0)
  await page.getByRole('combobox', { name: 'Channel' }).or(page.getByLabel('Channel')).first().click()
  await page.getByRole('option', { name: 'Email', exact: true }).click()
  await page.getByRole('button', { name: 'Open all', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The next message goes to all of them again').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Open all', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'omar@example.com' }).waitFor({ state: 'detached' })
  assert.equal(await closed(), 0)
})

test('G-88 whoever only reads sees them and opens none', async () => {
  expectStatus(await admin.post('/notifications', { userId: 'omar', channel: 'email', content: { title: 't', body: 'b' } }), 200)
  const viewer = await openAs('viewer')
  await viewer.goto('/people/closed-contacts')
  await viewer.page.getByText('omar@example.com').waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: /^Open/ }).count(), 0)
  await viewer.context.close()
})
