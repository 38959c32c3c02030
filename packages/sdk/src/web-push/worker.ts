/**
 * The service worker of web push: shows what arrives, opens where it leads, and keeps who pressed it for the page to tell. A
 * classic script without imports, because apps load it with `importScripts`.
 */

type Shown = NotificationOptions & { title?: string; navigate?: string; image?: string; data?: unknown }
type Pressed = { cf?: unknown; navigate?: unknown }
type Page = { url: string; focus(): Promise<unknown>; postMessage(message: unknown): void }
type Waiting = Event & { waitUntil(work: Promise<unknown>): void }
/** What a worker has that a page has not; the types of both do not go together. */
type Worker = {
  registration: { scope: string; showNotification(title: string, options: object): Promise<void> }
  clients: { matchAll(options: object): Promise<Page[]>; openWindow(url: string): Promise<unknown> }
  addEventListener(name: string, listener: (event: Waiting & { data: { text(): string } | null; notification: Notification }) => void): void
}

const worker = globalThis as unknown as Worker

worker.addEventListener('push', (event) => event.waitUntil(show(event.data?.text() ?? '')))
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open((event.notification.data ?? {}) as Pressed))
})

/** Whatever it says: a push that shows nothing costs the permission in Safari, and a warning in Chrome. */
async function show(text: string): Promise<void> {
  const { title, navigate, data, ...options } = read(text)
  // What takes the place of another is heard as well.
  const shown = { ...options, ...(options.tag && { renotify: true }), data: { ...Object(data), navigate } }
  await worker.registration.showNotification(title || new URL(worker.registration.scope).host, shown)
}

function read(text: string): Shown {
  try {
    const { notification } = JSON.parse(text) as { notification?: Shown }
    return Object(notification) as Shown
  } catch {
    return {}
  }
}

async function open({ cf, navigate }: Pressed): Promise<void> {
  if (typeof cf === 'string') await keep(cf)
  const url = typeof navigate === 'string' ? navigate : worker.registration.scope
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) page.postMessage({ type: 'contentflow:push-clicks' })
  const there = pages.find((page) => page.url === url)
  await (there ? there.focus() : worker.clients.openWindow(url))
}

/** Under an address of its own: the page takes each once, be it open now or the next time it starts. */
async function keep(id: string): Promise<void> {
  try {
    const kept = await caches.open('contentflow:push-clicks')
    await kept.put(`/contentflow-push-click/${encodeURIComponent(id)}`, new Response(''))
  } catch {
    // Without room for it the click is not counted; it leads where it should all the same.
  }
}
