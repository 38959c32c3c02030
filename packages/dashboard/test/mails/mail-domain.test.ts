/** The domain that mail is sent from, as an admin has it checked on the card of a channel (decision 73). */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { openNameServer } from '../../../server/test/builders/mails/name-server.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const names = await openNameServer()
after(() => names.close())
const dashboard = await openDashboard({ isDemo: false, env: { CF_DNS_SERVERS: names.address, CF_WEBHOOK_ALLOW_PRIVATE: 'on' } })
const { page, goto, admin, openAs, expectPresentable } = dashboard
const dialog = page.getByRole('dialog')
const said = (text: string | RegExp) => dialog.getByText(text).first().waitFor()

test('what the records of a domain lack is said with what to do, until nothing is left', async () => {
  const configuration = { host: '127.0.0.1', port: 2525, secure: false, from: 'news@shop.example' }
  expectStatus(await admin.post('/notifications/channels', { type: 'email', provider: 'smtp', name: 'Newsletter', configuration }), 201)
  names.texts.set('shop.example', ['v=spf1 mx +all'])
  names.texts.set('_dmarc.shop.example', ['v=DMARC1; p=none; rua=mailto:dmarc@shop.example'])
  await goto('/settings/channels')
  await page.getByRole('button', { name: 'Check domain of Newsletter' }).click()
  await dialog.getByRole('button', { name: 'Check domain' }).click()
  await said('shop.example needs something')
  await said('End the record with ~all or -all.')
  await said('The channel signs nothing itself')
  await said('DMARC only watches')
  await expectPresentable('mail-domain-to-do')
  await dialog.getByLabel('DKIM selector').fill('a b')
  await dialog.getByRole('button', { name: 'Check again' }).click()
  await said('Enter letters, digits, dots and hyphens.')
  names.texts.set('shop.example', ['v=spf1 mx -all'])
  names.texts.set('_dmarc.shop.example', ['v=DMARC1; p=reject'])
  names.texts.set('mail1._domainkey.shop.example', ['v=DKIM1; k=rsa; p=QUJDREVG'])
  await dialog.getByLabel('DKIM selector').fill('mail1')
  await dialog.getByRole('button', { name: 'Check again' }).click()
  await said('shop.example is set up for mail')
  await expectPresentable('mail-domain-fine')
  await dialog.getByRole('button', { name: 'Done' }).click()
})

test('a key to sign with is entered with its domain and selector, or not at all', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await page.getByRole('button', { name: 'Actions for Newsletter' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByLabel('Signing domain (DKIM)').fill('shop.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await said('Enter the domain, the selector and the key, or none of them.')
  await dialog.getByLabel('Signing selector').fill('cf')
  await dialog.getByRole('textbox', { name: 'Signing key (.pem)' }).fill('x')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await said('configuration.dkimPrivateKey must be a private key in PEM form without a password')
  await dialog.getByRole('textbox', { name: 'Signing key (.pem)' }).fill(privateKey)
  await expectPresentable('mail-domain-key')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [channel] = expectStatus(await admin.get('/notifications/channels'), 200).data.channels
  assert.deepEqual([channel.configuration.dkimSelector, channel.configuration.dkimPrivateKey], ['cf', '********'])
  await page.getByRole('button', { name: 'Check domain of Newsletter' }).click()
  await dialog.getByRole('button', { name: 'Check domain' }).click()
  await said('There is no DKIM key')
  assert.equal(await dialog.getByLabel('DKIM selector').count(), 0, 'the channel says its own')
})

test('members who are no admins have no such button', async () => {
  const other = await openAs('viewer')
  await other.goto('/settings/channels')
  await other.page.getByText('Newsletter').first().waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Check domain of Newsletter' }).count(), 0)
})
