/** States of the machine for tests, reached by its own steps. */
import type { Answer } from '../../src/machine/answer.ts'
import { initialState, type Effect, type LaneName, type Settings, type State, type StepEvent } from '../../src/machine/state.ts'
import { step } from '../../src/machine/step.ts'

export const NOW = Date.UTC(2026, 2, 1, 12)

export type Machine = {
  readonly state: State
  /** Of the last event. */
  readonly effects: readonly Effect[]
  readonly now: number
  send(event: StepEvent, random?: number): Machine
  /** Lets time pass, and looks what is due. */
  pass(milliseconds: number): Machine
  /** Answers what is under way. */
  answer(lane: LaneName, answer: Answer): Machine
  /** Started, with an empty storage, and nothing answered yet. */
  run(): Machine
  /** The same with blocks and texts answered once. */
  ready(): Machine
  /** The requests among the effects. */
  requests(): Extract<Effect, { type: 'request' }>[]
  requested(): string[]
}

/** A machine that is fed events by hand. */
export function machine({ isStreamWanted = true, deviceId, ...more }: Partial<Settings> = {}): Machine {
  let state = initialState({ ...(deviceId !== undefined && { deviceId }), platform: 'web', isStreamWanted, ...more })
  let effects: readonly Effect[] = []
  let now = NOW
  let ids = 0
  const self: Machine = {
    get state(): State {
      return state
    },
    get effects(): readonly Effect[] {
      return effects
    },
    get now(): number {
      return now
    },
    send(event: StepEvent, random = 0) {
      const taken = step(state, event, { now, random, id: `id-${++ids}` })
      state = taken.state
      effects = taken.effects
      return self
    },
    pass(milliseconds: number) {
      now += milliseconds
      return self.send({ type: 'tick' })
    },
    answer(lane: LaneName, answer: Answer) {
      return self.send({ type: 'answered', lane, request: state.lanes[lane].request, answer })
    },
    run() {
      return self.send({ type: 'start' }).send({ type: 'loaded', stored: {} })
    },
    ready() {
      return self
        .run()
        .answer('sync', synced())
        .answer('strings', ok({ locale: 'en', strings: {} }))
    },
    requests(): Extract<Effect, { type: 'request' }>[] {
      return effects.filter((effect) => effect.type === 'request')
    },
    requested(): string[] {
      return self.requests().map(({ call }) => `${call.method} ${call.path}`)
    },
  }
  return self
}

export function ok(data: Record<string, unknown>, more: Partial<Answer> = {}): Answer {
  return { status: 200, body: { success: true, data }, environment: 'live', ...more }
}

export function synced(blocks: object[] = [], config: object = { features: {}, pollIntervalSeconds: 30 }, etag = '"e"'): Answer {
  return ok({ blocks, config }, { etag })
}

export function failedWith(status: number, code?: string, more: Partial<Answer> = {}): Answer {
  return { status, body: { success: false, error: 'no', ...(code && { code }) }, ...more }
}

export function block(instanceId: string, more: object = {}) {
  return { key: 'promo', name: 'Promo', screen: 'home', instanceId, version: 1, values: {}, fields: [], visible: true, ...more }
}

export function write(
  id: string,
  kind: 'event' | 'identify' | 'logout' | 'erase' | 'consent' | 'registerPush',
  body: object = {},
): StepEvent {
  return { type: 'enqueue', item: { id, kind, body: { ...body }, sessionId: 'id-1' } }
}

export const identified = (userId: string) => ok({ consent: true, results: { identity: { status: 'identified', userId } }, segments: [] })
