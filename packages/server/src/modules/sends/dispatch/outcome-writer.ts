/** Gathers what came of messages and writes it down in groups, one group after another. */

/** A group is written when it has so many, or so long after the first of it, milliseconds. */
const [GROUP, GROUP_MS] = [250, 100]

export class OutcomeWriter<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>
  readonly #onWritten: () => void
  #items: Item[] = []
  #timer: NodeJS.Timeout | undefined
  #isWriting = false
  /** Whether the next group is written as soon as the one under way is. */
  #isDue = false
  #pending = 0
  readonly #failures: unknown[] = []

  /** `write` writes one group; `onWritten` is called after each, also after one that failed. */
  constructor(write: (items: readonly Item[]) => Promise<void>, onWritten: () => void) {
    this.#write = write
    this.#onWritten = onWritten
  }

  /** How many are not written yet. */
  get pending(): number {
    return this.#pending
  }

  /** The error of each group that could not be written. */
  get failures(): readonly unknown[] {
    return this.#failures
  }

  add(item: Item): void {
    this.#items.push(item)
    this.#pending++
    if (this.#items.length >= GROUP) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GROUP_MS)
  }

  /** Writes what there is, now or after the group that is being written. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isDue = this.#items.length > 0
    if (this.#isDue && !this.#isWriting) void this.#writeGroups()
  }

  async #writeGroups(): Promise<void> {
    this.#isWriting = true
    while (this.#isDue) {
      const group = this.#items
      this.#items = []
      this.#isDue = false
      try {
        await this.#write(group)
      } catch (error) {
        this.#failures.push(error)
      }
      this.#pending -= group.length
      this.#onWritten()
    }
    this.#isWriting = false
  }
}
