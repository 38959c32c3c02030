/** The bindings in a real browser on a real server: what is shown, and what is counted for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Workspace } from '../../server/test/builders/builders.ts'
import { countsOf, rollUp } from '../../server/test/builders/events.ts'
import { sync } from '../../server/test/builders/strings.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { openBuiltPage } from './support/built-page.ts'

const { workspace, operator, url } = await startApp()
const { origin, browser } = await openBuiltPage('react-page')

const FIELDS = [
  { id: 'f_title', tag: '#title', type: 'text' },
  { id: 'f_cta_label', tag: '#cta_label', type: 'text' },
  { id: 'f_cta_url', tag: '#cta_url', type: 'url' },
]

async function makeShop(): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS, designType: 'banner', screen: 'home' })
  await ws.block('product', { fields: FIELDS, designType: 'card' })
  await ws.block('offer', { fields: FIELDS, designType: 'popup' })
  const items = { id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['product'] }
  await ws.block('shelf', { fields: [FIELDS[0], items], designType: 'carousel', screen: 'home' })
  await ws.instance('promo', { values: { '#title': 'Twenty percent off', '#cta_label': 'Shop', '#cta_url': '/offers' } })
  const product = await ws.instance('product', { values: { '#title': 'Dallah', '#cta_url': 'shop://product/1' } })
  await ws.instance('shelf', { values: { '#title': 'New in', '#items': [product.id] } })
  await ws.instance('offer', { values: { '#title': 'Welcome', '#cta_label': 'Go', '#cta_url': '/welcome' } })
  await sync(ws, { key: 'greeting', sourceText: 'Hello {name}' })
  return ws
}

/** A new visitor, who has said yes to analytics. */
async function visit(ws: Workspace): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 400, height: 700 } })
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(pageOf(ws))
  await page.waitForFunction(() => document.querySelector('#facts')?.textContent?.includes('"ready"'))
  await page.evaluate('client.identify({ consent: true })')
  return page
}

const pageOf = (ws: Workspace) => `${origin}/?${new URLSearchParams({ key: ws.live, baseUrl: `${url}/sdk/v1` })}`

/** Sends what waits, and waits until nothing does. */
async function flush(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/events') && response.ok())
  await page.evaluate('client.flush()')
  await answered
  await rollUp(operator)
}

const facts = async (page: Page): Promise<any> => JSON.parse((await page.textContent('#facts')) ?? '')

test('hooks give the delivered content and are drawn again when it changes', async () => {
  const ws = await makeShop()
  const page = await visit(ws)
  await page.waitForFunction(() => !document.querySelector('#facts')?.textContent?.includes('"greeting":"greeting"'))
  const before = await facts(page)
  assert.deepEqual([before.blocks, before.promo, before.onHome, before.greeting], [4, 'Twenty percent off', 2, 'Hello Sara'])
  assert.ok((await page.textContent('body'))?.includes('the anchor stays'))
  await page.waitForFunction(() => document.querySelector('#campaigns')?.textContent?.includes('"isLoading":false'))
  assert.deepEqual(JSON.parse((await page.textContent('#campaigns')) ?? '').campaigns, [])

  await ws.instance('promo', { priority: 9, values: { '#title': 'Thirty percent off' } })
  await page.waitForFunction(() => document.querySelector('#facts')?.textContent?.includes('Thirty percent off'))
  assert.equal(await page.locator('.cf-banner-title').textContent(), 'Thirty percent off')
  await page.context().close()
})

test('a block counts as seen when it comes into sight, once however often it does, and a press is counted and handed to the app', async () => {
  const ws = await makeShop()
  const page = await visit(ws)
  await page.waitForSelector('dialog[open]')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog', { state: 'detached' })
  await flush(page)
  assert.equal((await countsOf(ws, 'promo')).impressions, 0, 'it is below the screen')

  for (const place of ['bottom', 'top', 'bottom']) {
    await page.evaluate(`scrollTo(0, ${place === 'top' ? 0 : 'document.body.scrollHeight'})`)
    await page.waitForTimeout(300)
  }
  await page.locator('.cf-banner .cf-button').click()
  await page.locator('.cf-track .cf-cover').click()
  await flush(page)
  const [promo, shelf, product] = [await countsOf(ws, 'promo'), await countsOf(ws, 'shelf'), await countsOf(ws, 'product')]
  assert.deepEqual([promo.impressions, promo.clicks], [1, 1])
  assert.deepEqual([shelf.impressions, shelf.clicks], [1, 0])
  assert.equal(product.clicks, 1, 'the press belongs to the block in the collection')
  assert.deepEqual(await page.evaluate('followed'), ['/offers', 'shop://product/1'])
  await page.context().close()
})

test('C-LIMIT-19 a popup is a modal that Escape closes, is counted seen and closed, and does not come back the same day', async () => {
  const ws = await makeShop()
  const page = await visit(ws)
  await page.waitForSelector('dialog[open]')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Go')
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Tab')
    const place = await page.evaluate('document.activeElement === document.body || document.activeElement.closest("dialog") !== null')
    assert.ok(place, 'the focus never reaches the page behind')
  }
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog', { state: 'detached' })
  await flush(page)
  const { impressions, dismissals, clicks } = await countsOf(ws, 'offer')
  assert.deepEqual([impressions, dismissals, clicks], [1, 1, 0])

  await page.reload()
  await page.waitForFunction(() => document.querySelector('#facts')?.textContent?.includes('"ready"'))
  await page.waitForTimeout(500)
  assert.equal(await page.locator('dialog').count(), 0)
  await page.context().close()
})

test('a press beside a popup closes it, and one that began inside, to mark a text, does not', async () => {
  const ws = await makeShop()
  const page = await visit(ws)
  const title = await page.locator('dialog[open] .cf-popup-title').boundingBox()
  assert.ok(title)
  await page.mouse.move(title.x + 5, title.y + 5)
  await page.mouse.down()
  await page.mouse.move(3, 3, { steps: 3 })
  await page.mouse.up()
  assert.equal(await page.locator('dialog[open]').count(), 1)
  await page.mouse.click(3, 3)
  await page.waitForSelector('dialog', { state: 'detached' })
  await page.context().close()
})

test('following the button of a popup closes it without counting it as dismissed', async () => {
  const ws = await makeShop()
  const page = await visit(ws)
  await page.locator('dialog[open] .cf-button').click()
  await page.waitForSelector('dialog', { state: 'detached' })
  await flush(page)
  const { dismissals, clicks } = await countsOf(ws, 'offer')
  assert.deepEqual([dismissals, clicks], [0, 1])
  assert.deepEqual(await page.evaluate('followed'), ['/welcome'])
  await page.context().close()
})
