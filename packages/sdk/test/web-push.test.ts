/** Push in a real browser: what its page registers with the product, and what its worker shows and opens. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { addChannel } from '../../server/test/builders/channels.ts'
import { VAPID } from '../../server/test/builders/push-service.ts'
import { launchChromium } from '../../server/test/harness/chromium.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { PATIENCE_MS, until } from '../../server/test/harness/until.ts'
import { buildSdk } from './support/build.ts'

const { ctx, workspace, url } = await startApp()
const folder = await buildSdk()
const browser = await launchChromium()
const site = createServer((request, response) => {
  const name = (request.url ?? '/').slice(1)
  if (name.endsWith('.js')) response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, name)))
  else
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>shop</title><link rel="icon" href="data:,"><button>Ask</button>')
})
site.listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
after(async () => {
  await browser.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})

/** What the browser's makers answer: without a connection to them a test browser subscribes nowhere. */
const PUSH_SERVICE = `
  let held = JSON.parse(localStorage.getItem('of the browser') ?? 'null')
  const made = (sub) => sub && {
    toJSON: () => sub.json,
    options: { applicationServerKey: Uint8Array.from(atob(sub.key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer },
    unsubscribe: async () => { keep(null); return true },
  }
  const keep = (sub) => { held = sub; localStorage.setItem('of the browser', JSON.stringify(sub)) }
  PushManager.prototype.getSubscription = async () => made(held)
  PushManager.prototype.subscribe = async ({ applicationServerKey: key, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new Error('silent')
    const json = { endpoint: 'https://fcm.googleapis.com/fcm/send/' + crypto.randomUUID(), expirationTime: null, keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }
    keep({ json, key })
    return made(held)
  }
  // A browser without windows answers every such question with no, so somebody answers here.
  const permission = () => localStorage.getItem('of the person') ?? 'default'
  Object.defineProperty(Notification, 'permission', { get: permission })
  Notification.requestPermission = async () => {
    if (permission() === 'default') localStorage.setItem('of the person', 'granted')
    return permission()
  }`

async function visitor(ws: Workspace) {
  const context = await browser.newContext()
  await context.addInitScript(PUSH_SERVICE)
  const options = JSON.stringify({ key: ws.live, baseUrl: `${url}/sdk/v1` })
  const open = async () => {
    const page = await context.newPage()
    await page.goto(origin)
    await page.evaluate(`Promise.all([import('/index.js'), import('/web-push.js')]).then(async ([{ createClient }, { webPush }]) => {
      window.client = createClient(${options})
      client.start()
      await client.sync()
      window.push = webPush(client, ${options})
      await push.ready
      document.querySelector('button').onclick = async () => { window.answer = await push.ask().catch(String) }
    })`)
    return page
  }
  return { context, open }
}
const run = (page: Page, script: string): Promise<any> => page.evaluate(script)
async function press(page: Page) {
  await run(page, 'window.answer = undefined')
  await page.click('button')
  await page.waitForFunction('window.answer !== undefined', undefined, { timeout: PATIENCE_MS })
  return run(page, 'window.answer')
}
const tokens = async ({ id }: Workspace) =>
  ctx.db.selectFrom('push_registrations').select(['token', 'provider', 'platform']).where('workspace_id', '=', id).execute()
const endpointOf = async (ws: Workspace) => JSON.parse((await tokens(ws))[0]?.token ?? '{}').endpoint as string | undefined

test('a page asks only when it is pressed, registers what the browser made, renews it under other keys, and switches it off', async () => {
  const ws = await workspace()
  const { context, open } = await visitor(ws)
  const page = await open()
  assert.equal(await run(page, 'push.state()'), 'default')
  assert.match(await press(page), /no active channel of web push/)
  const { id } = await addChannel(ws.admin, 'push', 'web_push', { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/' })
  assert.deepEqual(await tokens(ws), [])
  assert.equal(await press(page), 'subscribed')
  const [first] = await tokens(ws)
  assert.deepEqual([first?.provider, first?.platform], ['web_push', 'web'])
  const endpoint = await endpointOf(ws)
  assert.match(endpoint ?? '', /^https:\/\/fcm\.googleapis\.com/)

  const again = await open()
  assert.deepEqual([await run(again, 'push.state()'), await endpointOf(ws)], ['subscribed', endpoint])
  expectStatus(await ws.admin.put(`/notifications/channels/${id}`, { configuration: VAPID, replaceKeys: true }), 200)
  assert.deepEqual(await tokens(ws), [])
  const renewed = await open()
  assert.equal(await run(renewed, 'push.state()'), 'subscribed')
  assert.ok((await endpointOf(ws)) !== undefined && (await endpointOf(ws)) !== endpoint)

  assert.equal(await run(renewed, 'push.off()'), 'default')
  await until('forgotten', async () => (await tokens(ws)).length === 0)
  await open()
  assert.deepEqual(await tokens(ws), [], 'what was switched off stays off')
  await context.close()
})

test('who said no to the browser is not asked, and a browser without push says so', async () => {
  const ws = await workspace()
  const { context, open } = await visitor(ws)
  const page = await open()
  await run(page, `localStorage.setItem('of the person', 'denied')`)
  assert.deepEqual([await run(page, 'push.state()'), await press(page)], ['denied', 'denied'])
  await run(page, `localStorage.removeItem('of the person')`)
  await addChannel(ws.admin, 'push', 'web_push', { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/' })
  assert.match(await run(page, 'push.ask().catch(String)'), /in a handler of a click|subscribed/)
  await run(page, 'delete globalThis.PushManager')
  assert.equal(await run(page, 'push.state()'), 'unsupported')
  await run(page, `Object.defineProperty(navigator, 'userAgent', { value: 'iPhone' })`)
  assert.equal(await run(page, 'push.state()'), 'install_first')
  await context.close()
})

test('the worker shows whatever arrives, opens where it leads, and a press is reported once', async () => {
  const ws = await workspace()
  const { context, open } = await visitor(ws)
  const page = await open()
  await run(page, `client.identify({ consent: true, userId: 'sara' })`)
  const started = context.waitForEvent('serviceworker')
  await run(page, `navigator.serviceWorker.register('/push-worker.js').then(() => navigator.serviceWorker.ready)`)
  const worker = await started
  // A browser without windows shows nothing, so what would be shown and opened is noted.
  await worker.evaluate(`
    self.shown = []
    self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options })
    self.clients.openWindow = async (url) => void (self.opened = url)
    self.happens = (event, more) => self.dispatchEvent(Object.assign(event, { waitUntil: () => {}, ...more }))`)
  const shown = async (): Promise<any[]> => worker.evaluate('self.shown')
  const deliver = async (text: string) => worker.evaluate(`void self.happens(new PushEvent('push', { data: ${JSON.stringify(text)} }))`)
  const navigate = `${origin}/offers`
  const texts = { title: 'عرض', body: 'خصم', lang: 'ar', dir: 'rtl', tag: 't', silent: false }
  await deliver(JSON.stringify({ web_push: 8030, notification: { ...texts, navigate, data: { cf: 'm/1' } } }))
  await deliver('no JSON at all')
  await until('both are shown', async () => (await shown()).length === 2)
  assert.deepEqual(await shown(), [
    { ...texts, renotify: true, data: { cf: 'm/1', navigate } },
    { title: new URL(origin).host, data: { navigate: undefined } },
  ])

  const heard = page.waitForRequest((request) => request.url().endsWith('/events') && (request.postData() ?? '').includes('push_click'))
  await worker.evaluate(
    `void self.happens(new ExtendableEvent('notificationclick'), { notification: { close() {}, data: self.shown[0].data } })`,
  )
  await until('it is opened', async () => (await worker.evaluate('self.opened')) === navigate)
  await until('it is tracked', async () => {
    await run(page, 'client.flush()')
    return (await run(page, `caches.open('contentflow:push-clicks').then((kept) => kept.keys()).then((keys) => keys.length)`)) === 0
  })
  await run(page, 'client.flush()')
  const { events } = (await heard).postDataJSON()
  assert.deepEqual(
    events.filter(({ type }: { type: string }) => type === 'push_click').map(({ properties }: { properties: object }) => properties),
    [{ messageId: 'm/1' }],
  )
  await context.close()
})
