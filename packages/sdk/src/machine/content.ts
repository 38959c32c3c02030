/** Answers to GET /sync and GET /strings. */
import { FASTEST_POLL_MS, SLOW_POLL_MS } from '../limits.ts'
import { dataOf, errorOf, judge, type Answer, type JsonObject } from './answer.ts'
import { fail, finish, type Moment } from './lane.ts'
import { readCatalog, readSync } from './read-wire.ts'
import { emit, refuseAll, setLane, settleAll, to, viewOf, type Effect, type State, type Step } from './state.ts'

/** C-STREAM-10: the server's wish, spread by a tenth so that clients do not come together. */
export function pollPeriod({ content, stream }: State, random: number): number {
  if (stream.isOpen) return SLOW_POLL_MS
  const period = Math.max((content?.config.pollIntervalSeconds ?? 30) * 1000, FASTEST_POLL_MS)
  return period + (random * period) / 10
}

function nextPoll(state: State, name: 'sync' | 'strings', { now, random }: Moment): number {
  return now + (name === 'sync' ? pollPeriod(state, random) : SLOW_POLL_MS)
}

/** The server's answer replaces all content (C-SYNC-09); one that cannot be read changes nothing. */
export function contentAnswered(state: State, name: 'sync' | 'strings', answer: Answer, moment: Moment): Step {
  const verdict = judge(answer)
  const read = verdict === 'good' ? READERS[name](state, dataOf(answer), answer.etag) : verdict === 'unchanged' ? {} : undefined
  if (!read) return failed(state, name, answer, moment)
  const known = { ...state, ...read }
  const lane = finish(state.lanes[name], nextPoll(known, name, moment))
  const effects: Effect[] = settleAll(state.lanes[name].waiters, { status: 'done', data: undefined })
  if (name === 'strings') return to(setLane(known, name, lane), ...effects)
  if (state.isOffline) effects.push(emit('online', undefined))
  return to(
    { ...setLane(known, name, lane), lastEventId: answer.lastEventId ?? state.lastEventId, isOffline: false, isAnswered: true },
    ...effects,
    emit('synced', undefined),
  )
}

/** Puts in what a server of the application asked for: newer than anything stored, and answered before this client asks (decision 90). */
export function withBootstrap(state: State): State {
  const { sync, strings } = state.settings.bootstrap ?? {}
  return { ...state, ...(sync && READERS.sync(state, sync)), ...(strings && READERS.strings(state, strings)) }
}

/** Reads what a payload changes; undefined when it cannot be read. */
const READERS = {
  sync: (state: State, data: JsonObject, etag?: string): Partial<State> | undefined => {
    const read = readSync(data)
    // A message the server no longer delivers need not be remembered as answered.
    const isOpen = (id: string) => read?.blocks.some(({ instanceId }) => instanceId === id)
    return (
      read && { content: { ...read, etag, view: viewOf(state) }, over: state.over.every(isOpen) ? state.over : state.over.filter(isOpen) }
    )
  },
  strings: (state: State, data: JsonObject, etag?: string): Partial<State> | undefined => {
    const catalog = readCatalog(data)
    return catalog && { texts: { catalog, etag, view: viewOf(state) } }
  },
}

/** C-ERR-28: a refused request is not repeated, but polling goes on at its own pace. Repeated refusals are reported once. */
function failed(state: State, name: 'sync' | 'strings', answer: Answer, moment: Moment): Step {
  const lane = state.lanes[name]
  const error = errorOf(answer)
  const isFinal = judge(answer) === 'refused'
  const effects: Effect[] = refuseAll(lane.waiters, error)
  if (isFinal && lane.attempt === 0) effects.push(emit('error', error))
  const refused = { ...finish(lane, nextPoll(state, name, moment)), attempt: 1 }
  const next = setLane(state, name, isFinal ? refused : fail(lane, moment, answer.retryAfterMs))
  if (name === 'strings' || state.isOffline) return to(next, ...effects)
  return to({ ...next, isOffline: true }, ...effects, emit('offline', error))
}
