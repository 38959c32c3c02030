/** A page of a folder beside the tests, built as an app builds its own, on a server and with a browser; all of it ends with the tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { launchChromium } from '../../../server/test/harness/chromium.ts'

const TYPES: { [extension: string]: string } = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** `folder`: its name, such as `react-page`. `origin`: where the page is served. */
export async function openBuiltPage(folder: string): Promise<{ origin: string; browser: Browser }> {
  const built = mkdtempSync(join(tmpdir(), `contentflow-${folder}-`))
  await build({
    root: fileURLToPath(new URL(`../${folder}/`, import.meta.url)),
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['module', 'browser', 'development|production'] },
    build: { outDir: built, emptyOutDir: true },
  })
  const site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(built, pathname === '/' ? 'index.html' : pathname)
    if (!existsSync(file)) return void response.writeHead(404).end()
    return void response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  const browser = await launchChromium()
  after(async () => {
    await browser.close()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
    rmSync(built, { recursive: true })
  })
  return { origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}`, browser }
}
