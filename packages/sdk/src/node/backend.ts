/** What a back end does on behalf of people: says who they are, reports what they did, and reads what is known of them. */
import { createHmac, randomUUID } from 'node:crypto'
import { asObject } from '../tools/objects.ts'
import type { Bootstrap, Channels, ContentFlowError } from '../types.ts'
import { createQueue, type Queued } from './queue.ts'
import { Recent } from './recent.ts'
import { send, type Asked, type Wire } from './requests.ts'
import { VERSION } from './version.ts'
import { signUserToken, type IdentityKey } from './user-token.ts'

export type BackendOptions = {
  /** A secret key of the workspace, live or test. It names any person without a proof, so it never belongs into an application. */
  key: string
  /** The address of the server, for example `https://content.example`. */
  baseUrl: string
  /** A read key, for `read`. */
  readKey?: string
  /** Makes device ids that nobody else can make, from user ids. Keep it: with another one people get other devices. */
  deviceSecret?: string
  /** What `userToken` signs with, where the workspace wants apps to prove who is signed in. */
  identity?: IdentityKey
  /** Told of events that could not be sent, or that the server did not count; `count` of them. */
  onError?: (error: ContentFlowError, count: number) => void
  /** Milliseconds that events wait for others; 1000 when left out. */
  gatherMs?: number
  /** Milliseconds that an answer may take; 10000 when left out. */
  timeoutMs?: number
  /** How often a request is tried; 5 when left out. */
  attempts?: number
  /** Events that wait at most; with more, the oldest are dropped and told of. 10000 when left out. */
  mostEvents?: number
  fetch?: typeof globalThis.fetch
}

export type BackendIdentity = {
  userId: string
  /** The choice about analytics that the person made. Without it nothing about them is stored. */
  consent: boolean
  /** A non-empty object replaces all stored traits. */
  traits?: Readonly<Record<string, unknown>>
  name?: string
  email?: string
}

export type BackendEvent = {
  userId: string
  /** `purchase`, or any of your own. */
  type: string
  properties?: Readonly<Record<string, unknown>>
  value?: number
  currency?: string
  /** When it happened, ISO 8601; now when left out. */
  timestamp?: string
  /** Makes a repeat count once; a new one is made when left out. */
  eventId?: string
}

/** A device as the read API shows it; newer servers may say more. */
export type ReadDevice = Readonly<Record<string, unknown>> & { deviceId: string }

export type Backend = {
  /** Says who a person is, and what they chose. Resolves when the server has it. */
  identify(identity: BackendIdentity): Promise<{ segments: readonly string[] }>
  /** Queues an event of somebody who was identified with consent. Never waits for the network; `onError` tells what came of it. */
  track(event: BackendEvent): void
  /** Changes what may be sent to the person; a flag left out stays. */
  setChannels(userId: string, channels: Channels): Promise<void>
  /** Erases the person. `requested`: it waits for a confirmation. */
  erase(userId: string): Promise<{ requested: boolean }>
  /** What `createClient` of a page takes as `bootstrap`: for a device of the app, for a person, or for everybody. */
  bootstrap(of?: { userId?: string; deviceId?: string; locale?: string; namespace?: string }): Promise<Bootstrap>
  /** What is known of people. Needs the read key. */
  read: {
    segments(userId: string): Promise<readonly string[]>
    devices(userId: string): Promise<readonly ReadDevice[]>
    device(deviceId: string): Promise<{ device: ReadDevice; profile: Readonly<Record<string, unknown>> | null }>
  }
  /** The token with which an app proves this person. Needs `identity`. */
  userToken(userId: string): string
  /** Sends what waits. Resolves when nothing waits any more, also when some of it could not be sent: `onError` tells. */
  flush(): Promise<void>
  /** The same, and takes no more events. Call it before the process ends. */
  close(): Promise<void>
}

/** Device records on the server live 24 hours; this leaves half a day. */
const RENEW_MS = 12 * 3_600_000
/** People of whom is remembered when they were identified. */
const REMEMBERED = 10_000

/** The device that stands for a person's doings on a server. The same for the same person and secret. */
export function deviceIdOf(userId: string, secret = ''): string {
  return `server-${createHmac('sha256', secret).update(userId).digest('hex').slice(0, 32)}`
}

export function createBackend(options: BackendOptions): Backend {
  for (const name of ['key', 'baseUrl'] as const) if (!options[name]) throw new TypeError(`createBackend needs ${name}`)
  const { key, readKey, deviceSecret, identity, onError = () => undefined } = options
  const root = options.baseUrl.replace(/\/+$/, '').replace(/\/sdk\/v1$/, '')
  const wire: Wire = {
    fetch: options.fetch ?? globalThis.fetch,
    random: Math.random,
    pause: (milliseconds) => new Promise((resolve) => void setTimeout(resolve, milliseconds)),
    timeoutMs: options.timeoutMs ?? 10_000,
    attempts: options.attempts ?? 5,
  }
  /** When somebody was identified with consent, by user id. */
  const known = new Recent<number>(REMEMBERED)
  const deviceOf = (userId: string) => deviceIdOf(userId, deviceSecret)

  const app = (asked: Omit<Asked, 'url' | 'headers'> & { path: string }, of: { userId?: string; deviceId?: string } = {}) => {
    const { userId, deviceId = userId === undefined ? undefined : deviceOf(userId) } = of
    const headers = {
      'x-cf-key': key,
      'x-cf-sdk-version': `node/${VERSION}`,
      'x-cf-device': deviceId,
      'content-type': asked.body && 'application/json',
    }
    return send(wire, { ...asked, url: `${root}/sdk/v1${asked.path}`, headers })
  }
  const identify = async ({ consent, ...about }: BackendIdentity) => {
    const { userId } = about
    // With a denial nothing about the person is sent.
    const body = { deviceId: deviceOf(userId), consent, ...(consent && about) }
    const { segments } = await app({ method: 'POST', path: '/identify', body }, { userId })
    if (consent) known.set(userId, Date.now())
    else known.delete(userId)
    return { segments: textsOf(segments) }
  }
  /** Devices are forgotten by the server after a day; whoever was identified with consent here is so again. */
  const renew = async (userId: string) => {
    const last = known.get(userId)
    if (last !== undefined && Date.now() - last > RENEW_MS) await identify({ userId, consent: true })
  }
  const sendEvents = async (userId: string, events: readonly Queued[]) => {
    await renew(userId)
    const { dropped, dropReasons } = await app(
      { method: 'POST', path: '/events', body: { deviceId: deviceOf(userId), events } },
      { userId },
    )
    if (typeof dropped === 'number' && dropped > 0) onError(dropError(dropReasons), dropped)
  }
  const queue = createQueue({
    gatherMs: options.gatherMs ?? 1_000,
    most: options.mostEvents ?? 10_000,
    send: sendEvents,
    onError,
  })
  const read = async (path: string) => {
    if (!readKey) throw new TypeError('createBackend needs readKey to read')
    return send(wire, { method: 'GET', url: `${root}/api/v1/read${path}`, headers: { 'x-cf-read-key': readKey } })
  }
  return {
    identify,
    track: ({ userId, timestamp = new Date().toISOString(), eventId = randomUUID(), ...event }) => {
      // These have a route of their own, for apps.
      if (/^(sign_up|sign_in)?$/.test(event.type)) throw new TypeError(`cannot track: ${event.type}`)
      queue.add(userId, { ...event, timestamp, eventId })
    },
    setChannels: async (userId, channels) => {
      await renew(userId)
      await app({ method: 'POST', path: '/consent', body: { deviceId: deviceOf(userId), userId, channels } }, { userId })
    },
    erase: async (userId) => {
      const { requested } = await app({ method: 'DELETE', path: '/identify' }, { userId })
      known.delete(userId)
      return { requested: requested === true }
    },
    bootstrap: async ({ locale, namespace, ...of } = {}) => {
      const [sync, strings] = await Promise.all([
        app({ method: 'GET', path: `/sync${queryOf({ locale })}` }, of),
        app({ method: 'GET', path: `/strings${queryOf({ locale, namespace })}` }),
      ])
      return { sync, strings }
    },
    read: {
      segments: async (userId) => textsOf((await read(`/users/${encodeURIComponent(userId)}/segments`))['segmentNames']),
      devices: async (userId) => (await read(`/users/${encodeURIComponent(userId)}/devices`))['devices'] as readonly ReadDevice[],
      device: async (deviceId) =>
        (await read(`/devices/${encodeURIComponent(deviceId)}`)) as Awaited<ReturnType<Backend['read']['device']>>,
    },
    userToken: (userId) => {
      if (!identity) throw new TypeError('createBackend needs identity to sign tokens')
      return signUserToken(identity, userId)
    },
    flush: queue.flush,
    close: queue.close,
  }
}

function dropError(reasons: unknown): ContentFlowError {
  const code = Object.keys(asObject(reasons))[0]
  const message = `the server did not count some events: ${JSON.stringify(reasons)}`
  return Object.assign(new Error(message), { name: 'ContentFlowError' as const, status: 202, code, retryAfterSeconds: undefined })
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function queryOf(members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
