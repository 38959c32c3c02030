/** The question before the browser's: when it is drawn, what comes of an answer, and for how long it rests. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { JSDOM } from 'jsdom'
import { createServer } from 'vite'
import type * as Prompt from '../src/react/push-prompt.tsx'
import type { WebPush, WebPushState } from '../src/web-push/index.ts'

const { window } = new JSDOM('<!doctype html><div id="root"></div>', { url: 'http://localhost/', pretendToBeVisual: true })
for (const name of ['window', 'document', 'HTMLElement', 'Node', 'Event', 'MouseEvent', 'localStorage'] as const)
  Object.defineProperty(globalThis, name, { value: name === 'window' ? window : window[name], configurable: true, writable: true })
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const { act, createElement } = await import('react')
const { createRoot } = await import('react-dom/client')
const vite = await createServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
after(async () => {
  window.close()
  await vite.close()
})
const { PushPrompt } = (await vite.ssrLoadModule('/src/react/push-prompt.tsx')) as typeof Prompt
beforeEach(() => window.localStorage.clear())

const TEXTS = { title: 'Shall we?', body: 'About your order', accept: 'Yes', decline: 'Not now' }

/** A browser in this state, whose person answers its question so. */
async function draw(
  state: WebPushState,
  {
    answer = 'subscribed',
    when = true,
    texts = TEXTS,
  }: { answer?: WebPushState | Error; when?: boolean; texts?: Prompt.PushPromptTexts } = {},
) {
  const answers: WebPushState[] = []
  let asked = 0
  const push: WebPush = {
    state: async () => state,
    ask: async () => {
      asked++
      if (answer instanceof Error) throw answer
      return answer
    },
    off: async () => 'default',
    ready: Promise.resolve(),
  }
  const place = document.getElementById('root')
  assert.ok(place)
  const page = createRoot(place)
  const onAnswer = (each: WebPushState) => void answers.push(each)
  await act(async () => page.render(createElement(PushPrompt, { push, texts, when, onAnswer })))
  const text = () => place.textContent
  const press = async (name: string) => act(async () => place.querySelector<HTMLElement>(`.cf-push-${name}`)?.click())
  return { text, press, answers, asked: () => asked, end: async () => act(async () => page.unmount()) }
}

test('it is drawn where the browser would ask and the app thinks that it is time, and nowhere else', async () => {
  for (const [state, when, is] of [
    ['default', true, true],
    ['default', false, false],
    ['denied', true, false],
    ['subscribed', true, false],
    ['unsupported', true, false],
    ['install_first', true, false],
  ] as const) {
    const { text, end } = await draw(state, { when })
    assert.equal(text(), is ? 'Shall we?About your orderYesNot now' : '', `${state} ${when}`)
    await end()
  }
  const { text, press, asked, end } = await draw('install_first', { texts: { ...TEXTS, install: 'Add it to the home screen' } })
  assert.equal(text(), 'Shall we?Add it to the home screenNot now')
  await press('decline')
  assert.deepEqual([text(), asked()], ['', 0])
  await end()
})

test('after a yes the browser asks; after any answer it rests for 30 days, and when something failed it does not', async (t) => {
  const yes = await draw('default', { answer: 'denied' })
  await yes.press('accept')
  assert.deepEqual([yes.text(), yes.asked(), yes.answers], ['', 1, ['denied']])
  await yes.end()
  const soon = await draw('default')
  assert.equal(soon.text(), '')
  await soon.end()
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * 86_400_000 })
  const later = await draw('default')
  await later.press('decline')
  assert.deepEqual([later.text(), later.asked(), later.answers], ['', 0, ['default']])
  await later.end()
  window.localStorage.clear()
  const failing = await draw('default', { answer: new Error('no network') })
  await failing.press('accept')
  assert.deepEqual([failing.text(), failing.answers], ['', ['default']])
  await failing.end()
  const again = await draw('default')
  assert.notEqual(again.text(), '')
  await again.end()
})
