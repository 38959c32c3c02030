/**
 * Room for so much at once. Who finds none waits, in the order they came, as long as it takes: it is work of this process,
 * of which a bounded part waits, and no request that has to be answered (few-at-once.ts).
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
