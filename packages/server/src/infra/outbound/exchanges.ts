/** One HTTP exchange over connections of undici, without a stream, a timer or an abort signal of its own. */
import type { Dispatcher } from 'undici'

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string; isCut: boolean }

/** What is kept of the body of an answer; the connection of a longer one is closed. */
const KEPT_BYTES = 65_536
const SWEEP_MS = 250

/** Exchanges under way. One timer for all of them ends those that are older than the limit, because thousands begin in a second. */
export class Exchanges {
  readonly #limitMs: number
  readonly #timeout: () => Error
  /** Each with the moment at which it began; the oldest first, as all have the same limit. */
  readonly #running = new Map<Exchange, number>()
  #timer: NodeJS.Timeout | undefined

  /** `timeout` makes the error with which an exchange is ended. */
  constructor(limitMs: number, timeout: () => Error) {
    this.#limitMs = limitMs
    this.#timeout = timeout
  }

  /**
   * Sends a request and resolves with its answer, whatever its status. Rejects with what undici says, with the error of
   * `timeout`, or with the reason of `signal`.
   */
  async send(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const exchange = new Exchange()
    const stop = () => exchange.end(signal?.reason)
    signal?.addEventListener('abort', stop)
    this.#running.set(exchange, performance.now())
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS)
    try {
      dispatcher.dispatch(options, exchange)
      return await exchange.answer
    } finally {
      this.#running.delete(exchange)
      signal?.removeEventListener('abort', stop)
    }
  }

  #sweep(): void {
    const oldest = performance.now() - this.#limitMs
    for (const [exchange, began] of this.#running) {
      if (began > oldest) return
      exchange.end(this.#timeout())
    }
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** What undici calls as the exchange goes on. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #done = Promise.withResolvers<Answer>()
  #controller: Dispatcher.DispatchController | undefined
  #ended: Error | undefined
  #status = 0
  #headers: Answer['headers'] = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  get answer(): Promise<Answer> {
    return this.#done.promise
  }

  /** Nothing is sent of a request that has not begun; of others the connection is closed. */
  end(error: Error): void {
    this.#ended = error
    this.#done.reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended) controller.abort(this.#ended)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Answer['headers']): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size > KEPT_BYTES) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size <= KEPT_BYTES) return
    this.#answer()
    controller.abort(new Error('The rest of the answer is not read'))
  }

  onResponseEnd(): void {
    this.#answer()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#done.reject(error)
  }

  #answer(): void {
    this.#done.resolve({ status: this.#status, headers: this.#headers, ...decode(this.#chunks, this.#size) })
  }
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

function decode(chunks: readonly Buffer[], size: number): Pick<Answer, 'text' | 'isCut'> {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  if (size <= KEPT_BYTES) return { text: UTF8.decode(bytes), isCut: false }
  // A character of which only some bytes are kept is left out.
  const cut = new TextDecoder('utf-8', { ignoreBOM: true })
  return { text: cut.decode(bytes.subarray(0, KEPT_BYTES), { stream: true }), isCut: true }
}
