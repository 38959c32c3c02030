/** Channels, as an admin connects them, tries them and takes them away, and as others see them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { applyPlanned, plan } from '../../../server/test/builders/code.ts'
import { openProvider } from '../../../server/test/builders/providers.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const provider = await openProvider({
  judge: ({ headers }) =>
    headers.authorization === 'Bearer SG.right'
      ? undefined
      : { status: 401, body: { errors: [{ message: 'The provided key is invalid' }] } },
  answer: () => ({ status: 202, headers: { 'x-message-id': 'm1' } }),
})
after(() => provider.close())
const dashboard = await openDashboard({ isDemo: false })
const { page, goto, admin, openAs, expectPresentable, expectAccessible, shot, inArabic, inEnglish, account } = dashboard

const button = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name, exact: typeof name === 'string' })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const dialog = (at: Page = page) => at.getByRole('dialog')
const section = (name: string, at: Page = page) => at.getByRole('region', { name, exact: true })
const field = (name: string | RegExp) => dialog().getByLabel(name)
const listed = async () => expectStatus(await admin.get('/notifications/channels'), 200).data.channels

test('M-CHAN-01 M-CHAN-06 M-CHAN-10 a provider is connected; its test fails, its key is corrected, and the test arrives', async () => {
  await goto('/settings/channels')
  await said('No channels yet')
  await said('No emails go out yet.')
  await expectPresentable('channels-empty')
  const documents = page.getByRole('link', { name: /^Documentation of SendGrid/ })
  assert.equal(await documents.getAttribute('href'), 'https://www.twilio.com/docs/sendgrid')

  await button('Connect SendGrid').click()
  await button('Connect', dialog()).click()
  await said('Fill this in.', dialog())
  assert.equal(await field(/^API key/).evaluate((input) => input === document.activeElement), true, 'the field that is wrong has the focus')
  await expectPresentable('channels-connect')
  await field(/^Name/).fill('Newsletter')
  await field(/^API key/).fill('SG.wrong')
  await field(/^Sender address/).fill('nobody')
  await field(/^Gateway address/).fill(provider.url)
  await button('Connect', dialog()).click()
  await said('Enter an address, or a name with the address in < >.', dialog())
  await field(/^Sender address/).fill('Shop <shop@example.com>')
  await button('Connect', dialog()).click()

  await said('One short message in English and Arabic goes out through Newsletter now.', dialog())
  assert.equal(await field('Email address').inputValue(), account.email)
  await field('Email address').fill('nobody')
  await button('Send test', dialog()).click()
  await said('Enter an email address.', dialog())
  await field('Email address').fill(account.email)
  await button('Send test', dialog()).click()
  await said('The provided key is invalid', dialog())
  await expectAccessible()
  await shot('channels-test-failed')
  await shot('channels-test-failed-390-ar', { width: 390, language: 'ar' })
  await button('Done', dialog()).click()

  await said('Messages go out through Newsletter.', section('Email'))
  const [channel] = await listed()
  assert.equal(channel.configuration.apiKey, '********')
  await button('Actions for Newsletter').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  assert.equal(await field(/^API key/).inputValue(), '', 'a secret is never shown')
  await field(/^API key/).fill('SG.right')
  await field(/^Priority/).fill('5')
  await shot('channels-edit')
  await button('Save', dialog()).click()
  await said('Channel saved')
  await button('Send test through Newsletter').click()
  await button('Send test', dialog()).click()
  await said(`Test sent to ${account.email}`, dialog())
  await expectAccessible()
  await shot('channels-test-sent')
  assert.equal(provider.taken.length, 1)
  await button('Done', dialog()).click()
})

test('M-CHAN-08 what is not touched stays; a secret is asked for again when its address changes', async () => {
  await button('Actions for Newsletter').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await field(/^Sender name/).fill('متجر المدينة')
  await button('Save', dialog()).click()
  await dialog().waitFor({ state: 'detached' })
  await said('متجر المدينة', section('Email'))
  await button('Actions for Newsletter').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await field(/^Gateway address/).fill(`${provider.url}/elsewhere`)
  await button('Save', dialog()).click()
  await said('Enter it again, because the address changes.', dialog())
  await button('Cancel', dialog()).click()
  const [channel] = await listed()
  assert.deepEqual([channel.priority, channel.configuration.baseUrl, channel.configuration.fromName], [5, provider.url, 'متجر المدينة'])
})

test('M-CHAN-07 M-CHAN-09 of several channels the highest sends; one that is off sends nothing; one is disconnected', async () => {
  await goto('/settings/channels?connect=smtp')
  await field(/^Name/).fill('Our own mail')
  await field(/^Server/).fill('127.0.0.1')
  await field(/^Port/).fill('99999')
  await field(/^Sender address/).fill('shop@example.com')
  await field(/^Password/).fill('secret')
  await button('Connect', dialog()).click()
  await said('Enter a whole number from 1 to 65535.', dialog())
  await field(/^Port/).fill('2525')
  await button('Connect', dialog()).click()
  await said('A password needs a user name.', dialog())
  await field(/^User name/).fill('news')
  await field(/^Priority/).fill('9')
  await button('Connect', dialog()).click()
  await button('Done', dialog()).click()
  await said('the one with the highest priority sends. Here it is Our own mail.', section('Email'))
  await page.getByRole('switch', { name: 'Our own mail is on' }).press('Space')
  await said('Messages go out through Newsletter.', section('Email'))
  for (const body of [
    { type: 'sms', provider: 'taqnyat', name: 'رسائل المتجر', configuration: { bearerToken: 't', sender: 'MATJAR-AD' } },
    { type: 'push', provider: 'hms', name: 'Huawei phones', configuration: { appId: '100000001', appSecret: 's' }, active: false },
  ])
    expectStatus(await admin.post('/notifications/channels', body), 201)
  await page.reload()
  await said('Nothing goes out: every channel of this type is off.')
  await expectPresentable('channels')

  await button('Actions for Newsletter').click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  await said('Messages of this type stop until another channel is connected or turned on.', dialog())
  await expectAccessible()
  await button('Disconnect', dialog()).click()
  await said('Channel disconnected')
  await said('Nothing goes out: every channel of this type is off.', section('Email'))
  assert.deepEqual((await listed()).map(({ name }: { name: string }) => name).toSorted(), ['Huawei phones', 'Our own mail', 'رسائل المتجر'])
})

test('a service account is chosen as a file, and what is missing in it is said in Arabic', async () => {
  await goto('/settings/channels?connect=fcm')
  await inArabic()
  const choose = (content: string) =>
    dialog()
      .locator('input[type=file]')
      .setInputFiles({ name: 'account.json', mimeType: 'application/json', buffer: Buffer.from(content) })
  await choose('{"project_id":"shop"}')
  await dialog().getByText('"project_id"').waitFor()
  await button('ربط', dialog()).click()
  await said(/ينقص الملف .*client_email.* صالح/, dialog())
  await shot('channels-fcm-ar')
  await shot('channels-fcm-ar-390', { width: 390 })
  await choose(JSON.stringify({ project_id: 'shop', client_email: 'a@shop.example', private_key: 'no key' }))
  await button('ربط', dialog()).click()
  await button('تم', dialog()).click()
  await said('a@shop.example', section('الإشعارات'))
  await inEnglish()
})

test('who is no admin sees what is connected, and nothing to change it with', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/channels')
  await said('Our own mail', viewer.page)
  await said('Only admins can change this.', viewer.page)
  assert.equal(await viewer.page.getByRole('main').getByRole('button').count(), 0)
  assert.equal(await viewer.page.getByRole('main').getByRole('switch').count(), 0)
  await viewer.goto('/settings/channels?connect=smtp')
  await said('Our own mail', viewer.page)
  assert.equal(await dialog(viewer.page).count(), 0)
  await viewer.expectPresentable('channels-viewer')
  await viewer.context.close()
})

test('a channel that came in a file cannot be turned on until its secrets are entered', async () => {
  const { data } = expectStatus(await admin.get('/workspace/code?only=channels'), 200)
  const arrived = { id: 'arrived', provider: 'hms', name: 'From staging', configuration: { appId: '1', callbackUser: 'receipts' } }
  const document = { channels: [...data.channels, arrived] }
  expectStatus(await applyPlanned(admin, document, (await plan(admin, document)).version), 200)
  await goto('/settings/channels')
  await said('Its secrets are missing: it came in a file, which holds none.', section('Push notifications'))
  const turned = page.getByRole('switch', { name: 'From staging is on' })
  assert.equal(await turned.isDisabled(), true)
  await expectPresentable('channels-without-secrets')
  await button('Actions for From staging').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await button('Save', dialog()).click()
  await said('Fill this in.', dialog())
  await field(/^App secret/).fill('s')
  await button('Save', dialog()).click()
  await said('Enter both the callback user name and the signing key, or neither.', dialog())
  await field(/^Callback signing key/).fill('k')
  await button('Save', dialog()).click()
  await dialog().waitFor({ state: 'detached' })
  await turned.press('Space')
  await said('From staging turned on')
})
