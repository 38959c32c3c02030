/** The pages of docs/first-app.md, and the programs of docs/app, as they stand there, in a browser: from a key to a block on the screen. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { sync as syncStrings } from '../../server/test/builders/strings.ts'
import { launchChromium } from '../../server/test/harness/chromium.ts'
import { startApp } from '../../server/test/harness/start-app.ts'

const GUIDE = readFileSync(new URL('../../../docs/first-app.md', import.meta.url), 'utf8')
const SDK = fileURLToPath(new URL('../src', import.meta.url))
const codeOf = (language: string) => new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(GUIDE)?.[1] ?? assert.fail(language)

/** The program of a page of docs/app that names this file. */
function programOf(page: string, file: string): string {
  const text = readFileSync(new URL(`../../../docs/app/${page}`, import.meta.url), 'utf8')
  return (
    new RegExp(`^\`\`\`tsx?\\n(// ${file.replaceAll('.', '\\.')}\\n[^]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? assert.fail(`${page}: ${file}`)
  )
}

const { workspace, url } = await startApp()
const folder = mkdtempSync(join(tmpdir(), 'cf-first-app-'))
const browser = await launchChromium()
after(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

async function makeWorkspace(): Promise<{ ws: Workspace; instanceId: string }> {
  const ws = await workspace()
  const tags = [
    ['#title', 'text'],
    ['#cta_label', 'text'],
    ['#cta_url', 'url'],
  ]
  await ws.block('welcome', { designType: 'banner', fields: tags.map(([tag, type], index) => ({ id: `f${index}`, tag, type })) })
  const { id } = await ws.instance('welcome', { values: { '#title': 'Good to see you', '#cta_label': 'Offers', '#cta_url': '/offers' } })
  await syncStrings(ws, { key: 'home.hello', sourceText: 'Hello {name}' })
  return { ws, instanceId: id }
}

/** Builds a page of these files for a workspace and opens it from an address of its own. */
async function open(ws: Workspace, name: string, files: Record<string, string>): Promise<Page> {
  const root = join(folder, name)
  mkdirSync(root)
  for (const [file, text] of Object.entries(files))
    writeFileSync(
      join(root, file),
      text.replace('WORKSPACE_cfpk...', ws.live).replaceAll(/http:\/\/127\.0\.0\.1:8080|https:\/\/content\.example/g, url),
    )
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^@contentflow\/sdk\/react\/styles\.css$/, replacement: `${SDK}/react/styles.css` },
        { find: /^@contentflow\/sdk\/react$/, replacement: `${SDK}/react/index.ts` },
        { find: /^@contentflow\/sdk$/, replacement: `${SDK}/index.ts` },
        { find: /^(react|react-dom)(?=$|\/)/, replacement: fileURLToPath(new URL('../../../node_modules/$1', import.meta.url)) },
      ],
      conditions: ['module', 'browser', 'development|production'],
    },
    build: { target: 'es2022', assetsInlineLimit: 0 },
  })
  const site = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html'
    response.setHeader('content-type', type).end(readFileSync(join(root, 'dist', path)))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => site.once('listening', resolve))
  const context = await browser.newContext()
  after(async () => {
    await context.close()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  // Browsers ask for it by themselves.
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  return page
}

const rename = async ({ ws, instanceId }: { ws: Workspace; instanceId: string }, title: string) =>
  expectStatus(
    await ws.admin.put(`/blocks/welcome/instances/${instanceId}`, {
      values: { '#title': title, '#cta_label': 'Offers', '#cta_url': '/offers' },
    }),
    200,
  )

test('the page without a framework shows block and text, and what is published while it is open', async () => {
  const made = await makeWorkspace()
  const page = await open(made.ws, 'web', { 'index.html': codeOf('html'), 'main.js': codeOf('js') })
  await page.getByRole('heading', { name: 'Hello Sara' }).waitFor()
  const link = page.getByRole('link', { name: 'Good to see you', exact: true })
  await link.waitFor()
  assert.equal(await link.getAttribute('href'), '/offers')
  await rename(made, 'Good to see you again')
  await page.getByRole('link', { name: 'Good to see you again' }).waitFor()
})

test('the page with React shows the same', async () => {
  const made = await makeWorkspace()
  const page = await open(made.ws, 'react', {
    'index.html':
      '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="./main.tsx"></script></body></html>',
    'main.tsx': codeOf('tsx'),
  })
  await page.getByRole('heading', { name: 'Hello Sara' }).waitFor()
  await page.getByText('Good to see you', { exact: true }).waitFor()
  await rename(made, 'Good to see you again')
  await page.getByText('Good to see you again').waitFor()
})

test('the program of docs/app/web.md shows the same in the page of the guide', async () => {
  const made = await makeWorkspace()
  const html = codeOf('html').replace('./main.js', './main.ts')
  const page = await open(made.ws, 'app-web', { 'index.html': html, 'main.ts': programOf('web.md', 'main.ts') })
  await page.getByRole('heading', { name: 'Hello Sara' }).waitFor()
  await page.getByRole('link', { name: 'Good to see you', exact: true }).waitFor()
  await rename(made, 'Good to see you again')
  await page.getByRole('link', { name: 'Good to see you again' }).waitFor()
})

const MAIN = `import { createRoot } from 'react-dom/client'
import { App } from './app'
createRoot(document.getElementById('root')!).render(<App />)
`

test('the program of docs/app/react.md shows the same', async () => {
  const made = await makeWorkspace()
  const html = '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="./main.tsx"></script></body></html>'
  const page = await open(made.ws, 'app-react', { 'index.html': html, 'main.tsx': MAIN, 'app.tsx': programOf('react.md', 'app.tsx') })
  await page.getByRole('heading', { name: 'Hello Sara' }).waitFor()
  await page.getByText('Good to see you', { exact: true }).waitFor()
})
