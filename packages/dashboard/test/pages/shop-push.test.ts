/** The demo shop asks for push messages after an order, where the workspace has keys of web push. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, request } from '../../../server/test/builders/builders.ts'
import { addChannel } from '../../../server/test/builders/channels.ts'
import { openDemo } from '../support/demo.ts'

const { url, browser, printed } = await openDemo()

async function order(locale: string) {
  const visitor = await browser.newContext({ viewport: { width: 390, height: 844 }, locale })
  // A browser that nobody watches has no push service of its own, and asks nobody.
  const page = await visitor.newPage()
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' })
    Notification.requestPermission = async () => {
      document.documentElement.dataset['asked'] = 'yes'
      return 'default'
    }
  })
  await page.goto(`${printed('Demo shop')}#/account`)
  const agree = page.getByRole('button', { name: locale === 'en' ? 'Accept all' : 'أوافق على الكل', exact: true })
  await agree.click()
  await agree.waitFor({ state: 'detached' })
  await page.goto(`${printed('Demo shop')}#/collections/all`)
  await page.locator('.product-grid a').first().click()
  await page.locator('.buy button').click()
  await page.goto(`${printed('Demo shop')}#/bag`)
  const answer = page.waitForResponse('**/push/web-key')
  await page.locator('.summary > button').click()
  await answer
  return { page, visitor }
}

test('without keys the shop asks nothing; with keys it asks after an order, and the browser asks after a yes', async () => {
  const none = await order('en')
  await none.page.locator('.state').waitFor()
  assert.equal(await none.page.locator('.cf-push-prompt').count(), 0)
  await none.visitor.close()
  const body = { email: printed('Sign in'), password: printed('Password') }
  const { data } = expectStatus(await request('POST', `${url}/api/v1/auth/login`, { body }), 200)
  const admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${data.token}`, 'x-tenant-id': printed('Workspace') })
  await addChannel(admin, 'push', 'web_push', { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/' })
  const { page, visitor } = await order('en')
  const question = page.getByRole('dialog', { name: 'Shall we tell you when it leaves?' })
  await question.waitFor()
  await page.screenshot({ path: new URL('../screenshots/shop-push.png', import.meta.url).pathname })
  assert.equal(await page.locator('html').getAttribute('data-asked'), null)
  await question.getByRole('button', { name: 'Yes, please' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await page.locator('html').getAttribute('data-asked'), 'yes')
  await visitor.close()
  const arabic = await order('ar')
  await arabic.page.getByRole('dialog', { name: 'هل نخبرك عندما يُشحن؟' }).waitFor()
  await arabic.page.screenshot({ path: new URL('../screenshots/shop-push-ar.png', import.meta.url).pathname })
  await arabic.visitor.close()
})
