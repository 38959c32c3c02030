/**
 * The day that docs/marketers-day.md tells, done as it tells it. With `CF_PICTURES=1` its pictures are drawn anew, into
 * docs/pictures: CF_PICTURES=1 npm run test:only -- packages/dashboard/test/messages/marketers-day.test.ts
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { rollUp, track } from '../../../server/test/builders/events.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { users } from '../../../server/test/builders/imports.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'
import type { View } from '../support/view.ts'

const PICTURES = fileURLToPath(new URL('../../../../docs/pictures', import.meta.url))

const dashboard = await openDashboard()
const { app, page, goto, admin, ws, openAs } = dashboard
const segments = JSON.parse(readFileSync(new URL('../../../../examples/shop/segments.json', import.meta.url), 'utf8')) as object[]
for (const segment of segments) expectStatus(await admin.post('/segments', segment), 201)
await (await openEmail()).connect(admin)
await addPeople(ws, ['sara', 'omar', 'lina'])
await users(ws, 'huda')
expectStatus(await admin.put('/users/omar/opt-out', { optedOut: true }), 200)
const editor = await openAs('editor', { name: 'Noura' })

const button = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name, exact: typeof name === 'string' })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const dialog = (at: Page = page) => at.getByRole('dialog')
const field = (name: string, at: Page = page) => at.getByRole('textbox', { name, exact: true })

/** The window as it stands, in both languages. `top`: what is to be in sight. */
async function picture(view: View, name: string, top?: (at: Page) => Locator): Promise<void> {
  if (process.env['CF_PICTURES'] !== '1') return
  mkdirSync(PICTURES, { recursive: true })
  const devtools = await view.context.newCDPSession(view.page)
  await view.page.setViewportSize({ width: 1200, height: 800 })
  for (const [language, switchTo] of [
    ['ar', view.inArabic],
    ['en', view.inEnglish],
  ] as const) {
    await switchTo()
    await view.page.waitForLoadState('networkidle')
    await view.page.evaluate(() => document.fonts.ready)
    if (top) await top(view.page).scrollIntoViewIfNeeded()
    else await view.page.evaluate(() => scrollTo(0, 0))
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
    writeFileSync(`${PICTURES}/${name}.${language}.webp`, Buffer.from(data, 'base64'))
  }
  await devtools.detach()
  await view.page.setViewportSize({ width: 1440, height: 900 })
}

test('content is filled in two languages, aimed, and published to test apps and then to live ones', async () => {
  await goto('/content')
  await page.getByRole('link', { name: 'Hero / Winter edit' }).first().click()
  await field('Headline (English)').fill('Warm layers are here')
  await field('Headline (Arabic)').fill('طبقات دافئة وصلت')
  await page.getByRole('radio', { name: 'A segment' }).check()
  await page.getByRole('combobox', { name: 'Segment' }).click()
  await page.getByRole('option', { name: 'Riyadh' }).click()
  await picture(dashboard, 'editor')
  for (const where of ['test', 'live']) {
    await button('Publish').click()
    await page.getByRole('menuitem', { name: new RegExp(`^Publish.* to ${where} apps`) }).click()
    await dialog()
      .getByRole('button', { name: /^Publish/ })
      .last()
      .click()
    await page.getByText(`Published to ${where} apps`, { exact: true }).first().waitFor()
    await dialog().waitFor({ state: 'detached' })
  }
})

test('a segment is of whoever did something, and what apps report is a catalogue', async () => {
  await identify(ws.app, 'sara-phone', 'sara')
  const purchases = [120, 180].map((total) => ({ type: 'purchase', properties: { total, currency: 'SAR' } }))
  await track(ws.app, 'sara-phone', purchases)
  await rollUp(app.operator)
  await goto('/segments/new')
  await field('Name').fill('Good buyers')
  await button('Did something').click()
  await button('Remove empty condition').click()
  const did = page.getByRole('group', { name: 'Did something' })
  await did.getByRole('combobox', { name: 'Type of event' }).fill('purchase')
  await did.getByRole('combobox', { name: 'How often' }).selectOption('greater_than_or_equal')
  await button('With a property', did).click()
  await did.getByRole('textbox', { name: 'Property' }).fill('total')
  await did.getByRole('textbox', { name: 'Value' }).fill('100')
  await page.getByRole('status').filter({ hasText: '1' }).first().waitFor()
  await picture(dashboard, 'did')
  await button('Create segment').click()
  await page.getByRole('heading', { name: 'Good buyers' }).waitFor()
  await goto('/events')
  await page.getByRole('link', { name: 'purchase' }).first().waitFor()
})

test('a campaign is written by one person and approved by another, and its report says who got nothing and why', async () => {
  const { page: at } = editor
  await editor.goto('/campaigns')
  await at.getByRole('link', { name: 'New campaign' }).first().click()
  await at.getByRole('textbox', { name: /^Name/ }).fill('Weekend')
  await at.getByText('Email', { exact: true }).click()
  await at.getByText(/^In-app/).click()
  await field('Title', at).fill('A fifth off')
  await field('Text', at).fill('Until Saturday.')
  await at.getByRole('tab', { name: /^Arabic/ }).click()
  await field('Title', at).fill('خصم الخُمس')
  await field('Text', at).fill('حتى السبت.')
  await at.getByRole('radio', { name: 'Everyone' }).check()
  await button('Save draft', at).click()
  await said('Draft saved', at)
  await button('Submit for review', at).click()
  await button('Submit for review', dialog(at)).click()
  await said('You submitted this, so another approver must approve it.', at)

  await goto('/campaigns?status=pending_review')
  await page.getByRole('link', { name: 'Weekend' }).click()
  await said(/Submitted by Noura/)
  await picture(dashboard, 'review')
  await button('Approve').click()
  await dialog().getByRole('radio', { name: 'Approve and launch' }).check()
  await button('Approve and launch', dialog()).click()
  await said('Campaign approved')
  await page.getByRole('tab', { name: 'Report' }).click()
  await said('Opted out of all messages')
  await page.getByText('Campaign approved').waitFor({ state: 'detached' })
  await picture(dashboard, 'report')
})

test('a journey from a template is tried before it runs', async () => {
  await goto('/journeys/new?template=welcome')
  await button('Save draft').click()
  await page.waitForURL(/journeys\/[0-9a-f-]{36}/)
  await goto(`${new URL(page.url()).pathname.replace(/^\/w\/[^/]+/, '')}?tab=try`)
  for (const person of ['sara', 'huda']) {
    await page.getByRole('combobox', { name: 'Add a person' }).fill(person)
    await page
      .getByRole('option', { name: new RegExp(person) })
      .first()
      .click()
  }
  await button('Try it').click()
  await said('People: 2. After 30 days:')
  await picture(dashboard, 'try-it', (at) => at.getByRole('table').last())
})

test('a file is checked against the people there are, imported, and rolled back', async () => {
  await goto('/data')
  await page.getByRole('link', { name: 'Import a file' }).first().click()
  const csv = 'Customer ID,Tier,Points\nsara,gold,1200\nomar,silver,300\nnobody,gold,5\n,gold,1\n'
  await page.locator('input[type=file]').setInputFiles({ name: 'tiers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await said('4 rows')
  await button('Send and check').click()
  await page.getByRole('heading', { name: 'What would happen' }).waitFor()
  await picture(dashboard, 'import')
  await button(/^Import for 2 people/).click()
  await said(/2 people have 4 new values/)
  await goto('/data')
  await button(/^Actions for tiers\.csv/).click()
  await page.getByRole('menuitem', { name: 'Roll back' }).click()
  await dialog().getByRole('button', { name: 'Roll back' }).click()
  await said('Import rolled back')
})

test('a funnel says how far people come', async () => {
  for (const [user, steps] of [
    ['omar', ['product_viewed', 'cart_add']],
    ['lina', ['product_viewed']],
    ['sara', ['product_viewed', 'cart_add', 'purchase']],
  ] as const) {
    await identify(ws.app, `${user}-phone`, user)
    const events = steps.map((type) => ({ type }))
    await track(ws.app, `${user}-phone`, events)
  }
  await rollUp(app.operator)
  await goto('/analysis?view=funnel')
  await button('Add a step').click()
  for (const [index, type] of ['product_viewed', 'cart_add', 'purchase'].entries()) {
    await page
      .getByLabel(`Step ${index + 1}`, { exact: true })
      .first()
      .click()
    await page.getByRole('option', { name: type, exact: true }).click()
  }
  await button('Show').click()
  await page.getByRole('table', { name: 'Funnels' }).getByText('66.7%').first().waitFor()
  await picture(dashboard, 'funnel')
})

test('the two guides show the same pictures, and each picture is there and small', () => {
  const shown = (file: string) =>
    [...readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8').matchAll(/\]\(pictures\/([\w.-]+)\)/g)].map(
      ([, name = '']) => name,
    )
  const english = shown('marketers-day.md')
  assert.equal(english.length, 7)
  assert.deepEqual(
    shown('marketers-day.ar.md'),
    english.map((name) => name.replace('.en.', '.ar.')),
  )
  for (const name of [...english, ...shown('marketers-day.ar.md')]) assert.ok(readFileSync(`${PICTURES}/${name}`).length < 120_000, name)
})
