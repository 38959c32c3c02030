import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchPage } from './browser.ts'
import type { StepEvent } from '../machine/state.ts'

/** What a page brings: a document and a window that events come from. */
function page(t: { after(run: () => void): void }) {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = new EventTarget()
  Object.assign(globalThis, { document, addEventListener: window.addEventListener.bind(window) })
  t.after(() => {
    Reflect.deleteProperty(globalThis, 'document')
    Reflect.deleteProperty(globalThis, 'addEventListener')
  })
  const told: StepEvent[] = []
  const stored: unknown[] = []
  const stop = watchPage(
    (event) => void told.push(event),
    (name, text) => void stored.push([name, text]),
  )
  return { document, window, told, stored, stop, take: () => told.splice(0) }
}

test('what a page tells is handed on: looked at or not, the network is back, gone soon, stored by another tab', (t) => {
  const { document, window, stored, take } = page(t)
  assert.deepEqual(take(), [{ type: 'note', patch: { isVisible: true } }])
  document.visibilityState = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  // In a page the event goes on from the document to the window.
  window.dispatchEvent(new Event('visibilitychange'))
  assert.deepEqual(take(), [
    { type: 'note', patch: { isVisible: false } },
    { type: 'ask', lane: 'outbox' },
  ])
  window.dispatchEvent(new Event('online'))
  window.dispatchEvent(new Event('pagehide'))
  assert.deepEqual(take(), [{ type: 'online' }, { type: 'ask', lane: 'outbox' }])
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'k', newValue: 'v' }))
  assert.deepEqual(stored, [['k', 'v']])
})

test('nothing is heard after the end, and nowhere but in a page', (t) => {
  const stopOutside = watchPage(
    () => assert.fail(),
    () => assert.fail(),
  )
  stopOutside()
  const { window, stop, take } = page(t)
  take()
  stop()
  for (const name of ['online', 'pagehide', 'storage']) window.dispatchEvent(new Event(name))
  assert.deepEqual(take(), [])
})
