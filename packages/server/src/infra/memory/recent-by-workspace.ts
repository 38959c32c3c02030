type Held<V> = { byWorkspace: Map<string, Map<string, V>>; size: number }

const empty = <V>(): Held<V> => ({ byWorkspace: new Map(), size: 0 })

/**
 * A `RecentMap` of what belongs to workspaces, bounded over all of them. Two look-ups cost less than one with both names joined: a
 * text that was just joined has to be copied and hashed first, 6 % of a whole /sync request.
 */
export class RecentByWorkspace<V> {
  #young = empty<V>()
  #old = empty<V>()
  readonly #half: number

  /** `bound`: entries held. */
  constructor(bound: number) {
    this.#half = bound / 2
  }

  get(workspaceId: string, key: string): V | undefined {
    const value = this.#young.byWorkspace.get(workspaceId)?.get(key)
    return value !== undefined ? value : this.#promote(workspaceId, key)
  }

  set(workspaceId: string, key: string, value: V): void {
    take(this.#old, workspaceId, key)
    let own = this.#young.byWorkspace.get(workspaceId)
    if (!own) this.#young.byWorkspace.set(workspaceId, (own = new Map()))
    if (!own.has(key)) this.#young.size++
    own.set(key, value)
    if (this.#young.size <= this.#half) return
    this.#old = this.#young
    this.#young = empty()
  }

  delete(workspaceId: string, key: string): void {
    take(this.#young, workspaceId, key)
    take(this.#old, workspaceId, key)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  #promote(workspaceId: string, key: string): V | undefined {
    const value = this.#old.byWorkspace.get(workspaceId)?.get(key)
    if (value !== undefined) this.set(workspaceId, key, value)
    return value
  }
}

function take<V>(held: Held<V>, workspaceId: string, key: string): void {
  const own = held.byWorkspace.get(workspaceId)
  if (!own?.delete(key)) return
  held.size--
  if (own.size === 0) held.byWorkspace.delete(workspaceId)
}
