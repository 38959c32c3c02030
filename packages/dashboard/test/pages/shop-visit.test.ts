/** The first seconds of a visit to the demo shop: what is seen while answers are still on their way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../server/test/harness/until.ts'
import { openDemo } from '../support/demo.ts'

const { browser, printed } = await openDemo()

type Gate = { open(): void; isOpen: Promise<void> }
function gate(): Gate {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  return { open, isOpen }
}

test('C-STR-33 the first page is the right way round, without keys for texts, and asks only when it can', async () => {
  const visitor = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'ar-SA' })
  const page = await visitor.newPage()
  const [texts, questions] = [gate(), gate()]
  await page.route('**/sdk/v1/strings*', async (route) => {
    await texts.isOpen
    await route.continue()
  })
  await page.route('**/consent/config/**', async (route) => {
    await questions.isOpen
    await route.continue()
  })
  await page.addInitScript(() => {
    const seen = { ways: new Set<string>(), words: '' }
    const look = () => {
      const bar = document.querySelector('.tab-bar')
      if (bar) seen.ways.add(document.documentElement.dir)
      seen.words += document.body?.innerText ?? ''
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(globalThis, { seen })
  })
  await page.goto(printed('Demo shop'))
  await page.locator('.cf-hero').first().waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'nothing to decide yet')
  texts.open()
  await page.locator('.tab-bar').getByText('الرئيسية').waitFor()
  const [ways, words] = await page.evaluate(() => {
    const { ways, words } = (globalThis as unknown as { seen: { ways: Set<string>; words: string } }).seen
    return [[...ways], words] as const
  })
  assert.deepEqual(ways, ['rtl'])
  assert.doesNotMatch(words, /app\.tab/)

  questions.open()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').first().waitFor()
  const ticked = () => dialog.locator('input:checked:enabled').count()
  await page.keyboard.press('Space')
  assert.equal(await ticked(), 0, 'a key that was meant for the page agrees to nothing')
  await visitor.close()
})

test('a view of the shop asks for content, texts and messages once each, and opens one stream', async () => {
  const visitor = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
  const page = await visitor.newPage()
  let asked: string[] = []
  page.on('request', (request) => {
    const [, path] = /\/sdk\/v1\/([\w/]+)/.exec(request.url()) ?? []
    if (path) asked.push(path)
  })
  await page.goto(printed('Demo shop'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').first().waitFor()
  await until('the stream is open', () => asked.includes('stream'))
  // Whatever an opened stream causes is asked for at once.
  await page.waitForTimeout(1_000)
  assert.deepEqual(asked.toSorted(), ['campaigns', 'consent/config/retail_ksa', 'stream', 'strings', 'sync'])
  await dialog.getByRole('button', { name: 'Accept all' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForTimeout(1_000)
  asked = []
  await page.reload()
  await page.locator('.cf-hero').first().waitFor()
  await until('the stream is open', () => asked.includes('stream'))
  await page.waitForTimeout(1_000)
  assert.deepEqual(asked.toSorted(), ['campaigns', 'stream', 'strings', 'sync'])
  await visitor.close()
})
