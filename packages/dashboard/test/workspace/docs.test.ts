/** The API reference, from which requests are sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { openDashboard } from '../support/browser.ts'

const { page, context, url, ws, openDevice, expectAccessible, expectFits, inWidth, shot } = await openDashboard()

const open = async (method: string, path: string, at = page): Promise<Locator> => {
  const operation = at.locator(`details[data-method="${method}"][data-path="${path}"]`)
  await operation.locator('summary').click()
  await operation.getByRole('button', { name: 'Try it' }).click()
  return operation.getByRole('form')
}
const send = (form: Locator) => form.getByRole('button', { name: 'Send' }).click()
const bodyOf = (form: Locator) => form.getByLabel('Body of the answer')

test('a request is sent with one’s own key, its answer shown as text, and the same line of curl copied', async () => {
  await page.goto(`${url}/docs`)
  const form = await open('get', '/sdk/v1/blocks/{key}')
  await form.getByLabel('X-CF-Key', { exact: true }).fill(ws.live)
  await send(form)
  assert.equal(await form.getByLabel('key (path, required)').evaluate((input: HTMLInputElement) => input.validity.valueMissing), true)
  await form.getByLabel('key (path, required)').fill('<img src=x onerror=alert(1)>')
  await send(form)
  await form.getByText(/^404 .* ms$/).waitFor()
  await form.getByLabel('key (path, required)').fill('home_hero')
  await send(form)
  await form.getByText(/^200 OK · \d+ ms$/).waitFor()
  assert.match((await form.getByLabel('Headers of the answer').textContent()) ?? '', /x-cf-env: live/)
  assert.equal(JSON.parse((await bodyOf(form).textContent()) ?? '').success, true)
  await form.getByRole('button', { name: 'Copy curl' }).click()
  await form.getByText('Copied').waitFor()
  const line = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(line, `curl -X GET '${url}/sdk/v1/blocks/home_hero' \\\n  -H "X-CF-Key: $X_CF_KEY"`)
  await expectAccessible()
  await expectFits()
  await shot('docs-try', { theme: 'dark' })
  await inWidth(390)
  await expectFits()
  await expectAccessible()
  await inWidth(1440)
})

test('the session of the dashboard is used where no token is typed, and the body begins as the example', async () => {
  const form = await open('post', '/api/v1/segments')
  await form.getByLabel('X-Tenant-Id').fill(ws.id)
  const body = form.getByLabel('Body (application/json)')
  assert.ok(JSON.parse(await body.inputValue()).rules)
  const segment = { name: 'Tried', logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }
  await body.fill(JSON.stringify(segment))
  await send(form)
  await form.getByText(/^201 /).waitFor()
  await body.fill('{')
  await send(form)
  await form.getByText(/^400 /).waitFor()
  assert.match((await form.getByLabel('The same with curl').textContent()) ?? '', /Bearer \$TOKEN/)
})

test('a stream is shown as it arrives and can be stopped', async () => {
  const form = await open('get', '/sdk/v1/stream')
  assert.equal(await form.getByLabel('X-CF-Key', { exact: true }).inputValue(), ws.live, 'typed once for the tab')
  await send(form)
  await bodyOf(form).getByText(/./).waitFor()
  await form.getByRole('button', { name: 'Stop' }).click()
  await form.getByText('· stopped').waitFor()
})

test('nothing outlives the tab, no session is no access, and without the script the page is whole', async () => {
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('cf.docs'))), [])
  const other = await context.newPage()
  await other.goto(`${url}/docs`)
  const again = await open('get', '/sdk/v1/stream', other)
  assert.equal(await again.getByLabel('X-CF-Key', { exact: true }).inputValue(), '')
  await other.close()
  const stranger = await openDevice()
  await stranger.page.goto(`${url}/docs`)
  const form = await open('get', '/api/v1/segments', stranger.page)
  await form.getByLabel('X-Tenant-Id').fill(ws.id)
  await send(form)
  await form.getByText(/^401 /).waitFor()
  await stranger.page.route('**/docs-try.js', (route) => route.abort())
  await stranger.page.reload()
  await stranger.page.locator('details[data-path="/api/v1/segments"]').first().locator('summary').click()
  assert.equal(await stranger.page.getByRole('button', { name: 'Try it' }).count(), 0)
})
