/** The shell around the machine: gives it the time, carries out what it decides, and keeps what it knows. */
import { LONGEST_TIMER_MS } from '../limits.ts'
import { asObject, errorOf, judge, makeError, type Answer, type Call, type JsonObject } from '../machine/answer.ts'
import { watchPage } from './browser.ts'
import { withBootstrap } from '../machine/content.ts'
import { nextWake } from '../machine/due.ts'
import type { Heard } from './event-stream.ts'
import { createKeeper } from './keeper.ts'
import type { Moment } from '../machine/lane.ts'
import { snapshotOf } from '../machine/snapshot.ts'
import { emit, initialState, type Effect, type Settings, type State, type Step, type StepEvent } from '../machine/state.ts'
import { step } from '../machine/step.ts'
import { changedParts, readStored, storageName } from './storage.ts'
import { ask, failed, readAnswer, requestOf, type TransportOptions, type Wire } from './transport.ts'
import type { ClientEvents, ClientOptions, ContentFlowError, Snapshot, Storage } from '../types.ts'

/** The options of a client, all filled in. */
export type EngineOptions = ClientOptions & TransportOptions & Settings & { storage: Storage; random: () => number; newId: () => string }

export type Engine = {
  state(): State
  snapshot(): Snapshot
  on<Name extends keyof ClientEvents>(name: Name, listener: (value: ClientEvents[Name]) => void): () => void
  start(): void
  stop(): void
  dispatch(event: StepEvent): void
  /** Dispatches what `make` makes with a new id; the machine settles the promise under it. */
  promise<Value>(make: (id: string) => StepEvent): Promise<Value>
  /**
   * One request with an answer that is not kept. When somebody else is in front of the screen by the time it is
   * answered, it is asked again for them. `make` is given what is known at that moment.
   */
  call(make: (state: State) => Call): Promise<JsonObject>
}

/** One step of the machine, told for tools as `step`; what they dispatch is taken as another one. */
export type Stepped = Step & { event: StepEvent; dispatch: (event: StepEvent) => void }

type Promised = { resolve(value: never): void; reject(error: Error): void }

/** Does nothing until it is started. */
export function createEngine(options: EngineOptions): Engine {
  const promised = new Map<string, Promised>()
  const underWay = new Map<number, AbortController>()
  const listeners = new Map<string, Set<(value: never) => void>>()
  const inbox: StepEvent[] = []
  const whenLoaded: (() => void)[] = []
  let isStepping = false
  let state = withBootstrap(initialState(options))
  let snapshot = snapshotOf(state)
  let cancelTimer: (() => void) | undefined
  let unwatch: (() => void) | undefined
  let latest = -Infinity
  let skew = 0

  /** Time never goes back here, whatever is done to the clock: what is due would not become so for as long. */
  const moment = (): Moment => {
    const now = options.now()
    skew = Math.max(skew, latest - now)
    latest = now + skew
    return { now: latest, random: options.random(), id: options.newId() }
  }
  /** Steps never run inside each other: what a listener causes comes after what it was told of. */
  const dispatch = (event: StepEvent): void => {
    inbox.push(event)
    if (isStepping) return
    isStepping = true
    for (let next = inbox.shift(); next; next = inbox.shift()) take(next)
    isStepping = false
  }
  const take = (event: StepEvent): void => {
    const before = state
    const taken = step(before, event, moment())
    state = taken.state
    const shown = snapshot
    snapshot = snapshotOf(state, shown, before)
    run(emit('step', { ...taken, event, dispatch } satisfies Stepped))
    if (state.phase !== 'starting') for (const resolve of whenLoaded.splice(0)) resolve()
    for (const effect of taken.effects) run(effect)
    // Before storage has been read nothing may overwrite it; and parts that were just read need not be written.
    if (state.deviceId !== undefined) keeper.save(changedParts(event.type === 'loaded' ? { ...before, ...event.stored } : before, state))
    if (shown !== snapshot) run(emit('change', snapshot))
    cancelTimer?.()
    const wait = Math.max(nextWake(state) - latest, 0)
    cancelTimer = wait === Infinity ? undefined : options.schedule(() => dispatch({ type: 'tick' }), Math.min(wait, LONGEST_TIMER_MS))
  }
  const run = (effect: Effect): void => {
    switch (effect.type) {
      case 'load':
        return keeper.load((texts) => dispatch({ type: 'loaded', stored: readStored(texts) }))
      case 'request':
        return void request(effect)
      case 'abort':
        return underWay.get(effect.request)?.abort()
      case 'emit':
        if (/^(offline|rejected)$/.test(effect.emission.name))
          explain(effect.emission.value as ContentFlowError, options.baseUrl).catch(failed)
        for (const listener of listeners.get(effect.emission.name) ?? []) callListener(() => listener(effect.emission.value as never))
        return
      default:
        settle(effect)
    }
  }
  const request = async ({ lane, request: number, call }: Extract<Effect, { type: 'request' }>): Promise<void> => {
    const controller = new AbortController()
    underWay.set(number, controller)
    const heard = (said: Heard) => dispatch({ type: 'heard', request: number, ...said })
    const answer = await (lane === 'stream'
      ? listen({ ...options, requestOf, readAnswer, sender: state }, call, controller.signal, heard)
      : ask(options, call, state, controller))
    underWay.delete(number)
    dispatch({ type: 'answered', lane, request: number, answer })
  }
  /** A refusal without a waiting caller is reported as an error. */
  const settle = ({ id, outcome }: Extract<Effect, { type: 'settle' }>): void => {
    const waiting = promised.get(id)
    promised.delete(id)
    if (outcome.status !== 'failed') waiting?.resolve(outcome as never)
    else if (waiting) waiting.reject(outcome.error)
    else run(emit('error', outcome.error))
  }
  const keeper = createKeeper(options.storage, storageName(options.baseUrl, options.key), (error) => run(emit('error', error)))

  return {
    dispatch,
    state: () => state,
    snapshot: () => snapshot,
    on: (name, listener) => {
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      return () => void all.delete(listener)
    },
    start: () => {
      if (state.phase !== 'stopped') return
      dispatch({ type: 'start' })
      unwatch = watchPage(dispatch, (name, text) => {
        if (name === keeper.nameOf('device')) dispatch({ type: 'loaded', stored: readStored({ device: text }) })
      })
    },
    stop: () => {
      unwatch?.()
      dispatch({ type: 'stop' })
    },
    promise: (make) =>
      new Promise((resolve, reject) => {
        const id = options.newId()
        const event = make(id)
        promised.set(id, { resolve, reject })
        dispatch(event)
      }),
    call: async (make) => {
      if (state.phase === 'starting') await new Promise<void>((resolve) => void whenLoaded.push(resolve))
      for (;;) {
        const { phase, rejection, deviceId, link, locale: asked } = state
        if (phase !== 'running') throw rejection ?? makeError('STOPPED')
        const answer = await ask(options, make(state), state, new AbortController())
        const verdict = judge(answer)
        if (verdict === 'rejected') dispatch({ type: 'keyRejected', answer })
        if (verdict !== 'good') throw errorOf(answer)
        if (state.deviceId === deviceId && state.link.userId === link.userId && state.locale === asked) return asObject(answer.body)
      }
    },
  }
}

/** Parts that only some apps need are files of their own: streams with the agreement between tabs, and hints for developers. */
const listen = (wire: Wire, call: Call, signal: AbortSignal, heard: (said: Heard) => void): Promise<Answer> =>
  import('./live.ts').then(({ live }) => live(wire, call, signal, heard)).catch(failed)
async function explain(error: ContentFlowError, baseUrl: string): Promise<void> {
  const { hint } = await import('./hints.ts')
  hint(error, baseUrl)
}

/** A fault of the application is shown where faults are, and does not stop the client. */
function callListener(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
