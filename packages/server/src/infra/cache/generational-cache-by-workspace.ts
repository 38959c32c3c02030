type Generation<V> = { byWorkspace: Map<string, Map<string, V>>; size: number }

const empty = <V>(): Generation<V> => ({ byWorkspace: new Map(), size: 0 })

/**
 * A `GenerationalCache` of what belongs to workspaces, bounded over all of them. Two look-ups cost less than one with both names joined: a
 * text that was just joined has to be copied and hashed first, 6 % of a whole /sync request.
 */
export class GenerationalCacheByWorkspace<V> {
  #young = empty<V>()
  #old = empty<V>()
  readonly #half: number
  readonly #sizeOf: (value: V) => number

  /** `bound` is in the units of `sizeOf`, which says the same of a value as long as it is held; entries when it is left out. */
  constructor(bound: number, sizeOf: (value: V) => number = () => 1) {
    this.#half = bound / 2
    this.#sizeOf = sizeOf
  }

  get(workspaceId: string, key: string): V | undefined {
    const value = this.#young.byWorkspace.get(workspaceId)?.get(key)
    return value !== undefined ? value : this.#promote(workspaceId, key)
  }

  set(workspaceId: string, key: string, value: V): void {
    this.delete(workspaceId, key)
    let own = this.#young.byWorkspace.get(workspaceId)
    if (!own) this.#young.byWorkspace.set(workspaceId, (own = new Map()))
    own.set(key, value)
    this.#young.size += this.#sizeOf(value)
    if (this.#young.size <= this.#half) return
    this.#old = this.#young
    this.#young = empty()
  }

  delete(workspaceId: string, key: string): void {
    this.#take(this.#young, workspaceId, key)
    this.#take(this.#old, workspaceId, key)
  }

  *values(): Generator<V> {
    for (const { byWorkspace } of [this.#young, this.#old]) for (const own of byWorkspace.values()) yield* own.values()
  }

  /** How much is held, in the units of `sizeOf`. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  #promote(workspaceId: string, key: string): V | undefined {
    const value = this.#old.byWorkspace.get(workspaceId)?.get(key)
    if (value !== undefined) this.set(workspaceId, key, value)
    return value
  }

  #take(held: Generation<V>, workspaceId: string, key: string): void {
    const own = held.byWorkspace.get(workspaceId)
    const value = own?.get(key)
    if (!own || value === undefined) return
    own.delete(key)
    held.size -= this.#sizeOf(value)
    if (own.size === 0) held.byWorkspace.delete(workspaceId)
  }
}
