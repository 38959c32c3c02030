/**
 * HOT PATH. Keeps the turns of the event loop short while a crowd reads at once, as all clients of a workspace do after a
 * publish. So many of a turn are answered as they come; the rest waits for a share of each of the next turns, in which workspaces are
 * served one after another. So whoever else this process works for waits for milliseconds, not for the whole crowd.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RoundRobin } from '../../../infra/concurrency/round-robin.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** `body`: all of it, taken from the request. `began`: when the request came, by `performance.now()`. `fallback`: who answers what `answer` does not. */
export type Read = {
  request: IncomingMessage
  response: ServerResponse
  body: Buffer | undefined
  began: number
  fallback: Listener
  answer: (read: Read) => void
}

/** Reads of a turn that are answered as they come: as many as busy connections usually bring, and none after so many milliseconds. */
const AT_ONCE = 100
const AT_ONCE_MS = 10
/**
 * Milliseconds of a turn that go to those who wait. A request of others takes several turns: for each answer of the
 * database, and a new connection for its place in line, because one is accepted in a turn.
 */
const SHARE_MS = 2

export class ReadTurns {
  readonly #workspaceOf: (key: string) => string | undefined
  /** By workspace, or by address. */
  readonly #waiting = new RoundRobin<Read>()
  /** Whether the end of this turn is waited for. */
  #isEnding = false
  /** Reads that came in this turn. */
  #came = 0
  /** Until when they are answered as they come, by `performance.now()`. */
  #until = 0
  /** Reads taken since the start. */
  taken = 0

  /** `workspaceOf`: of a key that is known here; undefined of any other. */
  constructor(workspaceOf: (key: string) => string | undefined) {
    this.#workspaceOf = workspaceOf
  }

  /** Whether more came than turns can hold: whoever makes clients read should let these be served first. */
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

  /** The same for what had to be loaded first: resolves when `write` has answered, and never when nobody waits for it any more. */
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

  /** Whose line a read waits in: its workspace's; without a key that is known, which anybody can invent, its connection's address. */
  #lineOf({ headers, url = '', socket }: IncomingMessage): string {
    const key = headers['x-cf-key'] ?? headers['x-api-key'] ?? /[?&]key=([^&]+)/.exec(url)?.[1]
    return (key !== undefined && this.#workspaceOf(String(key))) || String(socket.remoteAddress)
  }

  /** What comes in a turn that begins with some waiting goes behind them. */
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
