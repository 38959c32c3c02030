import { refusalOf } from '../../errors.ts'
import { FairLimiter } from './fair-limiter.ts'

type Limits = {
  /** Pieces of work of one workspace at a time. */
  atOnce: number
  /** Of one workspace; whoever comes then is refused at once. */
  mostWaiting: number
  longestWaitMs: number
}

type Limiter = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>

/** Work of one workspace about somebody: `about` names whom, by everything that may name them. */
type KeyedLimiter = <T>(workspaceId: string, about: readonly string[], work: () => Promise<T>) => Promise<T>

/** What takes turns before it takes a connection, besides the changes of a workspace (`change.ts`). */
export type Limiters = {
  /** Reads of one workspace over the management API. */
  reads: Limiter
  /** Of all that a workspace holds: a hundred megabytes, and a few times as much while they are compared or sent. */
  wholeReads: Limiter
  /** Writes of applications, each about one installation and its person. */
  clientWrites: KeyedLimiter
}

const LONGEST_WAIT_MS = 20_000
const REFUSED = 'Too much work of this workspace waits already; try again'
/** Of the bodies that wait with the work of one workspace, as they were sent; read, they take a few times as much. */
const WAITING_BYTES = 50_000_000

/**
 * Of the connections, reads of one workspace have two fifths: four of ten, as much as a page of the dashboard asks for at once.
 * Servers with a read key may ask for many people at a time, each in a moment. Writes of its applications have as many.
 */
export function openWorkspaceLimiters(connections: number): Limiters {
  const share = Math.floor((connections * 2) / 5)
  return {
    reads: openLimiter({ atOnce: Math.max(2, share), mostWaiting: 1_000, longestWaitMs: LONGEST_WAIT_MS }),
    wholeReads: openLimiter({ atOnce: 2, mostWaiting: 100, longestWaitMs: LONGEST_WAIT_MS }),
    clientWrites: openKeyedLimiter({ atOnce: Math.max(1, share), mostWaiting: 5_000, longestWaitMs: LONGEST_WAIT_MS }),
  }
}

/**
 * Work of one workspace takes turns before it takes a connection: however much one asks for, the connections of the
 * others are free. Work that would wait too long is refused with 503, and nobody else's is.
 */
export function openLimiter(limits: Limits): Limiter {
  const inTurn = openKeyedLimiter(limits)
  return (workspaceId, work) => inTurn(workspaceId, [], work)
}

/**
 * The same, one at a time about each person: rows of one person are written one after the other anyway, and work that waited for
 * them would hold a connection meanwhile. Work about others goes past it.
 */
export function openKeyedLimiter({ atOnce, mostWaiting, longestWaitMs }: Limits): KeyedLimiter {
  const limiter = new FairLimiter({
    each: atOnce,
    mostWaiting,
    mostWaitingBytes: WAITING_BYTES,
    waitMs: longestWaitMs,
    refuse: () => {
      throw refusalOf('UPSTREAM_UNAVAILABLE', { message: REFUSED, retryAfter: 5 })
    },
  })
  return (workspaceId, about, work) => limiter.take(workspaceId, work, { about })
}

/** The names under which work about somebody takes turns, by what names them; what is no text names nobody. */
export function aboutPerson(named: { deviceId?: unknown; userId?: unknown; profileId?: unknown }): string[] {
  return Object.entries(named).flatMap(([kind, id]) => (typeof id === 'string' && id !== '' ? [`${kind} ${id}`] : []))
}
