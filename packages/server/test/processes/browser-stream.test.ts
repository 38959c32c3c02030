/** A real browser on another origin: EventSource with the key in the query, and fetch across origins. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { expectStatus } from '../builders/builders.ts'
import { startApp } from '../harness/start-app.ts'
import { startTcpProxy } from '../harness/tcp-proxy.ts'
import { launchChromium } from '../harness/chromium.ts'
import { PATIENCE_MS } from '../harness/until.ts'

const { workspace, url } = await startApp()

/** What a page of some shop would do: listen, and read again on every signal. Runs in the browser. */
const PAGE = `<!doctype html><title>shop</title><script>
window.signals = []
window.errors = []
window.listen = (address) => new Promise((resolve, reject) => {
  const source = new EventSource(address)
  window.source = source
  source.onopen = () => resolve(source.readyState)
  source.onerror = () => { window.errors.push(source.readyState); reject(new Error('the stream did not open')) }
  for (const name of ['block.published', 'block.updated', 'block.unpublished', 'config.updated'])
    source.addEventListener(name, (event) => window.signals.push({ name, id: event.lastEventId, data: event.data }))
})
window.read = async (address, headers) => {
  const response = await fetch(address, { headers })
  const names = ['x-cf-env', 'etag', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after']
  return { status: response.status, headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name)])), body: await response.json() }
}
</script>`

let browser: Browser | undefined
const site = createServer((_request, response) => void response.setHeader('content-type', 'text/html').end(PAGE))
after(async () => {
  await browser?.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})

/** A page whose origin is not the server's. */
async function openPage(): Promise<Page> {
  if (!site.listening) {
    site.listen(0, '127.0.0.1')
    await new Promise((resolve) => site.once('listening', resolve))
  }
  browser ??= await launchChromium()
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  return page
}

const run = (page: Page, script: string): Promise<any> => page.evaluate(script)
const call = (name: string, ...values: unknown[]) => `${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`

test('C-STREAM-01 C-AUTH-29 C-HDR-11 C-HDR-12 a browser hears a publish through EventSource and reads the new content and X-CF-Env from another origin', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const page = await openPage()
  const address = `${url}/sdk/v1/sync`
  const headers = { 'X-CF-Key': ws.live, 'X-CF-Device': 'a-browser', 'X-CF-Session-Id': 's', 'X-CF-SDK-Version': 'js/1.0.0' }
  const before = await run(page, call('read', address, headers))
  assert.deepEqual([before.status, before.body.data.blocks, before.headers['x-cf-env']], [200, [], 'live'])
  assert.match(before.headers.etag, /^".+"$/)
  assert.equal(before.headers['x-ratelimit-limit'], '1000')

  assert.equal(await run(page, call('listen', `${url}/sdk/v1/stream?key=${ws.live}`)), 1)
  const { id } = await ws.instance('promo', { values: { '#title': 'Hello, browser' } })
  await page.waitForFunction('signals.length === 1')
  const [signal] = await run(page, 'signals')
  assert.deepEqual([signal.name, signal.data], ['block.published', '{}'])
  assert.match(signal.id, /^\d+$/)

  const fresh = await run(page, call('read', address, { ...headers, 'If-None-Match': before.headers.etag }))
  assert.equal(fresh.status, 200)
  assert.deepEqual(
    fresh.body.data.blocks.map((block: any) => [block.instanceId, block.values]),
    [[id, { '#title': 'Hello, browser' }]],
  )
  const testing = await run(page, call('read', address, { 'X-API-Key': ws.test, 'Accept-Language': 'ar' }))
  assert.equal(testing.headers['x-cf-env'], 'test')
  const refused = await run(page, call('read', address, { 'X-CF-Key': 'bad' }))
  assert.deepEqual([refused.status, refused.body.code], [401, 'INVALID_SDK_KEY'])
  await page.close()
})

test('C-STREAM-05 a browser whose stream is cut comes back by itself with its last id and is told what it missed', async (t) => {
  const ws = await workspace()
  await ws.block('promo')
  const { hostname, port } = new URL(url)
  const proxy = await startTcpProxy(hostname, Number(port))
  t.after(() => proxy.close())
  const page = await openPage()
  await run(page, call('listen', `http://127.0.0.1:${proxy.port}/sdk/v1/stream?key=${ws.live}`))
  const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
  await page.waitForFunction('signals.length === 1')
  proxy.cut()
  await page.waitForFunction('source.readyState === 0')
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'two' } }), 200)
  proxy.join()
  await page.waitForFunction('signals.length === 2', undefined, { timeout: PATIENCE_MS })
  const signals = await run(page, 'signals')
  assert.equal(signals[1].name, 'block.updated')
  assert.ok(Number(signals[1].id) > Number(signals[0].id))
  await page.close()
})

test('a browser is refused for good when its key is: the stream closes and does not come back', async () => {
  const ws = await workspace()
  const page = await openPage()
  await assert.rejects(run(page, call('listen', `${url}/sdk/v1/stream?key=${ws.id}_cfpk${'0'.repeat(40)}`)), /did not open/)
  assert.equal(await run(page, 'source.readyState'), 2)
  await page.close()
})
