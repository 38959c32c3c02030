/** The panel for developers, and the option `debug`, in a real browser on a real server. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expectStatus, type Workspace } from '../../../server/test/builders/builders.ts'
import { startApp } from '../../../server/test/harness/start-app.ts'
import { until } from '../../../server/test/harness/until.ts'
import { openBuiltPage } from '../support/built-page.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const { workspace, url } = await startApp()
const { origin, browser } = await openBuiltPage('devtools-page')

async function makeWorkspace(): Promise<Workspace> {
  const ws = await workspace()
  await ws.block('promo')
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)
  await ws.instance('promo', { values: { '#title': 'all' } })
  await ws.instance('promo', { values: { '#title': 'gold' }, seg: 'Gold' })
  return ws
}

async function visit(ws: Workspace, more: Record<string, string> = {}): Promise<{ page: Page; said: string[]; files: string[] }> {
  const page = await (await browser.newContext()).newPage()
  const said: string[] = []
  const files: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('request', (request) => files.push(new URL(request.url()).pathname))
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(`${origin}/?${new URLSearchParams({ key: ws.live, baseUrl: `${url}/sdk/v1`, ...more })}`)
  await page.waitForFunction('client.snapshot().status === "ready"')
  return { page, said, files }
}

test('the panel shows what the client knows, why each block is there, and what is sent; by keyboard, under a strict policy', async () => {
  const ws = await makeWorkspace()
  const { page, said } = await visit(ws)
  await page.evaluate('open()')
  const button = page.getByRole('button', { name: 'ContentFlow' })
  const panel = page.getByRole('region', { name: 'ContentFlow, for developers' })
  assert.equal(await button.getAttribute('aria-expanded'), 'false')
  assert.equal(await panel.isVisible(), false)
  await button.focus()
  await page.keyboard.press('Enter')
  await panel.waitFor()
  await page.evaluate('client.identify({ consent: true, userId: "sara", traits: { plan: "gold" } })')
  await panel.getByRole('row', { name: /promo .* for the segment Gold/ }).waitFor()
  await panel.getByRole('row', { name: /promo .* for everyone/ }).waitFor()
  const facts = (await panel.locator('dl').textContent()) ?? ''
  for (const fact of ['Statusready', 'Environmentlive', 'Personsara', 'Consentgranted', 'SegmentsGold'])
    assert.ok(facts.includes(fact), facts)
  assert.ok(!facts.includes(ws.live), 'the key is not shown whole')
  await page.evaluate('client.track("video_play")')
  await panel.getByRole('listitem').filter({ hasText: 'event video_play' }).first().waitFor()
  await until('the stream', async () => ((await panel.locator('dl').textContent()) ?? '').includes('Streamopen'))
  const log = page.getByRole('log', { name: 'What the client did' })
  assert.match((await log.textContent()) ?? '', /POST \/identify/)
  // Styles of the panel hold under a policy without inline styles.
  assert.equal(await button.evaluate((element) => getComputedStyle(element).borderRadius), '999px')
  assert.deepEqual(
    said.filter((line) => /Content Security Policy/.test(line)),
    [],
  )
  await page.evaluate(AXE)
  assert.deepEqual(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))'), [])
  await log.focus()
  await page.keyboard.press('Escape')
  assert.equal(await panel.isVisible(), false)
  assert.equal(await page.evaluate('document.activeElement.shadowRoot.activeElement.textContent'), 'ContentFlow')
  // Opened twice it is one, and it goes when it is told to.
  await page.evaluate('Promise.all([open(), open()]).then(([close]) => close())')
  assert.equal(await page.locator('contentflow-devtools').count(), 0)
})

test('debug tells in the console what the client does, from a file that is loaded for it alone', async () => {
  const ws = await makeWorkspace()
  const quiet = await visit(ws)
  assert.deepEqual(
    [...quiet.said.filter((line) => line.includes('ContentFlow')), ...quiet.files.filter((file) => file.includes('debug'))],
    [],
  )
  const { page, said, files } = await visit(ws, { debug: '' })
  assert.equal(files.filter((file) => file.includes('debug')).length, 1)
  await page.evaluate('client.identify({ consent: true, userId: "sara@example.com", traits: { plan: "gold" } })')
  await until('the lines', () => said.some((line) => /ContentFlow: → POST \/identify/.test(line)))
  await until('the blocks', () => said.some((line) => /ContentFlow: {3}promo .*: for the segment Gold/.test(line)))
  assert.doesNotMatch(said.join('\n'), /sara@example\.com/)
})
