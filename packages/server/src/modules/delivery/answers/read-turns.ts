/**
 * HOT PATH. Keeps the turns of the event loop short while a crowd reads at once, as all clients of a workspace do after a
 * publish. A bounded number of reads is answered as they come; the others wait for a share of each of the next turns, in which
 * workspaces are served in turn. So everybody else waits for milliseconds, not for the whole crowd.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RoundRobin } from '../../../infra/concurrency/round-robin.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** `body`: the whole body, taken from the request. `began`: when the request came, by `performance.now()`. `fallback`: answers what `answer` does not. */
export type Read = {
  request: IncomingMessage
  response: ServerResponse
  body: Buffer | undefined
  began: number
  fallback: Listener
  answer: (read: Read) => void
}

/** How many reads of a turn are answered as they come: as many as busy connections usually bring, within so many milliseconds. */
const AT_ONCE = 100
const AT_ONCE_MS = 10
/**
 * Milliseconds of a turn for reads that wait. Another request takes several turns: one for each answer of the database, and one
 * to accept a new connection.
 */
const SHARE_MS = 2

export class ReadTurns {
  readonly #workspaceOf: (key: string) => string | undefined
  /** Waiting reads by workspace, or by address. */
  readonly #waiting = new RoundRobin<Read>()
  /** Whether `#endTurn` is scheduled. */
  #isEnding = false
  /** Reads that came in this turn. */
  #came = 0
  /** Until when reads are answered as they come, by `performance.now()`. */
  #until = 0
  /** Reads taken since the start. */
  taken = 0

  /** `workspaceOf`: the workspace of a key that this process knows, else undefined. */
  constructor(workspaceOf: (key: string) => string | undefined) {
    this.#workspaceOf = workspaceOf
  }

  /** Whether reads are waiting: whoever makes clients read should let these be served first. */
  get areFull(): boolean {
    return !this.#waiting.isEmpty
  }

  /** Answers now or in a later turn. */
  take(read: Read): void {
    this.taken++
    if (!this.#isEnding) {
      this.#isEnding = true
      this.#came = 0
      this.#until = read.began + AT_ONCE_MS
      setImmediate(this.#endTurn)
    }
    if (++this.#came <= AT_ONCE && read.began < this.#until && this.#waiting.isEmpty) read.answer(read)
    else this.#waiting.push(this.#lineOf(read.request), read)
  }

  /** Takes a read whose data had to be loaded first: resolves when `write` has answered, and never when its client has left. */
  takeLate(request: IncomingMessage, response: ServerResponse, write: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const answer = () => {
        try {
          write()
          resolve()
        } catch (error) {
          reject(error)
        }
      }
      this.take({ request, response, body: undefined, began: performance.now(), fallback: answer, answer })
    })
  }

  /** The queue of a read: that of its workspace; without a known key, since anybody can invent one, that of its connection's address. */
  #lineOf({ headers, url = '', socket }: IncomingMessage): string {
    const key = headers['x-cf-key'] ?? headers['x-api-key'] ?? /[?&]key=([^&]+)/.exec(url)?.[1]
    return (key !== undefined && this.#workspaceOf(String(key))) || String(socket.remoteAddress)
  }

  /** Answers waiting reads for their share of the turn; reads that come meanwhile queue behind them. */
  readonly #endTurn = (): void => {
    const until = performance.now() + SHARE_MS
    while (!this.#waiting.isEmpty && performance.now() < until) {
      const read = this.#waiting.shift()
      if (read && !read.request.socket.destroyed) read.answer(read)
    }
    this.#isEnding = !this.#waiting.isEmpty
    if (this.#isEnding) setImmediate(this.#endTurn)
  }
}
