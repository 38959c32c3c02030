/** The built bundle on a page of another origin, in a real browser, against the product itself. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { countsOf, rollUp } from '../../server/test/builders/events.ts'
import { launchChromium } from '../../server/test/harness/chromium.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { startTcpProxy, type TcpProxy } from '../../server/test/harness/tcp-proxy.ts'
import { buildSdk } from './support/build.ts'
import { PATIENCE_MS, until } from '../../server/test/harness/until.ts'

const PAGE = '<!doctype html><html><head><title>shop</title><link rel="icon" href="data:,"></head><body></body></html>'

const { workspace, url, operator } = await startApp()
const folder = await buildSdk()

let browser: Browser | undefined
const site = createServer((request, response) => {
  const name = (request.url ?? '/').slice(1)
  if (name.endsWith('.js')) response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, name)))
  else response.setHeader('content-type', 'text/html').end(PAGE)
})
site.listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
after(async () => {
  await browser?.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})

type Shop = { ws: Workspace; proxy: TcpProxy; context: BrowserContext; open(more?: string): Promise<Page> }

/** A workspace with a block, a network that can be cut, and pages that run the client. */
async function shop(t: { after(run: () => Promise<void>): void }): Promise<Shop> {
  browser ??= await launchChromium()
  const ws = await workspace()
  await ws.block('promo')
  const { hostname, port } = new URL(url)
  const proxy = await startTcpProxy(hostname, Number(port))
  const context = await browser.newContext()
  t.after(async () => {
    await context.close()
    await proxy.close()
  })
  const options = JSON.stringify({ key: ws.live, baseUrl: `http://127.0.0.1:${proxy.port}/sdk/v1`, platform: 'web' })
  /** `more` are members of the options, written as a script. */
  const open = async (more = '') => {
    const page = await context.newPage()
    await page.goto(origin)
    await page.evaluate(`import('/index.js').then(({ createClient }) => {
      window.heard = []
      window.client = createClient({ ...${options}, ${more} })
      for (const name of ['error', 'offline', 'online', 'rejected', 'dropped']) client.on(name, (value) => heard.push(name))
      client.start()
      window.atOnce = client.blocks().length
    })`)
    return page
  }
  return { ws, proxy, context, open }
}

const run = (page: Page, script: string): Promise<any> => page.evaluate(script)
const holds = (page: Page, script: string) => page.waitForFunction(script, undefined, { timeout: PATIENCE_MS })

test('C-STREAM-09 C-HDR-12 a page sees what is published through the stream, loses the network, and catches up when it is back', async (t) => {
  const { ws, proxy, context, open } = await shop(t)
  let streams = 0
  context.on('request', (request) => void (streams += Number(request.url().endsWith('/stream') && request.method() === 'GET')))
  const page = await open()
  await holds(page, `client.snapshot().status === 'ready'`)
  await until('a stream', () => streams === 1)
  const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
  await holds(page, `client.block('promo')?.values['#title'] === 'one'`)
  proxy.cut()
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'two' } }), 200)
  await run(page, 'client.sync().catch(() => {})')
  await holds(page, `client.snapshot().status === 'offline'`)
  assert.equal(await run(page, `client.block('promo').values['#title']`), 'one')
  proxy.join()
  await holds(page, `client.block('promo').values['#title'] === 'two'`)
  assert.deepEqual(await run(page, 'heard'), ['offline', 'online'])
  // The stream is back as well.
  await until('a second stream', () => streams === 2)
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': 'three' } }), 200)
  await holds(page, `client.block('promo').values['#title'] === 'three'`)
})

test('events tracked offline arrive once when the browser is online again, also over a reload of the page', async (t) => {
  const { ws, context, open } = await shop(t)
  await ws.instance('promo')
  const page = await open()
  await run(page, `client.identify({ consent: true, userId: 'sara' })`)
  await holds(page, `client.block('promo')`)
  await context.setOffline(true)
  await run(page, `for (let i = 0; i < 7; i++) { client.setScreen('s' + i); client.impression(client.block('promo')) }`)
  await run(page, 'client.flush()')
  assert.equal(await run(page, 'client.pending()'), 7)
  await context.setOffline(false)
  await holds(page, 'client.pending() === 0')
  await run(page, `client.setScreen('last'); client.impression(client.block('promo'))`)
  await page.close()
  const again = await open()
  await holds(again, `client.snapshot().status === 'ready' && client.pending() === 0`)
  await rollUp(operator)
  assert.equal((await countsOf(ws, 'promo')).impressions, 8)
})

test('when the browser says that the network is back, what failed is tried again without waiting', async (t) => {
  const { context, open } = await shop(t)
  // Its timers never end, so nothing but the word of the browser brings another attempt.
  const page = await open('stream: false, schedule: () => () => {}')
  await holds(page, `client.snapshot().status === 'ready'`)
  await context.setOffline(true)
  await run(page, 'client.sync().catch(() => {})')
  await holds(page, `client.snapshot().status === 'offline'`)
  await context.setOffline(false)
  await holds(page, `client.snapshot().status === 'ready'`)
})

test('a page shows what it knew at once, before anything is answered, and without a network at all', async (t) => {
  const { ws, proxy, open } = await shop(t)
  await ws.instance('promo', { values: { '#title': 'kept' } })
  const page = await open()
  await holds(page, `client.block('promo')`)
  const device = await run(page, 'client.snapshot().deviceId')
  await page.close()
  proxy.cut()
  const again = await open()
  assert.deepEqual(await run(again, '[atOnce, client.snapshot().deviceId, client.block("promo").values["#title"]]'), [1, device, 'kept'])
  await holds(again, `client.snapshot().status === 'offline'`)
  assert.equal(await run(again, `client.blocks('promo').length`), 1)
})

test('C-OUT-04 a person who logs out in one tab is gone from the other, and comes back with identify', async (t) => {
  const { ws, open } = await shop(t)
  expectStatus(
    await ws.admin.post('/segments', {
      name: 'Gold',
      logicalOperator: 'AND',
      rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }],
    }),
    201,
  )
  await ws.instance('promo', { values: { '#title': 'gold' }, seg: 'Gold' })
  const first = await open()
  const identify = `client.identify({ consent: true, userId: 'sara', traits: { plan: 'gold' } })`
  await run(first, identify)
  await holds(first, `client.blocks().length === 1`)
  const second = await open()
  await holds(second, `client.snapshot().userId === 'sara' && client.blocks().length === 1`)
  await run(second, 'client.logout()')
  await holds(first, `client.snapshot().userId === undefined && client.blocks().length === 0`)
  await run(first, identify)
  await holds(second, `client.snapshot().userId === 'sara' && client.blocks().length === 1`)
})
