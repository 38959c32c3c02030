/** Push messages in browsers: asks for the permission, subscribes with the key of the workspace, and keeps the subscription registered. */
import type { Client } from '../types.ts'
import { reportClicks } from './clicks.ts'

/**
 * `unsupported`: this browser has none. `install_first`: on iPhone and iPad only apps on the home screen have them. `denied`: the person
 * said no to the browser. `default`: nothing was asked, or it was switched off. `subscribed`: this browser gets what is sent.
 */
export type WebPushState = 'unsupported' | 'install_first' | 'denied' | 'default' | 'subscribed'

export type WebPushOptions = {
  /** The publishable key and the root of the client API, as the client has them. */
  key: string
  baseUrl: string
  /** The address of the worker on your own origin; `/push-worker.js` when left out. Safari 18.4 and newer needs none. */
  worker?: string
  fetch?: typeof globalThis.fetch
}

export type WebPush = {
  /** What this browser is at now. */
  state(): Promise<WebPushState>
  /** Asks for the permission and subscribes. Only in a handler of a click or a key: browsers show the question nowhere else. */
  ask(): Promise<WebPushState>
  /** Ends the subscription, here and on the server. The browser's permission stays. */
  off(): Promise<WebPushState>
  /** Fulfilled when what was subscribed before was looked after; rejected when that failed, which is tried again on the next start. */
  ready: Promise<void>
}

/** What was registered last: for which installation, and the subscription as its JSON text. */
const STORED = 'contentflow:web-push'

/**
 * Web push for a client that was started. A subscription that the browser made anew, or that is of an earlier key of the workspace,
 * is renewed at once.
 */
export function webPush(client: Client, { key, baseUrl, worker = '/push-worker.js', fetch = globalThis.fetch }: WebPushOptions): WebPush {
  const askKey = async (): Promise<string | undefined> => {
    const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/push/web-key`, { headers: { 'X-CF-Key': key }, credentials: 'omit' })
    if (!answer.ok) throw new Error(`The key of web push could not be asked for: ${answer.status}`)
    const { data } = (await answer.json()) as { data: { publicKey: string } | null }
    return data?.publicKey
  }
  const subscribe = async (manager: PushManager): Promise<void> => {
    const publicKey = await askKey()
    if (publicKey === undefined) throw new Error('The workspace has no active channel of web push')
    const held = await manager.getSubscription()
    const isCurrent = held !== null && [undefined, publicKey].includes(keyOf(held))
    if (held && !isCurrent) await held.unsubscribe()
    const options = { userVisibleOnly: true, applicationServerKey: publicKey }
    const token = JSON.stringify(isCurrent ? held : await manager.subscribe(options))
    // After an erasure the installation is another one, and the same subscription is not its own yet.
    const registered = `${client.snapshot().deviceId} ${token}`
    if (registered === stored()) return
    await client.registerPush({ token, platform: 'web', provider: 'web_push' })
    store(registered)
  }
  const state = async (): Promise<WebPushState> => {
    if (!isSupported()) return isMobileSafari() ? 'install_first' : 'unsupported'
    if (Notification.permission === 'denied') return 'denied'
    if (Notification.permission !== 'granted' || stored() === null) return 'default'
    return (await (await managerOf(worker)).getSubscription()) ? 'subscribed' : 'default'
  }
  const renew = async () => {
    if (!isSupported()) return
    await reportClicks(client)
    if (Notification.permission === 'granted' && stored() !== null) await subscribe(await managerOf(worker))
  }
  const ready = renew()
  // An app that does not wait for it leaves everything as it was, and has no rejection that nobody handles.
  ready.catch(() => undefined)
  return {
    state,
    ask: async () => {
      if (!isSupported()) return state()
      const { userActivation } = navigator as { userActivation?: UserActivation }
      if (userActivation && !userActivation.isActive)
        throw new Error('Call ask() in a handler of a click: browsers show the question nowhere else')
      if ((await Notification.requestPermission()) === 'granted') await subscribe(await managerOf(worker))
      return state()
    },
    off: async () => {
      if (!isSupported()) return state()
      const held = await (await managerOf(worker)).getSubscription()
      await held?.unsubscribe()
      store(null)
      await client.unregisterPush()
      return state()
    },
    ready,
  }
}

/** Browsers that show declarative messages have push without a worker. */
function windowManager(): PushManager | undefined {
  return (globalThis as { pushManager?: PushManager }).pushManager
}

function isSupported(): boolean {
  if (typeof Notification === 'undefined') return false
  return windowManager() !== undefined || ('serviceWorker' in navigator && 'PushManager' in globalThis)
}

/** An iPhone, or an iPad, which says that it is a Mac; not as an app of the home screen. */
function isMobileSafari(): boolean {
  if (typeof navigator === 'undefined') return false
  const { userAgent, platform, maxTouchPoints } = navigator
  if ((navigator as { standalone?: boolean }).standalone === true) return false
  return /iPhone|iPad|iPod/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1)
}

async function managerOf(worker: string): Promise<PushManager> {
  const own = windowManager()
  if (own) return own
  const registration = await navigator.serviceWorker.register(worker)
  if (!registration.active) await activated(registration)
  return registration.pushManager
}

/** Not `serviceWorker.ready`, which waits for a worker of this very page: the worker may be of another folder. */
async function activated({ installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (coming?.state === 'activated') resolve()
      else if (!coming || coming.state === 'redundant') reject(new Error('The worker of web push could not be installed'))
    }
    coming?.addEventListener('statechange', look)
    look()
  })
}

/** In base64url, as the server has it; undefined where the browser does not say. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string | undefined {
  if (!applicationServerKey) return undefined
  const bytes = String.fromCharCode(...new Uint8Array(applicationServerKey))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

function store(registered: string | null): void {
  try {
    if (registered === null) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, registered)
  } catch {
    // Where nothing may be stored it is registered again on each start, which changes nothing.
  }
}
