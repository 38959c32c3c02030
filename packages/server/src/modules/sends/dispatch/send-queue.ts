/**
 * The claimed messages of a dispatch: they wait, are sent side by side, and what came of them is written down.
 *
 *   waiting ──a call ends, and the lane takes one more──▶ called ──▶ outcome ──written with others──▶ (gone)
 *   waiting ──too late, or sending stops──▶ outcome: due again
 *
 * Calls go on over the borders of batches, so that the slowest call of a batch keeps no other waiting.
 */
import type { Context } from '../../../context.ts'
import type { Semaphore } from '../../../infra/concurrency/fair-limiter.ts'
import type { DispatchRow, DispatchLease } from '../queries.ts'
import type { Lane } from './dispatcher.ts'
import { OutcomeWriter } from './outcome-writer.ts'
import { recordOutcomes, type SettledSend } from './record-outcomes.ts'
import { newTally, notBegun, sendOne, takeNoted, type BatchTally, type ReadySend, type SendContext } from './send-one.ts'

/** `statements`: each that asks the database takes a place there. */
export type Sending = {
  ctx: Context
  statements: Semaphore
  lane: Lane
  means: SendContext
  dispatch: DispatchRow
  held: DispatchLease
  signal: AbortSignal
}
/** `late`: when it is given back without a call, on the clock of `performance`. */
type Waiting = { send: ReadySend; late: number }

/** Messages whose call has not begun so long after they were claimed are given back, milliseconds: they stay due. */
const LATE_MS = 3_000

export class SendQueue {
  readonly #sending: Sending
  readonly #tally: BatchTally = newTally()
  readonly #waiting: Waiting[] = []
  readonly #writer: OutcomeWriter<SettledSend>
  readonly #failures: unknown[] = []
  #calling = 0
  #sent = 0
  /** What somebody waits for, and how it is told to them. */
  #awaited: { isReached(): boolean; resolve(): void } | undefined

  constructor(sending: Sending) {
    this.#sending = sending
    this.#writer = new OutcomeWriter(
      (settled) => this.#record(settled),
      () => this.#wake(),
    )
  }

  /** How many messages were sent. */
  get sent(): number {
    return this.#sent
  }

  /** The provider wants no more before; milliseconds, or 0. */
  get restsUntil(): number {
    return this.#tally.busyUntil
  }

  add(ready: readonly ReadySend[]): void {
    const { lane } = this.#sending
    if (ready.length === 0) return lane.skip()
    lane.claim(ready.length)
    const late = performance.now() + LATE_MS
    for (const send of ready) this.#waiting.push({ send, late })
    this.#begin()
  }

  /**
   * Resolves when the next batch may be claimed; with false when something failed, and none is to be. Where the provider answers quickly two batches are held, one of them
   * ahead; elsewhere the next would only wait, so it is claimed when all before are written down.
   */
  async hasRoom(batch: number): Promise<boolean> {
    const { lane } = this.#sending
    const isAhead = () => lane.isQuick() && this.#unsent <= batch && this.#writer.pending <= 2 * batch
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
    const { ctx, lane, signal } = this.#sending
    while (this.#waiting.length > 0 && this.#calling < lane.atOnce()) {
      const { send, late } = this.#waiting.shift()!
      if (!signal.aborted && !this.#isFailed && performance.now() <= late) void this.#call(send)
      else {
        lane.giveBack()
        this.#writer.add({ send, outcome: notBegun(send, ctx.clock.now()) })
      }
    }
    if (this.#unsent === 0) this.#writer.flush()
  }

  async #call(send: ReadySend): Promise<void> {
    const { ctx, lane, means, dispatch } = this.#sending
    this.#calling++
    try {
      const outcome = await lane.call(() => sendOne({ means, dispatch, tally: this.#tally, now: () => ctx.clock.ms() }, send))
      if (outcome.state === 'sent') this.#sent++
      this.#writer.add({ send, outcome })
    } catch (error) {
      this.#failures.push(error)
    }
    this.#calling--
    this.#begin()
    this.#wake()
  }

  async #record(settled: readonly SettledSend[]): Promise<void> {
    const { ctx, statements } = this.#sending
    await ctx.faults.reach('dispatch: sent')
    await statements.take(() => recordOutcomes(this.#sending, settled, takeNoted(this.#tally, this.#unsent === 0)))
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
