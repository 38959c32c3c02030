/** Apps test their own pages in jsdom, which lacks much of a browser: every design has to be drawn there, and counted. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { JSDOM } from 'jsdom'
import { createServer } from 'vite'
import type * as Bindings from '../src/react/index.ts'
import { DESIGN_TYPES } from '../src/react/designs/reading/design-block.ts'
import { createClient } from '../src/index.ts'
import { until } from '../../server/test/harness/until.ts'
import { CONFIG, scriptedServer, succeed } from './support/scripted-server.ts'

const { window } = new JSDOM('<!doctype html><div id="root"></div>', { url: 'http://localhost/', pretendToBeVisual: true })
// What a test runner with jsdom makes global.
for (const name of ['window', 'document', 'HTMLElement', 'HTMLIFrameElement', 'Node', 'Event', 'MouseEvent', 'getComputedStyle'] as const)
  Object.defineProperty(globalThis, name, { value: name === 'window' ? window : window[name], configurable: true, writable: true })
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const { act, createElement } = await import('react')
const { createRoot } = await import('react-dom/client')
const root = fileURLToPath(new URL('..', import.meta.url))
const vite = await createServer({
  root,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
after(async () => {
  window.close()
  await vite.close()
})
const { Block, ContentFlowProvider } = (await vite.ssrLoadModule('/src/react/index.ts')) as typeof Bindings

const ITEMS = [1, 2, 3].map((n) => ({
  key: 'item',
  name: 'Item',
  screen: '',
  instanceId: `i${n}`,
  version: 1,
  visible: true,
  designType: 'tile',
  values: { '#title': `Item ${n}` },
  fields: [{ tag: '#title', type: 'text' }],
}))
const blockOf = (designType: string) => ({
  key: designType,
  name: designType,
  screen: 'home',
  instanceId: designType,
  version: 1,
  visible: true,
  designType,
  values: { '#title': `The ${designType}`, '#items': ITEMS, '#cta_label': 'Go', '#cta_url': '/go' },
  fields: [
    { tag: '#title', type: 'text' },
    { tag: '#items', type: 'collection' },
    { tag: '#cta_label', type: 'text' },
    { tag: '#cta_url', type: 'url' },
  ],
})

test('every design is drawn in jsdom, counted as seen, pressed and closed', async () => {
  const server = await scriptedServer()
  server.on('/sync', (_request, response) => succeed(response, { blocks: DESIGN_TYPES.map(blockOf), config: CONFIG }))
  const client = createClient({ key: 'k_cfpk_1', baseUrl: server.baseUrl, stream: false })
  const place = document.getElementById('root')
  assert.ok(place)
  const page = createRoot(place)
  const blocks = DESIGN_TYPES.map((name) => createElement(Block, { key: name, name }))
  await act(async () => page.render(createElement(ContentFlowProvider, { client }, ...blocks)))
  await act(async () => {
    await client.identify({ consent: true })
    await client.sync()
  })
  // A popup is chosen a moment after it may be.
  await until('drawn', async () => {
    await act(async () => new Promise((resolve) => setImmediate(resolve)))
    return DESIGN_TYPES.every((type) => type === 'tooltip' || place.textContent?.includes(`The ${type}`))
  })
  await act(async () => {
    for (const button of place.querySelectorAll<HTMLElement>('.cf-close, button[aria-label]')) button.click()
    client.flush()
  })
  const counted = () =>
    server
      .to('/events')
      .flatMap(({ body }) => (body.events as { type: string; blockKey: string }[]).map(({ type, blockKey }) => `${type} ${blockKey}`))
  await until('counted', () => DESIGN_TYPES.every((type) => counted().includes(`impression ${type}`)))
  await until('closed', () => counted().includes('dismiss popup'))
  await act(async () => page.unmount())
})
