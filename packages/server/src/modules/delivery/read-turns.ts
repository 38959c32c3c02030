/**
 * HOT PATH. Keeps the turns of the event loop short while a crowd reads at once, as all clients of a workspace do after a
 * publish. What comes in a turn is answered until the turn's share is used up; the rest waits for the next turns, in which
 * keys are served one after another. So whoever else this process works for waits for milliseconds, not for the whole crowd.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** `began`: when the request came, by `performance.now()`. `longWay`: who answers what this lane does not. */
type Read = { request: IncomingMessage; response: ServerResponse; began: number; longWay: Listener }

/** Milliseconds of a turn. A request of others takes several turns: one for each answer of the database it waits for. */
const SHARE_MS = 4

export class ReadTurns {
  readonly #answer: (read: Read) => void
  /** By key, in the order they are served. A list is taken from its front, which moves. */
  readonly #waiting = new Map<string, { reads: Read[]; front: number }>()
  /** Until when this turn may answer, by `performance.now()`; 0 before its first read. */
  #until = 0

  constructor(answer: (read: Read) => void) {
    this.#answer = answer
  }

  /** Answers now or in a later turn. */
  take(read: Read, now: number): void {
    if (this.#until === 0) {
      this.#until = now + SHARE_MS
      setImmediate(this.#endTurn)
    }
    if (now < this.#until && this.#waiting.size === 0) this.#answer(read)
    else this.#keep(read)
  }

  #keep(read: Read): void {
    const key = String(read.request.headers['x-cf-key'])
    const line = this.#waiting.get(key)
    if (line) line.reads.push(read)
    else this.#waiting.set(key, { reads: [read], front: 0 })
  }

  /** Turns in which some wait begin with them; what comes meanwhile waits behind. */
  readonly #endTurn = (): void => {
    const until = performance.now() + SHARE_MS
    while (this.#waiting.size > 0 && performance.now() < until) {
      for (const [key, line] of this.#waiting) {
        const read = line.reads[line.front++]
        if (line.front >= line.reads.length) this.#waiting.delete(key)
        if (read && !read.request.socket.destroyed) this.#answer(read)
      }
    }
    this.#until = this.#waiting.size > 0 ? until : 0
    if (this.#waiting.size > 0) setImmediate(this.#endTurn)
  }
}
