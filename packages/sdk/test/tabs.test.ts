/** Many tabs of one site, in a real browser, on a server that speaks HTTP/1.1: six connections, and one stream. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { launchChromium } from '../../server/test/harness/chromium.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { PATIENCE_MS, until } from '../../server/test/harness/until.ts'
import { buildSdk } from './support/build.ts'

const TABS = 7
const PAGE = '<!doctype html><html><head><title>shop</title><link rel="icon" href="data:,"></head><body></body></html>'

const { workspace, url } = await startApp()
const folder = await buildSdk()
let browser: Browser | undefined
const site = createServer((request, response: ServerResponse) => {
  const name = (request.url ?? '/').slice(1)
  if (name.endsWith('.js')) response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, name)))
  else response.setHeader('content-type', 'text/html').end(PAGE)
})
site.listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
const { port } = site.address() as AddressInfo
after(async () => {
  await browser?.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})

type Site = { tabs: Page[]; streams: Set<Page>; publish(title: string): Promise<void> }

/** Seven tabs of a site, all of them looked at, with a client in each. */
async function openSite(t: { after(run: () => Promise<void>): void }, host: string): Promise<Site> {
  browser ??= await launchChromium('--host-resolver-rules=MAP shop.test 127.0.0.1')
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
  const context = await browser.newContext()
  t.after(() => context.close())
  const streams = new Set<Page>()
  const tabs: Page[] = []
  for (let i = 0; i < TABS; i++) {
    const page = await context.newPage()
    const isStream = (request: { url(): string; method(): string }) => request.url().endsWith('/stream') && request.method() === 'GET'
    page.on('request', (request) => void (isStream(request) && streams.add(page)))
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => void (isStream(request) && streams.delete(page)))
    page.on('close', () => void streams.delete(page))
    await page.goto(`http://${host}:${port}`)
    await page.evaluate(`import('/index.js').then(({ createClient }) => {
      window.titles = []
      window.client = createClient({ key: ${JSON.stringify(ws.live)}, baseUrl: ${JSON.stringify(`${url}/sdk/v1`)} })
      client.subscribe(() => titles.push(client.block('promo')?.values['#title']))
      client.start()
    })`)
    tabs.push(page)
  }
  const publish = async (title: string) => {
    expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#title': title } }), 200)
  }
  return { tabs, streams, publish }
}

const shows = (tabs: readonly Page[], title: string) =>
  Promise.all(
    tabs.map((page) => page.waitForFunction(`client.block('promo')?.values['#title'] === '${title}'`, undefined, { timeout: PATIENCE_MS })),
  )

// A page without TLS has no locks, unless it comes from this machine; under another name it does not seem to.
for (const [host, what] of [
  ['127.0.0.1', 'locks'],
  ['shop.test', 'a note in storage'],
] as const) {
  test(`C-STREAM-09 seven tabs of a site have one stream, by ${what}; when its tab closes another takes over, and nothing is lost`, async (t) => {
    const { tabs, streams, publish } = await openSite(t, host)
    assert.equal(await tabs[0]?.evaluate(`isSecureContext`), host === '127.0.0.1')
    await shows(tabs, 'one')
    await until('one stream', () => streams.size === 1)
    await publish('two')
    await shows(tabs, 'two')
    // The seventh tab gets answers: with seven streams there would be no connection left.
    for (const page of tabs) await page.evaluate('client.sync()')
    assert.equal(streams.size, 1)

    const [leader] = streams
    assert.ok(leader)
    await leader.close()
    const others = tabs.filter((page) => page !== leader)
    await publish('three')
    await shows(others, 'three')
    await until('another stream', () => streams.size === 1)
    await publish('four')
    await shows(others, 'four')
    assert.equal(streams.size, 1)

    await Promise.all(others.map((page) => page.evaluate('client.stop()')))
    await until('none', () => streams.size === 0)
  })
}
