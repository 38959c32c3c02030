/** Everything a client knows, as one immutable value. Times are milliseconds. */
import type { Answer, Call } from './answer.ts'
import type { ShownTimes } from '../frequency.ts'
import { ask, begin, RESTING, type Lane } from './lane.ts'
import { BATCH_LIMIT, type Item } from './queue.ts'
import type {
  AnalyticsConsent,
  Block,
  Channels,
  ClientEvents,
  ClientOptions,
  Config,
  ContentFlowError,
  Environment,
  StringsCatalog,
} from '../types.ts'

export type Phase = 'stopped' | 'starting' | 'running' | 'rejected'
export type LaneName = 'sync' | 'strings' | 'outbox' | 'stream'
type Lanes = Readonly<Record<LaneName, Lane>>

/** The link between this installation and a person. */
export type Link = {
  userId: string | undefined
  consent: AnalyticsConsent
  /** The device record on the server lives 24 hours; it is renewed before that. undefined: there is none to renew. */
  renewAt: number | undefined
}
/** `view` is what was asked for: an ETag only counts for the same view. */
type Content = { blocks: readonly Block[]; config: Config; etag: string | undefined; view: string }
type Texts = { catalog: StringsCatalog; etag: string | undefined; view: string }

export type State = {
  phase: Phase
  settings: Settings
  sessionId: string
  startedAt: number
  deviceId?: string | undefined
  /** Proves that requests come from this installation; empty when the server gave none. Empty, not missing: another tab has to learn that it is gone. */
  deviceToken: string
  environment?: Environment | undefined
  locale: string | undefined
  link: Link
  channels: Channels
  content?: Content | undefined
  texts?: Texts | undefined
  /** In-app messages that were closed here; the server has not been told yet. */
  over: readonly string[]
  shown: ShownTimes
  items: readonly Item[]
  /** Ids of the items under way. */
  sending: readonly string[]
  /** Events sent at once; smaller while a refused batch is searched for the event that is refused. */
  batchLimit: number
  lanes: Lanes
  /** The open or opening stream. */
  stream: { isOpen: boolean; openedAt: number; heardAt: number; retryMs: number }
  lastEventId?: string | undefined
  /** The number of the last request. */
  requests: number
  isVisible: boolean
  isOffline: boolean
  /** Whether the server has answered since the start. */
  isAnswered: boolean
  rejection?: ContentFlowError | undefined
}

/** Settings of the application, which never change: of the options of the client those that decide what is asked and shown. */
export type Settings = Pick<ClientOptions, 'blockKeys' | 'bootstrap' | 'defaults' | 'deviceId' | 'locale' | 'namespace' | 'platform'> & {
  isStreamWanted: boolean
}

/** The stored parts of the state. */
export type Stored = Partial<
  Pick<State, 'deviceId' | 'deviceToken' | 'environment' | 'link' | 'channels' | 'over' | 'shown' | 'content' | 'texts' | 'items'>
>

export type StepEvent =
  | { type: 'start' }
  | { type: 'stop' }
  /** Storage was read; while running: another tab has written to it. */
  | { type: 'loaded'; stored: Stored }
  | { type: 'enqueue'; item: Item }
  | { type: 'ask'; lane: LaneName; waiters?: readonly string[] }
  /** Something the application or the page decides by itself. */
  | { type: 'note'; patch: Partial<Pick<State, 'locale' | 'isVisible' | 'over' | 'shown'>> }
  | { type: 'online' }
  | { type: 'tick' }
  /** The stream said something; the first time with nothing, when it opened. */
  | { type: 'heard'; request: number; signals: number; lastEventId?: string; retryMs?: number }
  /** A stream is answered when it ends. */
  | { type: 'answered'; lane: LaneName; request: number; answer: Answer }
  | { type: 'keyRejected'; answer: Answer }

/** How a promise given to the application ends. */
export type Outcome = { status: 'done'; data: unknown } | { status: 'pending' } | { status: 'failed'; error: ContentFlowError }

export type Emission = { [Name in keyof ClientEvents]: { name: Name; value: ClientEvents[Name] } }[keyof ClientEvents]

export type Effect =
  | { type: 'load' }
  | { type: 'request'; lane: LaneName; request: number; call: Call }
  | { type: 'abort'; request: number }
  | { type: 'settle'; id: string; outcome: Outcome }
  | { type: 'emit'; emission: Emission }

export type Step = { state: State; effects: readonly Effect[] }

export const NO_LINK: Link = { userId: undefined, consent: 'unknown', renewAt: undefined }
const ALL_RESTING: Lanes = { sync: RESTING, strings: RESTING, outbox: RESTING, stream: RESTING }

/** The state before the first start. */
export function initialState(settings: Settings): State {
  return {
    phase: 'stopped',
    settings,
    sessionId: '',
    startedAt: 0,
    deviceToken: '',
    locale: settings.locale,
    link: NO_LINK,
    channels: {},
    over: [],
    shown: {},
    items: [],
    sending: [],
    batchLimit: BATCH_LIMIT,
    lanes: ALL_RESTING,
    stream: { isOpen: false, openedAt: 0, heardAt: 0, retryMs: 0 },
    requests: 0,
    isVisible: true,
    isOffline: false,
    isAnswered: false,
  }
}

/** A step that asks for nothing to be done, unless effects are given. */
export function to(state: State, ...effects: Effect[]): Step {
  return { state, effects }
}

/** Runs one step after another. */
export function andThen({ state, effects }: Step, follow: (state: State) => Step): Step {
  const next = follow(state)
  return { state: next.state, effects: [...effects, ...next.effects] }
}

export function setLane(state: State, name: LaneName, lane: Lane): State {
  return { ...state, lanes: { ...state.lanes, [name]: lane } }
}

/** Wants a request of a lane at `at` or earlier. */
export function want(state: State, name: LaneName, at: number, waiters?: readonly string[]): State {
  return setLane(state, name, ask(state.lanes[name], at, waiters))
}

/** The same, unless the lane fails: then it is due at its own time. */
export function wake(state: State, name: LaneName, at: number): State {
  return state.lanes[name].attempt ? state : want(state, name, at)
}

/** Starts a request. */
export function request(state: State, lane: LaneName, call: Call): Step {
  const number = state.requests + 1
  const started = setLane({ ...state, requests: number }, lane, begin(state.lanes[lane], number))
  return to(started, { type: 'request', lane, request: number, call })
}

/** Ends all requests, and makes everything due at once. Callers that wait for content are refused. */
export function endAll(state: State, error: ContentFlowError): Step {
  const lanes = Object.values(state.lanes)
  const waiters = lanes.flatMap((lane) => [...lane.waiters, ...lane.next])
  const ended: State = { ...state, lanes: ALL_RESTING, sending: [], stream: { ...state.stream, isOpen: false } }
  return to(ended, ...lanes.flatMap(abortOf), ...refuseAll(waiters, error))
}

/** Ends the request under way. */
export function abortOf({ request }: Lane): Effect[] {
  return request ? [{ type: 'abort', request }] : []
}

export function settleAll(ids: readonly string[], outcome: Outcome): Effect[] {
  return ids.map((id) => ({ type: 'settle', id, outcome }))
}

export function refuseAll(ids: readonly string[], error: ContentFlowError): Effect[] {
  return settleAll(ids, { status: 'failed', error })
}

export function emit<Name extends Emission['name']>(name: Name, value: Extract<Emission, { name: Name }>['value']): Effect {
  return { type: 'emit', emission: { name, value } as Emission }
}

/** The view for which content and texts are asked, besides the person. */
export function viewOf({ locale, settings }: State): string {
  return `${locale ?? ''} ${settings.namespace ?? ''}`
}
