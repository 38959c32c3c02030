/** Work under keys, of each key one at a time: whoever asks while it is under way waits for the same. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>()

  /** What is under way for this key. */
  get(key: string): Promise<T> | undefined {
    return this.#running.get(key)
  }

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key)
    if (running) return running
    const started = work().finally(() => {
      if (this.#running.get(key) === started) this.#running.delete(key)
    })
    this.#running.set(key, started)
    return started
  }

  /** Whoever asks after this does not get what is under way. */
  forget(key: string): void {
    this.#running.delete(key)
  }
}
