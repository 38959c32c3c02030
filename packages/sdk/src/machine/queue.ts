/** The writes that wait to be sent, oldest first, and the choice of the next. */
import type { JsonObject } from './answer.ts'
import type { AnalyticsConsent } from '../types.ts'

/** Every write there is, and its route. */
export const ROUTES = {
  event: ['POST', '/events'],
  identify: ['POST', '/identify'],
  logout: ['POST', '/logout'],
  erase: ['DELETE', '/identify'],
  signed: ['POST', '/track-event'],
  profile: ['POST', '/profile'],
  consent: ['POST', '/consent'],
  fullConsent: ['POST', '/consent/full'],
  registerPush: ['POST', '/register-push'],
  unregisterPush: ['DELETE', '/register-push'],
  preferences: ['PATCH', '/push/preferences'],
  location: ['POST', '/location'],
} as const
export type ItemKind = keyof typeof ROUTES

export type Item = {
  /** Also the `eventId` of an event: one that is sent twice is stored once. */
  id: string
  kind: ItemKind
  body: JsonObject
  sessionId: string
  /** Not sent before this moment, milliseconds: a limit of the person holds it back. */
  notBefore?: number
  /** The device record had lapsed, or the device's token was lost, when this was sent first; it is sent once more. */
  isRepeat?: true
}

/** C-LIMIT-18. */
export const QUEUE_LIMIT = 500
/** C-EVT-08. */
export const BATCH_LIMIT = 100

/** Writes that change the current person: nothing overtakes them. */
export const BARRIERS: ReadonlySet<ItemKind> = new Set(['identify', 'logout', 'erase'])

/**
 * C-LIMIT-18: at most 500, the oldest dropped. An event goes before anything that says who the person is and what they
 * agreed to.
 */
export function addItem(items: readonly Item[], item: Item): { items: readonly Item[]; dropped: Item | undefined } {
  if (items.length < QUEUE_LIMIT) return { items: [...items, item], dropped: undefined }
  const dropped = items.find(({ kind }) => kind === 'event') ?? items[0]
  return { items: [...items.filter((each) => each !== dropped), item], dropped }
}

/** The next items: one write, or a batch of events of one session. Events need consent; without a decision they wait. */
export function nextItems(items: readonly Item[], consent: AnalyticsConsent, now: number, limit = BATCH_LIMIT): readonly Item[] {
  const batch: Item[] = []
  const held = new Set<string>()
  for (const item of items) {
    // Writes about the same subject keep their order: an older decision must not come after a newer one.
    const subject = ROUTES[item.kind][1].slice(0, 6)
    if (item.kind === 'event') {
      if (consent !== 'granted') continue
      const [first = item] = batch
      if (batch.length < limit && first.sessionId === item.sessionId) batch.push(item)
    } else if (batch.length === 0 && (item.notBefore ?? 0) <= now && !held.has(subject)) return [item]
    else if (BARRIERS.has(item.kind)) return batch
    else held.add(subject)
  }
  return batch
}

/** The next moment at which something that is held back may go; Infinity when nothing is. */
export function nextMoment(items: readonly Item[], now: number): number {
  return Math.min(...items.map(({ notBefore = 0 }) => (notBefore > now ? notBefore : Infinity)), Infinity)
}

/** The choice about analytics that the person made last, sent or not. */
export function queuedConsent(items: readonly Item[], consent: AnalyticsConsent): AnalyticsConsent {
  const last = items.findLast(({ kind }) => BARRIERS.has(kind) && kind !== 'logout')
  if (!last) return consent
  return last.kind === 'erase' ? 'unknown' : last.body['consent'] === true ? 'granted' : 'denied'
}

/** Whether something waits that takes a person off this installation: until it is done, nothing of theirs may come back. */
export function isLeaving(items: readonly Item[], userId: string | undefined): boolean {
  let last: unknown = userId
  return items.some(({ kind, body }) => {
    if (kind !== 'identify') return kind === 'logout' || kind === 'erase'
    const before = last
    // It may have been sent already, while its answer was lost.
    last = body['userId'] ?? last
    return body['consent'] === false || (before !== undefined && before !== last)
  })
}

/** The person named last, sent or not. */
export function queuedUser(items: readonly Item[], userId: string | undefined): string | undefined {
  const named = items.findLast(({ kind, body }) => BARRIERS.has(kind) && (kind !== 'identify' || body['userId'] !== undefined))
  if (!named) return userId
  const { userId: wished } = named.body
  return typeof wished === 'string' ? wished : undefined
}

export function idsOf(items: readonly Item[]): string[] {
  return items.map(({ id }) => id)
}
