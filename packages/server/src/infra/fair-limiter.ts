/**
 * Work of which only so much is under way at once. The rest waits, a bounded time, in one line for each asker; the
 * lines are served in turn, so a crowd from one place holds nobody up but itself. Urgent work is taken before the rest.
 */
export type FairLimiterOptions = {
  atOnce: number
  waitMs: number
  /** How many of one asker may wait. */
  lineLength: number
  /** Throws the refusal of whoever waits too long or in too long a line. */
  refuse(): never
}

type Waiting = { go(): void }

export class FairLimiter {
  #running = 0
  readonly #urgent = new Map<string, Waiting[]>()
  readonly #others = new Map<string, Waiting[]>()
  readonly #options: FairLimiterOptions
  constructor(options: FairLimiterOptions) {
    this.#options = options
  }

  async take<T>(asker: string, work: () => Promise<T>, isUrgent = false): Promise<T> {
    if (this.#running < this.#options.atOnce) this.#running++
    else await this.#wait(isUrgent ? this.#urgent : this.#others, asker)
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  async #wait(lines: Map<string, Waiting[]>, asker: string): Promise<void> {
    const line = lines.get(asker) ?? []
    if (line.length >= this.#options.lineLength) this.#options.refuse()
    if (line.length === 0) lines.set(asker, line)
    const isTurn = await new Promise<boolean>((resolve) => {
      const waiting = {
        go: () => {
          clearTimeout(timer)
          resolve(true)
        },
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        if (line.length === 0) lines.delete(asker)
        resolve(false)
      }, this.#options.waitMs)
      line.push(waiting)
    })
    if (!isTurn) this.#options.refuse()
  }

  /** Gives the place of finished work to whoever is next. */
  #passOn(): void {
    const lines = this.#urgent.size > 0 ? this.#urgent : this.#others
    const [asker, line] = lines.entries().next().value ?? []
    const next = line?.shift()
    if (asker === undefined || !line || !next) return void this.#running--
    // To the end of the lines, with those behind.
    lines.delete(asker)
    if (line.length > 0) lines.set(asker, line)
    next.go()
  }
}
