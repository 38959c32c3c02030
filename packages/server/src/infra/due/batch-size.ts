/**
 * How much work is done at a time. On PostgreSQL a long statement keeps one connection of many; on the embedded database, which
 * has one connection, every request waits for it, so its batches are smaller.
 */
import type { Engine } from '../../db/open.ts'

type ByEngine = Readonly<Record<Engine, number>>

/** Rows of one statement or transaction, by engine. */
export const BATCH_SIZES = {
  /** People who may enter a journey. */
  journeyEntries: { postgres: 10_000, embedded: 1_000 },
  /** Runs of a journey that move on. */
  journeyRuns: { postgres: 1_000, embedded: 250 },
  /** Rows of an import whose people are looked up; none of them is locked. */
  matchedRows: { postgres: 10_000, embedded: 300 },
  /** People whose enriched values are written. */
  enrichedPeople: { postgres: 2_000, embedded: 300 },
  /** Messages of a campaign that are deleted. */
  deletedMessages: { postgres: 20_000, embedded: 5_000 },
  /** Recipients of a dispatch that are added to its ledger. */
  recipients: { postgres: 5_000, embedded: 1_000 },
  /** Messages that are claimed together to be sent. */
  claimedSends: { postgres: 250, embedded: 100 },
  /** Events, or ids of events, that are deleted because they are too old. */
  expiredEvents: { postgres: 20_000, embedded: 5_000 },
  /** People whose sums over time windows are worked out anew. */
  refreshedPeople: { postgres: 2_000, embedded: 500 },
} as const satisfies Record<string, ByEngine>

/** Milliseconds that one workspace goes on with work in steps before the others have their turn. */
export const TURN_MS: ByEngine = { postgres: 1_500, embedded: 300 }

type Bounds = { first: number; most: number; goalMs: number }

/** A batch size that follows how long batches take: half as many after one that took longer than `goalMs`, twice as many after a quick full one. */
export class AdaptiveBatchSize {
  readonly #most: number
  readonly #goalMs: number
  #size: number

  constructor({ first, most, goalMs }: Bounds) {
    this.#most = most
    this.#goalMs = goalMs
    this.#size = Math.min(first, most)
  }

  /** Rows of the next batch, at most. */
  get size(): number {
    return this.#size
  }

  /** Takes in what a batch of `rows` rows took. One that was not full says nothing of how long a larger one would take. */
  note(tookMs: number, rows: number): void {
    if (tookMs > this.#goalMs) this.#size = Math.max(1, Math.floor(this.#size / 2))
    else if (rows >= this.#size && tookMs < this.#goalMs / 2) this.#size = Math.min(this.#most, this.#size * 2)
  }
}
