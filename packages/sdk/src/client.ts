/** The public client: what each method means to the machine. */
import { makeError, type JsonObject } from './machine/answer.ts'
import { createEngine, type Engine, type EngineOptions } from './shell/engine.ts'
import { frequencyOf, mayShow, noteShown } from './frequency.ts'
import { MESSAGE_KEY } from './limits.ts'
import { formatMessage } from './message.ts'
import { engineOptions } from './options.ts'
import { readingDevice } from './machine/person.ts'
import { queuedConsent, queuedUser, type ItemKind } from './machine/queue.ts'
import type { StepEvent } from './machine/state.ts'
import type { Campaign } from './campaign-types.ts'
import type { Block, Client, ClientOptions, Identity, TrackedEvent } from './types.ts'
import type { AnyEvents, AnyTexts, TypedClient } from './typed.ts'
import { createViews } from './views.ts'

/** These calls are in a file of their own, which is loaded with the first of them. */
const RARE = ['locales', 'consentPreset', 'pushTopics', 'subscribeTopic', 'unsubscribeTopic', 'locationOfAddress', 'request'] as const
/** Actions without data, and actions with a method of their own (C-TRK-04). */
const NO_TYPE = /^(sign_up|sign_in)?$/

/**
 * Makes a client. It does nothing until it is started. With the types that `contentflow types --lang ts` writes,
 * `createClient<Blocks, Texts, Events>(options)`, it knows keys, tags, placeholders and what is tracked.
 */
export function createClient(options: ClientOptions): Client
export function createClient<Blocks extends object, Texts extends object = AnyTexts, Events extends object = AnyEvents>(
  options: ClientOptions,
): TypedClient<Blocks, Texts, Events>
export function createClient(options: ClientOptions): Client {
  const filled = engineOptions(options)
  const engine = createEngine(filled)
  const write: Write = (kind, body) => engine.promise((id) => enqueueing(engine, id, kind, body))
  if (options.debug) void import('./debug.ts').then(({ debug }) => debug(engine))
  return {
    start: engine.start,
    stop: engine.stop,
    snapshot: engine.snapshot,
    subscribe: (listener) => engine.on('change', listener),
    on: engine.on,
    ...content(engine, options),
    ...reads(engine, options),
    ...person(engine, write),
    ...tracking(engine, filled),
  }
}

/** Queues a write; its promise is settled when the server has it, or when that takes longer. */
type Write = <Result>(kind: ItemKind, body: object) => Promise<Result>

/** Copies the values: what the application changes later was not sent. The copy also leaves out undefined members. */
function enqueueing({ state }: Engine, id: string, kind: ItemKind, body: object): StepEvent {
  return { type: 'enqueue', item: { id, kind, body: JSON.parse(JSON.stringify(body)) as JsonObject, sessionId: state().sessionId } }
}

function content(engine: Engine, { defaults }: ClientOptions) {
  const ask = (lane: 'sync' | 'strings') => engine.promise((id) => ({ type: 'ask', lane, waiters: [id] }))
  return {
    block: (key) => engine.snapshot().blocks.find((block) => block.key === key),
    blocks: (key, { blocks } = engine.snapshot()) => (key === undefined ? blocks : blocks.filter((block) => block.key === key)),
    sync: async () => void (await Promise.all([ask('sync'), ask('strings')])),
    strings: () => engine.snapshot().strings,
    t: (key, values = {}, { strings } = engine.snapshot()) => {
      for (const from of [strings, defaults])
        if (from?.strings && Object.hasOwn(from.strings, key)) return formatMessage(String(from.strings[key]), values, String(from.locale))
      return key
    },
    setLocale: (locale) => engine.dispatch({ type: 'note', patch: { locale } }),
  } satisfies Partial<Client>
}

/** Calls whose answers are not kept. They are returned as the documents describe them. */
function reads({ call }: Engine, { platform, appVersion }: ClientOptions) {
  const rare = RARE.map((name) => [name, async (asked?: unknown) => (await import('./reads.ts'))[name](call, asked as never)])
  return {
    ...(Object.fromEntries(rare) as Pick<Client, (typeof RARE)[number]>),
    campaigns: async (placementId, context = {}) => {
      const answer = await call((state) => ({
        method: 'POST',
        path: '/campaigns',
        body: { ...context, placementId, deviceInfo: { platform, appVersion } },
        deviceId: readingDevice(state),
        locale: state.locale,
      }))
      return answer['data'] as readonly Campaign[]
    },
  } satisfies Partial<Client>
}

function person(engine: Engine, write: Write) {
  return {
    identify: (identity) => write('identify', identifyBody(identity)),
    logout: () => write('logout', {}),
    erase: () => write('erase', {}),
    signedUp: (properties) => write('signed', { type: 'sign_up', properties }),
    signedIn: (properties) => write('signed', { type: 'sign_in', properties }),
    setIndustryData: async (category, data) => {
      const { items, link } = engine.state()
      const userId = queuedUser(items, link.userId)
      if (userId === undefined) throw makeError('DEVICE_NOT_IDENTIFIED')
      return write('profile', { userId, category, data })
    },
    setChannels: (channels) => write('consent', { channels }),
    setFullConsent: (consent) => write('fullConsent', consent),
    registerPush: (token) => write('registerPush', token),
    unregisterPush: () => write('unregisterPush', {}),
    setPushPreferences: (preferences) => write('preferences', preferences),
    trackLocation: async (points, geofenceEvents) => {
      // Without consent no location leaves the device.
      const { items, link } = engine.state()
      if (queuedConsent(items, link.consent) !== 'granted') throw makeError('LOCATION_CONSENT_REQUIRED')
      return write('location', { points, geofenceEvents })
    },
  } satisfies Partial<Client>
}

/** With a denial nothing about the person leaves the device. */
function identifyBody({ consent, ...about }: Identity): JsonObject {
  return consent ? { ...about, consent } : { consent }
}

function tracking(engine: Engine, { newId, now }: EngineOptions) {
  const isFirstSight = createViews()
  let screens = 0
  let screen: string | undefined
  const add = (type: string, event: object): void => {
    if (NO_TYPE.test(type)) throw new TypeError(`cannot track: ${type}`)
    engine.dispatch(enqueueing(engine, newId(), 'event', { screen, ...event, type, timestamp: new Date(now()).toISOString() }))
  }
  const report = (type: string, block: Block, more: object = {}) => {
    const { key, instanceId, campaignId } = block
    add(type, { blockKey: key, instanceId, campaignId, screen: block.screen || screen, ...more })
  }
  const end = (type: string, block: Block, properties?: JsonObject) => {
    report(type, block, { properties })
    if (block.key === MESSAGE_KEY) engine.dispatch({ type: 'note', patch: { over: [...engine.state().over, block.instanceId] } })
  }
  const signal = (type: string, stringKey: string) => {
    if (engine.snapshot().strings?.smartKeys.includes(stringKey)) add(type, { stringKey })
  }
  return {
    track: (event: TrackedEvent | string, properties?: TrackedEvent['properties']) =>
      typeof event === 'object' ? add(event.type, event) : add(event, { properties }),
    setScreen: (name) => {
      screen = name
      screens++
    },
    impression: (block, view = `screen ${screens}`) => {
      if (!isFirstSight(block, view)) return false
      const { shown, content } = engine.state()
      const frequency = frequencyOf(block, content?.config)
      if (frequency) engine.dispatch({ type: 'note', patch: { shown: noteShown(shown, block.instanceId, frequency, now()) } })
      report('impression', block)
      return true
    },
    click: (block, properties) => end('cta_click', block, properties),
    dismiss: (block) => end('dismiss', block),
    conversion: (block, details = {}) => (block ? report('purchase', block, details) : add('purchase', details)),
    mayShow: (block) => {
      const { shown, content, startedAt } = engine.state()
      const frequency = frequencyOf(block, content?.config)
      return !frequency || mayShow(frequency, shown[block.instanceId] ?? [], now(), startedAt)
    },
    stringSeen: (key) => signal('string_impression', key),
    stringUsed: (key) => signal('string_interaction', key),
    flush: () => engine.dispatch({ type: 'ask', lane: 'outbox' }),
    pending: () => engine.state().items.length,
  } satisfies Partial<Client>
}
