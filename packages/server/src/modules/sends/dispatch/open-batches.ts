/** The batches of one turn whose messages do not all have an outcome in the ledger. */

export class OpenBatches {
  #last = 0
  /** By the number of the batch: messages without an outcome in the ledger. */
  readonly #left = new Map<number, number>()

  /** A number that no other batch of the turn has. */
  next(): number {
    return ++this.#last
  }

  /** The batch is in the database. */
  open(number: number, messages: number): void {
    this.#left.set(number, messages)
  }

  /** Batches that have no message left when one of each of these has its outcome. */
  endedBy(numbers: readonly number[]): number[] {
    return [...countEach(numbers)].flatMap(([number, count]) => (this.#left.get(number) === count ? [number] : []))
  }

  /** One message of each of these has its outcome in the ledger. What could not be written is never noted, so its batch stays. */
  settle(numbers: readonly number[]): void {
    for (const [number, count] of countEach(numbers)) {
      const left = (this.#left.get(number) ?? 0) - count
      if (left > 0) this.#left.set(number, left)
      else this.#left.delete(number)
    }
  }
}

function countEach(numbers: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  return counts
}
