/** Messages that were pressed, as the worker kept them: each is told once, whichever page of the app takes it. */
import type { Client } from '../types.ts'

const CLICKS = 'contentflow:push-clicks'

/** Tells what was pressed while no page was open, and from now on what is pressed beside this one. */
export async function reportClicks(client: Client): Promise<void> {
  if (!('caches' in globalThis)) return
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if ((data as { type?: unknown } | null)?.type === CLICKS) void tell(client)
  })
  await tell(client)
}

async function tell(client: Client): Promise<void> {
  if (!(await caches.has(CLICKS))) return
  const kept = await caches.open(CLICKS)
  for (const { url } of await kept.keys())
    // Of two pages that look at once only one deletes it.
    if (await kept.delete(url)) client.track('push_click', { messageId: decodeURIComponent(url.split('/').at(-1) ?? '') })
}
