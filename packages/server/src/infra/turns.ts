import { refusalOf, type ApiError } from '../errors.ts'
import { currentBodyBytes } from './request-scope.ts'

type Limits = {
  /** Pieces of work of one workspace at a time. */
  atOnce: number
  /** Of one workspace; whoever comes then is refused at once. */
  mostWaiting: number
  longestWaitMs: number
}

type InTurn = <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>

/** Reads of one workspace over the management API. */
export type ManagementTurns = {
  reads: InTurn
  /** Of all that a workspace holds: a hundred megabytes, and a few times as much while they are compared or sent. */
  wholeReads: InTurn
}

const LONGEST_WAIT_MS = 20_000
/** Of the bodies that wait with the work of one workspace, as they were sent; read, they take a few times as much. */
const WAITING_BYTES = 50_000_000

/**
 * Of the connections, reads of one workspace have two fifths: four of ten, as much as a page of the dashboard asks for at once.
 * Servers with a read key may ask for many people at a time, each in a moment.
 */
export function openManagementTurns(connections: number): ManagementTurns {
  const share = Math.max(2, Math.floor((connections * 2) / 5))
  return {
    reads: openTurns({ atOnce: share, mostWaiting: 1_000, longestWaitMs: LONGEST_WAIT_MS }),
    wholeReads: openTurns({ atOnce: 2, mostWaiting: 100, longestWaitMs: LONGEST_WAIT_MS }),
  }
}

/**
 * Work of one workspace takes turns before it takes a connection: however much one asks for, the connections of the
 * others are free. Whoever would wait too long is refused with 503; nobody else is.
 */
export function openTurns({ atOnce, mostWaiting, longestWaitMs }: Limits): InTurn {
  type Queue = { running: number; waiting: Set<() => void>; bytes: number }
  const queues = new Map<string, Queue>()

  const wait = (queue: Queue, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        queue.waiting.delete(begin)
        queue.bytes -= bytes
      }
      const timer = setTimeout(() => {
        leave()
        reject(refusal())
      }, longestWaitMs)
      const begin = () => {
        clearTimeout(timer)
        leave()
        resolve()
      }
      queue.waiting.add(begin)
      queue.bytes += bytes
    })

  return async (workspaceId, work) => {
    const queue = queues.get(workspaceId) ?? { running: 0, waiting: new Set(), bytes: 0 }
    queues.set(workspaceId, queue)
    const bytes = currentBodyBytes()
    if (queue.running < atOnce) queue.running++
    else if (queue.waiting.size < mostWaiting && queue.bytes + bytes <= WAITING_BYTES) await wait(queue, bytes)
    else throw refusal()
    try {
      return await work()
    } finally {
      // The turn is handed on, so that nobody comes in between.
      const [next] = queue.waiting
      if (next) next()
      else if (--queue.running === 0) queues.delete(workspaceId)
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
export class Places {
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
