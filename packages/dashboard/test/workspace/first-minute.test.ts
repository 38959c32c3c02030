/**
 * The first minute of a newcomer: the server is started, the printed address opened, a headline changed in two
 * languages and published, and the shop beside it changes without being loaded again, for those it is aimed at.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { signIn } from '../support/browser.ts'
import { openView } from '../support/view.ts'
import { openDemo } from '../support/demo.ts'

const { url, browser, printed } = await openDemo()

const HERO = 'Hero / Winter edit'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const headline = (page: Page, text: string) => page.getByRole('heading', { name: text }).first()

test('a newcomer changes a headline in two languages, publishes, and the open shop shows it to those it is aimed at', async () => {
  const view = await openView(browser, { url, workspaceId: printed('Workspace') })
  const { page } = view
  await page.goto(printed('Dashboard'))
  await signIn(view, { email: printed('Sign in'), password: printed('Password') })

  const visitor = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  const shop = await visitor.newPage()
  // The shop greets new visitors; a visitor closes that and goes on.
  await shop.addLocatorHandler(shop.locator('dialog.cf-popup'), () => shop.keyboard.press('Escape'))
  await shop.goto(printed('Demo shop'))
  await button(shop, 'Only what is needed').click()
  await headline(shop, 'The winter edit is here').waitFor()
  await shop.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }))

  await page.getByRole('navigation').getByRole('link', { name: 'Content', exact: true }).click()
  await page.getByRole('link', { name: HERO }).first().click()
  await page.getByRole('textbox', { name: 'Headline (English)', exact: true }).fill('Warm layers are here')
  await page.getByRole('textbox', { name: 'Headline (Arabic)', exact: true }).fill('طبقات دافئة وصلت')
  await publish(page)
  await headline(shop, 'Warm layers are here').waitFor()
  await shop.getByRole('button', { name: 'العربية' }).click()
  await headline(shop, 'طبقات دافئة وصلت').waitFor()
  await shop.waitForFunction(() => (document.documentElement.dir || getComputedStyle(document.body).direction) === 'rtl')
  await view.shot('first-minute-editor')
  await shop.screenshot({ path: new URL('../screenshots/first-minute-shop.png', import.meta.url).pathname })

  await shop.getByRole('button', { name: 'English' }).click()
  await page.getByRole('radio', { name: 'A segment' }).check()
  await page.getByRole('combobox', { name: 'Segment' }).click()
  await page.getByRole('option', { name: 'Riyadh' }).click()
  await publish(page)
  await headline(shop, 'Warm layers are here').waitFor({ state: 'detached' })
  await shop.getByRole('link', { name: 'Account' }).first().click()
  await button(shop, 'Sign in').click()
  await shop.getByLabel('Plan').selectOption('Silver')
  await shop.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click()
  await shop.getByText('Signed in as Sara').waitFor()
  await shop.getByRole('link', { name: 'Home' }).first().click()
  await headline(shop, 'Warm layers are here').waitFor()
  assert.equal(await shop.evaluate(() => 'isTheSamePage' in globalThis), true, 'the shop was not loaded again')
  assert.deepEqual(view.complaints, [])
  await view.context.close()
  await visitor.close()
})

async function publish(page: Page): Promise<void> {
  await button(page, 'Publish').click()
  await page.getByRole('menuitem', { name: 'Publish the changes to live apps' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish the changes', exact: true }).click()
  await page.getByText('Published to live apps', { exact: true }).first().waitFor()
}
