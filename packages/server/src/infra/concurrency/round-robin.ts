/** What waits, of several owners who take turns: each of them in the order it came, and whoever had a turn goes behind the others. */
export class RoundRobin<T> {
  /** In the order of the owners' turns. A queue is taken from its front, which moves, so that taking from a long one costs nothing. */
  readonly #queues = new Map<string, { items: T[]; front: number }>()

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  has(owner: string): boolean {
    return this.#queues.has(owner)
  }

  /** Owners for whom something waits, in the order of their turns; those that are taken from meanwhile come by again. */
  owners(): Iterable<string> {
    return this.#queues.keys()
  }

  push(owner: string, item: T): void {
    const queue = this.#queues.get(owner)
    if (queue) queue.items.push(item)
    else this.#queues.set(owner, { items: [item], front: 0 })
  }

  /** Takes the first that waits of the owner whose turn it is. */
  shift(): T | undefined {
    const [first] = this.#queues.keys()
    return first === undefined ? undefined : this.take(first, () => true)[0]
  }

  /** Takes what waits of this owner, up to the first of which `isLast` holds. */
  take(owner: string, isLast: (item: T) => boolean): T[] {
    const queue = this.#queues.get(owner)
    if (!queue) return []
    const begin = queue.front
    while (queue.front < queue.items.length && !isLast(queue.items[queue.front++]!));
    const taken = queue.items.slice(begin, queue.front)
    this.#queues.delete(owner)
    if (queue.front < queue.items.length) this.#queues.set(owner, compacted(queue))
    return taken
  }
}

/** Without what was taken, once that is most of a long queue. */
function compacted<T>({ items, front }: { items: T[]; front: number }): { items: T[]; front: number } {
  return front > 1_000 && front * 2 > items.length ? { items: items.slice(front), front: 0 } : { items, front }
}
