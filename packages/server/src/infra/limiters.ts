import { refusalOf, type ApiError } from '../errors.ts'
import { currentBodyBytes } from './request-scope.ts'

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
 * others are free. Whoever would wait too long is refused with 503; nobody else is.
 */
export function openLimiter(limits: Limits): Limiter {
  const inTurn = openKeyedLimiter(limits)
  return (workspaceId, work) => inTurn(workspaceId, NOBODY, work)
}

/** The names under which work about somebody takes turns, by what names them; what is no text names nobody. */
export function aboutPerson(named: { deviceId?: unknown; userId?: unknown; profileId?: unknown }): string[] {
  return Object.entries(named).flatMap(([kind, id]) => (typeof id === 'string' && id !== '' ? [`${kind} ${id}`] : []))
}

const NOBODY: readonly string[] = []
type Waiting = { about: readonly string[]; begin(): void }
type Queue = {
  running: number
  /** Whom work is under way about. */
  busy: Set<string>
  /** Pieces of work about somebody, under way or waiting. */
  pieces: Map<string, number>
  /** In the order they came. */
  waiting: Set<Waiting>
  bytes: number
}

/**
 * The same, one at a time about anybody: rows of one person are written one after the other anyway, and whoever would wait for
 * them would wait with a connection. Work about others goes past it.
 */
export function openKeyedLimiter({ atOnce, mostWaiting, longestWaitMs }: Limits): KeyedLimiter {
  const queues = new Map<string, Queue>()

  const wait = (queue: Queue, about: readonly string[], bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        queue.waiting.delete(waiting)
        queue.bytes -= bytes
      }
      const timer = setTimeout(() => {
        leave()
        reject(refusal())
      }, longestWaitMs)
      const waiting = {
        about,
        begin: () => {
          clearTimeout(timer)
          leave()
          resolve()
        },
      }
      queue.waiting.add(waiting)
      queue.bytes += bytes
    })

  return async (workspaceId, about, work) => {
    const queue = queues.get(workspaceId) ?? { running: 0, busy: new Set(), pieces: new Map(), waiting: new Set(), bytes: 0 }
    queues.set(workspaceId, queue)
    const bytes = currentBodyBytes()
    // Whoever waits while there is a turn waits for somebody of theirs.
    const isFree = queue.running < atOnce && about.every((name) => !queue.pieces.has(name))
    if (!isFree && (queue.waiting.size >= mostWaiting || queue.bytes + bytes > WAITING_BYTES)) throw refusal()
    for (const name of about) queue.pieces.set(name, (queue.pieces.get(name) ?? 0) + 1)
    let isBegun = isFree
    try {
      if (isFree) take(queue, about)
      else await wait(queue, about, bytes)
      isBegun = true
      return await work()
    } finally {
      if (isBegun) giveBack(queue, about)
      forgetPiece(queue, about)
      // The turn is handed on, so that nobody comes in between.
      beginNext(queue, atOnce)
      if (queue.running === 0 && queue.waiting.size === 0) queues.delete(workspaceId)
    }
  }
}

function take(queue: Queue, about: readonly string[]): void {
  queue.running++
  for (const name of about) queue.busy.add(name)
}

function giveBack(queue: Queue, about: readonly string[]): void {
  queue.running--
  for (const name of about) queue.busy.delete(name)
}

function forgetPiece({ pieces }: Queue, about: readonly string[]): void {
  for (const name of about) {
    const left = (pieces.get(name) ?? 0) - 1
    if (left > 0) pieces.set(name, left)
    else pieces.delete(name)
  }
}

/** Begins what may begin, in the order it came; nothing goes past work about the same. */
function beginNext(queue: Queue, atOnce: number): void {
  const claimed = new Set<string>()
  for (const one of queue.waiting) {
    if (queue.running >= atOnce) return
    const isHeldUp = one.about.some((name) => queue.busy.has(name) || claimed.has(name))
    if (isHeldUp) for (const name of one.about) claimed.add(name)
    else {
      take(queue, one.about)
      one.begin()
    }
  }
}

const REFUSED = 'Too much work of this workspace waits already; try again'

function refusal(): ApiError {
  return refusalOf('UPSTREAM_UNAVAILABLE', { message: REFUSED, retryAfter: 5 })
}

/**
 * Room for so much at once. Who finds none waits, in the order they came, as long as it takes: it is work of this process,
 * of which a bounded part waits, and no request that has to be answered.
 */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []
  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((go) => this.#waiting.push(go))
    try {
      return await work()
    } finally {
      // The place is handed on, so that nobody comes in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
