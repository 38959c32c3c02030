/** Decides which requests are sent now, and when to look again. */
import { isDue, type Moment } from './lane.ts'
import { callFor, renewLink, takeNext } from './outbox.ts'
import { readingDevice } from './person.ts'
import { nextMoment } from './queue.ts'
import { andThen, request, setLane, to, viewOf, type State, type Step } from './state.ts'
import { streamMoment, driveStream } from './stream-steps.ts'

/** When the next step is due by time alone; Infinity: never. */
export function nextWake(state: State): number {
  const { sync, strings, outbox } = state.lanes
  if (state.phase !== 'running') return Infinity
  const due = [...(state.isVisible ? [sync, strings] : []), ...(state.items.length > 0 ? [outbox] : [])].filter(({ request }) => !request)
  return Math.min(...due.map(({ dueAt }) => dueAt), state.link.renewAt ?? Infinity, streamMoment(state))
}

/** Starts what is due, in a client that runs. */
export function startDue(state: State, moment: Moment): Step {
  if (state.phase !== 'running') return to(state)
  const { now } = moment
  let step = startRead(renewLink(state, moment), 'sync', now)
  step = andThen(step, (next) => driveStream(next, moment))
  step = andThen(step, (next) => startRead(next, 'strings', now))
  return andThen(step, (next) => startWrite(next, now))
}

/** A page in the background asks for nothing, unless a caller waits. */
function startRead(state: State, name: 'sync' | 'strings', now: number): Step {
  const lane = state.lanes[name]
  if (!isDue(lane, now) || (!state.isVisible && lane.waiters.length === 0)) return to(state)
  const { locale, settings } = state
  const { etag, view } = (name === 'sync' ? state.content : state.texts) ?? {}
  const [namespace, deviceId] = name === 'sync' ? [undefined, readingDevice(state)] : [settings.namespace, undefined]
  const path = `/${name}${queryOf({ locale, namespace })}`
  return request(state, name, { method: 'GET', path, deviceId, etag: view === viewOf(state) ? etag : undefined })
}

function startWrite(state: State, now: number): Step {
  const { outbox } = state.lanes
  if (!isDue(outbox, now)) return to(state)
  const batch = takeNext(state, now)
  const [first] = batch
  if (!first) return to(setLane(state, 'outbox', { ...outbox, dueAt: nextMoment(state.items, now) }))
  return request({ ...state, sending: batch.map(({ id }) => id) }, 'outbox', callFor(batch, first, state))
}

function queryOf(members: Record<string, string | undefined>): string {
  const pairs = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
