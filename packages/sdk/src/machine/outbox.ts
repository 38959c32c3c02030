/** Queues, sends and settles every write of this installation, in order. */
import { GATHER_MS, GIVE_UP, RENEW_MS } from '../limits.ts'
import { asObject, codeOf, dataOf, errorOf, isObject, judge, makeError, type Answer, type Call, type JsonObject } from './answer.ts'
import { fail, finish, type Moment } from './lane.ts'
import { forgetPerson, hidePerson, newDevice, resync } from './person.ts'
import { addItem, BARRIERS, BATCH_LIMIT, idsOf, isLeaving, nextItems, ROUTES, queuedConsent, type Item } from './queue.ts'
import { retryDelay } from './retry.ts'
import { andThen, emit, refuseAll, setLane, settleAll, to, wake, want, type Effect, type Link, type State, type Step } from './state.ts'

/** The identity of the caller was not proven. */
const UNPROVEN = /^(USER_TOKEN|DEVICE_PROOF)_/

/** Takes a write in. Without consent nothing about the person is kept, and what waits is dropped with a denial. */
export function enqueue(state: State, { item }: { item: Item }, { now }: Moment): Step {
  const { id, kind } = item
  const isEvent = kind === 'event'
  if (isEvent && queuedConsent(state.items, state.link.consent) === 'denied') return to(state)
  const gone = state.items.filter((each) => isPointless(each, item))
  const { items, dropped } = addItem(without(state.items, gone), item)
  const effects: Effect[] = refuseAll(writesOf(gone), makeError('SUPERSEDED'))
  if (dropped)
    effects.push(...(dropped.kind === 'event' ? [emit('dropped', { queue_full: 1 })] : refuseAll([dropped.id], makeError('QUEUE_FULL'))))
  if (!isEvent && (state.phase === 'stopped' || state.lanes.outbox.attempt > 0)) effects.push(...settleAll([id], { status: 'pending' }))
  // While sending fails, new writes wait with the others.
  const queued = wake({ ...state, items }, 'outbox', isEvent ? now + GATHER_MS : now)
  const { userId } = state.link
  const isNewlyLeaving = isLeaving(items, userId) && !isLeaving(state.items, userId)
  return andThen(to(queued, ...effects), (next) => (isNewlyLeaving ? resync(hidePerson(next), now) : to(next)))
}

/** Everything before an erasure, events before a denial, and what is held back for a person who logs out. */
function isPointless({ kind, notBefore }: Item, later: Item): boolean {
  if (later.kind === 'logout') return notBefore !== undefined
  return later.kind === 'erase' || (kind === 'event' && later.body['consent'] === false)
}

/** Renews the link before it lapses, so that targeted content and events go on; traits stay as they are. */
export function renewLink(state: State, { now, id }: Moment): State {
  const { renewAt } = state.link
  if (renewAt === undefined || now < renewAt) return state
  const renewed: State = { ...state, link: { ...state.link, renewAt: now + RENEW_MS } }
  if (state.items.some(({ kind }) => kind === 'identify' || kind === 'erase')) return renewed
  return wake({ ...renewed, items: [identifyAgain(state, id), ...state.items] }, 'outbox', now)
}

function identifyAgain({ link, sessionId }: State, id: string): Item {
  return { id, kind: 'identify', body: { consent: link.consent === 'granted', userId: link.userId }, sessionId }
}

/** The items to send next. */
export function takeNext(state: State, now: number): readonly Item[] {
  return nextItems(state.items, state.link.consent, now, state.batchLimit)
}

/** The request for a batch. The device is named in the header, which every route reads and the erasure alone takes. */
export function callFor(batch: readonly Item[], first: Item, { deviceId, locale, settings, link }: State): Call {
  const [method, path] = ROUTES[first.kind]
  const { platform } = settings
  const body =
    first.kind === 'event'
      ? { events: batch.map(({ id, body }) => ({ ...body, eventId: id })), context: { sessionId: first.sessionId, platform } }
      : first.body
  const userId = (first.kind === 'erase' ? link : body)['userId'] as string | undefined
  return { method, path, deviceId, userId, locale, body: method === 'DELETE' ? undefined : { ...body, deviceId } }
}

/** An answer to what is under way. */
export function outboxAnswered(before: State, answer: Answer, moment: Moment): Step {
  const sent = before.items.filter(({ id }) => before.sending.includes(id))
  const state = setLane({ ...before, sending: [] }, 'outbox', finish(before.lanes.outbox, moment.now))
  const [first] = sent
  // The write was withdrawn meanwhile.
  if (!first) return to(state)
  const verdict = judge(answer)
  const isPartial = answer.status === 207
  // C-IDN-11, C-OUT-03, C-PUSH-15, C-ERASE-11: the first part stands, and the call is repeated for the rest.
  if (isPartial || verdict === 'retry') {
    const step = isPartial ? apply(state, first, answer, moment) : to(state)
    return andThen(step, (next) => repeat(next, sent, before, answer, moment))
  }
  if (codeOf(answer) === 'DEVICE_PROOF_REQUIRED' && !first.isRepeat) return to(proveAgain(state, sent, moment))
  const left: State = { ...state, items: without(state.items, sent) }
  if (verdict !== 'good') return sent.length > 1 ? to(halveBatch(state, sent)) : refused(left, first, answer)
  if (first.kind === 'event') return eventsTaken(state, left, sent, answer, moment)
  return andThen(apply(left, first, answer, moment), (next) => to(next, ...settleAll([first.id], { status: 'done', data: dataOf(answer) })))
}

/** Applies the server's answer to a write. */
function apply(state: State, { kind, body }: Item, answer: Answer, { now, id }: Moment): Step {
  const data = dataOf(answer)
  const { channels, deviceToken } = data
  if (isObject(channels)) return to({ ...state, channels })
  if (kind === 'identify')
    return resync(linked(typeof deviceToken === 'string' ? { ...state, deviceToken } : state, linkOf(body, data, state.link, now)), now)
  if (kind === 'logout') return resync(hidePerson({ ...state, link: { ...state.link, userId: undefined }, channels: {} }), now)
  return kind === 'erase' && data['localWipeSafe'] === true ? resync(forgetPerson(state, id), now) : to(state)
}

/** The echo of the server decides (C-DEV-07, C-DEV-08). */
function linkOf(body: JsonObject, data: JsonObject, before: Link, now: number): Link {
  if (data['consent'] !== true) return { userId: undefined, consent: 'denied', renewAt: undefined }
  const { status, userId = body['userId'] ?? before.userId } = asObject(asObject(data['results'])['identity'])
  return { userId: status === 'identified' ? String(userId) : undefined, consent: 'granted', renewAt: now + RENEW_MS }
}

/** Consent of one person is not that of another; only the server knows theirs. */
function linked(state: State, link: Link): State {
  const isOther = state.link.userId !== undefined && state.link.userId !== link.userId
  const next = { ...state, link, channels: isOther ? {} : state.channels }
  return isOther || link.consent === 'denied' ? hidePerson(next) : next
}

/** The server says when content that follows from the events is ready, if they may bring any. */
function eventsTaken(state: State, left: State, sent: readonly Item[], answer: Answer, { now }: Moment): Step {
  const { dropReasons, syncAfterMs } = dataOf(answer)
  const reasons = asObject(dropReasons) as Record<string, number>
  // The record lapsed, or somebody removed it: after one more identify the same events are accepted. Only once; a second refusal has another cause.
  if (reasons['device_not_identified'] && !sent.some(({ isRepeat }) => isRepeat)) {
    return to({ ...state, items: withNote(state, sent, { isRepeat: true }), link: { ...state.link, renewAt: now } })
  }
  const taken = want({ ...left, batchLimit: BATCH_LIMIT }, 'sync', now + (Number(syncAfterMs) || Infinity))
  return to(taken, ...(Object.keys(reasons).length > 0 ? [emit('dropped', reasons)] : []))
}

/**
 * The token of this installation was lost. The person's own token brings another; without one it goes on as an
 * installation that the server has never seen.
 */
function proveAgain(state: State, sent: readonly Item[], { id }: Moment): State {
  const repeated: State = { ...state, items: withNote(state, sent, { isRepeat: true }) }
  if (sent[0]?.kind === 'identify') return { ...repeated, ...newDevice(state, id) }
  return { ...repeated, items: [identifyAgain(state, id), ...repeated.items] }
}

function withNote({ items }: State, sent: readonly Item[], note: Partial<Item>): readonly Item[] {
  return items.map((item) => (sent.includes(item) ? { ...item, ...note } : item))
}

/** Callers that wait learn that the write is pending. A limit of the person stops one kind of write, not the others. */
function repeat(state: State, sent: readonly Item[], before: State, answer: Answer, moment: Moment): Step {
  const { now, random } = moment
  if (codeOf(answer) === 'USER_RATE_LIMITED') {
    const notBefore = now + retryDelay(0, random, answer.retryAfterMs)
    return to({ ...state, items: withNote(state, sent, { notBefore }) }, ...settleAll(idsOf(sent), { status: 'pending' }))
  }
  const lane = fail(before.lanes.outbox, moment, answer.retryAfterMs)
  const step = isBetween(answer) ? stepAsideAfterFailure(state, sent, lane.attempt) : to(state)
  return andThen(step, (next) => to(setLane(next, 'outbox', lane), ...settleAll(writesOf(next.items), { status: 'pending' })))
}

/** Whether the answer came from a proxy that refused the request itself. */
function isBetween({ status }: Answer): boolean {
  return status > 0 && status < 500 && status !== 429
}

/**
 * A firewall may take offence at one event, at what a property of it says. Its batch is halved, and alone it goes behind
 * what waits about the same person. It must not keep people from leaving: before that it is given up.
 */
function stepAsideAfterFailure(state: State, sent: readonly Item[], attempt: number): Step {
  const [first] = sent
  if (first?.kind !== 'event') return to(state)
  if (sent.length > 1) return to(halveBatch(state, sent))
  const others = [...without(state.items, sent)]
  const barrier = others.findIndex(({ kind }) => BARRIERS.has(kind))
  if (barrier === 0 && attempt > GIVE_UP) return to({ ...state, items: others }, emit('dropped', { not_taken: 1 }))
  others.splice(barrier < 0 ? others.length : barrier, 0, first)
  return to({ ...state, items: others })
}

/** One refused event must not drop its batch: the batch is halved until the event is alone. */
function halveBatch(state: State, sent: readonly Item[]): State {
  return { ...state, batchLimit: Math.ceil(sent.length / 2) }
}

/** C-ERR-28. */
function refused(state: State, { id }: Item, answer: Answer): Step {
  const error = errorOf(answer)
  return to(state, ...refuseAll([id], error), ...(UNPROVEN.test(String(error.code)) ? [emit('identity_refused', error)] : []))
}

/** Callers wait for these. */
export function writesOf(items: readonly Item[]): string[] {
  return idsOf(items.filter(({ kind }) => kind !== 'event'))
}

function without(items: readonly Item[], gone: readonly Item[]): readonly Item[] {
  return items.filter((item) => !gone.includes(item))
}
