/** The client as a script, from the server itself: a page without a bundler, and one that holds it to its hash. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { launchChromium } from '../../../server/test/harness/chromium.ts'
import { startApp } from '../../../server/test/harness/start-app.ts'

const { workspace, url } = await startApp()
const browser = await launchChromium()
after(() => browser.close())

/** A page of another origin than the server. */
async function pageWith(script: string, body: string): Promise<string> {
  const html = `<!doctype html><html lang="en"><title>Page</title><p id="out"></p>${script}<script>${body}</script></html>`
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html)).listen(0, '127.0.0.1')
  await new Promise((resolve) => site.once('listening', resolve))
  after(() => site.close())
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
}

/** The element that /docs shows, with the address of this server. */
async function elementOfDocs(): Promise<string> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/docs`)
  const element = (await page.locator('#client-script pre').textContent()) ?? ''
  await page.close()
  return element.replace('https://YOUR-SERVER', url)
}

test('a page loads the client from the server, held to its hash, and shows what is delivered', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'Sale begins' } })
  const use = `
    const client = ContentFlow.createClient({ key: ${JSON.stringify(ws.live)}, baseUrl: '${url}/sdk/v1' })
    client.subscribe(() => {
      const promo = client.block('promo')
      if (promo) document.getElementById('out').textContent = ContentFlow.textOf(promo, '#title')
    })
    client.start()`
  const element = await elementOfDocs()
  assert.match(element, /integrity="sha384-[\w+/]{64}" crossorigin="anonymous"/)
  for (const script of [element, `<script src="${url}/sdk/contentflow.js"></script>`]) {
    const page = await (await browser.newContext()).newPage()
    await page.goto(await pageWith(script, use))
    await page.getByText('Sale begins').waitFor()
  }
})

test('a script that is not the one of the hash does not run', async () => {
  const page = await (await browser.newContext()).newPage()
  const wrong = (await elementOfDocs()).replace(/sha384-.{4}/, 'sha384-AAAA')
  await page.goto(await pageWith(wrong, `document.getElementById('out').textContent = typeof ContentFlow`))
  await page.getByText('undefined').waitFor()
})
