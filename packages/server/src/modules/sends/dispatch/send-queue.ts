/**
 * The claimed messages of a dispatch: they wait, are sent side by side, and what came of them is written down.
 *
 *   waiting ──a call ends, and the lane takes one more──▶ called ──▶ outcome ──written with others──▶ (gone)
 *   waiting ──too late, or sending stops──▶ outcome: due again
 *
 * Calls go on over the borders of batches, so that the slowest call of a batch keeps no other waiting.
 */
import type { Lane } from './dispatcher.ts'
import { OutcomeWriter } from './outcome-writer.ts'

export type Settled<Send, Outcome> = { send: Send; outcome: Outcome }
/** What a queue does with messages. */
export type SendActions<Send, Outcome> = {
  /** Whether no more calls are made. */
  isStopped(): boolean
  call(send: Send): Promise<Outcome>
  /** The outcome of a message that is not sent now. */
  giveBack(send: Send): Outcome
  /** Writes down what came of some. `isLast`: no other is waiting or under way. */
  record(settled: readonly Settled<Send, Outcome>[], isLast: boolean): Promise<void>
}
/** `late`: when it is given back without a call, on the clock of `performance`. */
type Waiting<Send> = { send: Send; late: number }

/** Messages whose call has not begun so long after they were claimed are given back, milliseconds: they stay due. */
const LATE_MS = 3_000

export class SendQueue<Send, Outcome> {
  readonly #lane: Lane
  readonly #actions: SendActions<Send, Outcome>
  readonly #waiting: Waiting<Send>[] = []
  readonly #writer: OutcomeWriter<Settled<Send, Outcome>>
  readonly #failures: unknown[] = []
  #calling = 0
  /** What somebody waits for, and how it is told to them. */
  #awaited: { isReached(): boolean; resolve(): void } | undefined

  constructor(lane: Lane, actions: SendActions<Send, Outcome>) {
    this.#lane = lane
    this.#actions = actions
    this.#writer = new OutcomeWriter(
      (settled) => actions.record(settled, this.#unsent === 0),
      () => this.#wake(),
    )
  }

  add(sends: readonly Send[]): void {
    if (sends.length === 0) return this.#lane.skip()
    this.#lane.claim(sends.length)
    const late = performance.now() + LATE_MS
    for (const send of sends) this.#waiting.push({ send, late })
    this.#begin()
  }

  /**
   * Resolves when the next batch may be claimed; with false when something failed, and none is to be. Where the provider answers quickly one batch is claimed
   * ahead, and at most three are not written down; elsewhere the next would only wait, so it is claimed when all before are written down.
   */
  async hasRoom(batch: number): Promise<boolean> {
    const isAhead = () => this.#lane.isQuick() && this.#unsent <= batch && this.#unsent + this.#writer.pending <= 2 * batch
    await this.#until(() => this.#isFailed || this.#isIdle || isAhead())
    return !this.#isFailed
  }

  /** Resolves when all are sent and written down; throws what went wrong first. */
  async end(): Promise<void> {
    await this.#until(() => this.#isIdle)
    if (this.#isFailed) throw [...this.#failures, ...this.#writer.failures][0]
  }

  get #unsent(): number {
    return this.#waiting.length + this.#calling
  }

  get #isIdle(): boolean {
    return this.#unsent === 0 && this.#writer.pending === 0
  }

  get #isFailed(): boolean {
    return this.#failures.length + this.#writer.failures.length > 0
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#calling < this.#lane.atOnce()) {
      const { send, late } = this.#waiting.shift()!
      if (!this.#actions.isStopped() && !this.#isFailed && performance.now() <= late) void this.#call(send)
      else {
        this.#lane.giveBack()
        this.#writer.add({ send, outcome: this.#actions.giveBack(send) })
      }
    }
    if (this.#unsent === 0) this.#writer.flush()
  }

  async #call(send: Send): Promise<void> {
    this.#calling++
    try {
      this.#writer.add({ send, outcome: await this.#lane.call(() => this.#actions.call(send)) })
    } catch (error) {
      this.#failures.push(error)
    }
    this.#calling--
    this.#begin()
    this.#wake()
  }

  async #until(isReached: () => boolean): Promise<void> {
    if (isReached()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#awaited = { isReached, resolve }
    await promise
  }

  #wake(): void {
    if (!this.#awaited?.isReached()) return
    this.#awaited.resolve()
    this.#awaited = undefined
  }
}
