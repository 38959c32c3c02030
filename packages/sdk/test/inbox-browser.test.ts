/** The inbox in a real browser on a real server (decision 68): the bell, the list, the keyboard, both directions, and another tab. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { launch } from '../../server/test/builders/campaigns.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { openBuiltPage } from './support/built-page.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const { workspace, url } = await startApp()
const { origin, browser } = await openBuiltPage('inbox-page')

const pageOf = (ws: Workspace, locale: string) => `${origin}/?${new URLSearchParams({ key: ws.live, baseUrl: `${url}/sdk/v1`, locale })}`

async function open(context: BrowserContext, ws: Workspace, locale: string): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(pageOf(ws, locale))
  await page.waitForFunction('client.snapshot().status === "ready"')
  return page
}

async function visit(ws: Workspace, locale: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 400, height: 700 } })
  const page = await open(context, ws, locale)
  await page.evaluate('client.identify({ consent: true, userId: "U" })')
  await page.evaluate('client.setChannels({ inApp: true })')
  return { context, page }
}

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  const editor = await ws.editor()
  for (const [index, [en, ar]] of [
    ['Your table is booked', 'تم حجز طاولتك'],
    ['Two for one', 'اثنان بسعر واحد'],
  ].entries()) {
    const common = { ctaUrl: `/offers/${index}`, inbox: { days: 5 } }
    const content = {
      en: { title: en, body: 'Friday', ctaLabel: 'See', ...common },
      ar: { title: ar, body: 'الجمعة', ctaLabel: 'عرض', ...common },
    }
    await launch(ws, editor, { dispatchChannels: ['in_app'], content })
  }
  return ws
}

/** What axe finds, by id. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')) as string[]
  return found
}

const named = (page: Page, name: string) => page.locator(`[aria-label="${name}"]`)

test('the bell says how many, the list reads, archives and follows, and another tab says the same', async () => {
  const ws = await shop()
  const { context, page } = await visit(ws, 'en')
  const other = await open(context, ws, 'en')
  for (const each of [page, other]) await named(each, 'Messages, 2 unread').waitFor()
  await named(page, 'Messages, 2 unread').click()
  const items = page.locator('.cf-inbox-item')
  await items.nth(1).waitFor()
  assert.equal(await page.locator('.cf-inbox').getAttribute('dir'), 'ltr')
  assert.deepEqual(await violations(page), [])
  // By the keyboard alone: the focus is on the bell; after it come "all as read", then each message's own buttons.
  for (const name of ['Mark all as read', 'See', 'Mark as read']) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement.tagName')) === 'UL') await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), name)
  }
  await page.keyboard.press('Enter')
  for (const each of [page, other]) await named(each, 'Messages, 1 unread').waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Mark as unread', 'the focus stays')
  await items.nth(1).locator('a').click()
  assert.equal(await page.evaluate('followed.length'), 1)
  for (const each of [page, other]) await named(each, 'Messages').first().waitFor()
  await items.nth(0).getByText('Archive').click()
  await items.nth(1).waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'UL', 'the focus goes to the list')
  await context.close()
})

test('in Arabic it is right to left, with Arabic words, and accessible', async () => {
  const ws = await shop()
  const { context, page } = await visit(ws, 'ar')
  await page.locator('.cf-inbox-bell button span').waitFor()
  await page.locator('.cf-inbox-bell button').click()
  await page.getByText('تم حجز طاولتك').waitFor()
  assert.equal(await page.locator('.cf-inbox').getAttribute('dir'), 'rtl')
  assert.equal(await page.locator('.cf-inbox h2').textContent(), 'الرسائل')
  await page.evaluate('document.documentElement.lang = "ar"')
  assert.deepEqual(await violations(page), [])
  await page.getByText('تحديد الكل كمقروء').click()
  await page.waitForFunction('document.querySelectorAll(".cf-inbox-item[data-unread]").length === 0')
  await context.close()
})
