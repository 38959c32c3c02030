import type { Db } from '../../db/open.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Signal, Signals } from '../signals/signals.ts'
import type { TimeSlicer } from '../concurrency/time-slicer.ts'
import { GenerationalCache } from './generational-cache.ts'
import { SingleFlight } from './single-flight.ts'

/** What a module works out of the rows of a workspace, and how it learns that they changed. */
export type WorkspaceCacheOptions<T> = {
  /** After one of these it is read anew. */
  signal: Signal['kind']
  /** Another one after each change; asked for changes that this process was not told of. */
  fingerprint(db: Db, workspaceId: string): Promise<string>
  /** May take long: in slices. */
  read(parts: { db: Db; timeSlicer: TimeSlicer }, workspaceId: string): Promise<T>
  weigh(value: T): number
  /** The most that is held over all workspaces, in the units of `weigh`. */
  most: number
}

/** Returns the value from memory; it is computed at the first call and after a change. */
export type CachedByWorkspace = <T>(what: WorkspaceCacheOptions<T>, workspaceId: string) => Promise<T> | T

type Parts = { db: Db; signals: Signals; timeSlicer: TimeSlicer; clock: Clock; log: Logger }

/** A change that this process was not told of is found this late. */
const CHECK_MS = 30_000

/** The caches of all modules, by workspace, in this process. */
export function openWorkspaceCache(parts: Parts): CachedByWorkspace {
  const memories = new Map<object, Pick<WorkspaceCache<unknown>, 'get'>>()
  return <T>(what: WorkspaceCacheOptions<T>, workspaceId: string) => {
    let memory = memories.get(what) as WorkspaceCache<T> | undefined
    if (!memory) {
      memory = new WorkspaceCache(parts, what)
      memories.set(what, memory)
    }
    return memory.get(workspaceId)
  }
}

type CacheEntry<T> = { value: T; fingerprint: string; checkedAt: number }

class WorkspaceCache<T> {
  readonly #parts: Parts
  readonly #what: WorkspaceCacheOptions<T>
  readonly #held: GenerationalCache<string, CacheEntry<T>>
  readonly #loading = new SingleFlight<T>()
  /** Grows with every change that is told: what was read before that is not kept. */
  #changes = 0

  constructor(parts: Parts, what: WorkspaceCacheOptions<T>) {
    this.#parts = parts
    this.#what = what
    this.#held = new GenerationalCache(what.most, ({ value }) => what.weigh(value))
    parts.signals.on(what.signal, ({ workspaceId }) => this.#forget(workspaceId))
  }

  get(workspaceId: string): Promise<T> | T {
    const held = this.#held.get(workspaceId)
    if (!held) return this.#loading.run(workspaceId, () => this.#read(workspaceId))
    const now = this.#parts.clock.ms()
    if (now - held.checkedAt > CHECK_MS) {
      held.checkedAt = now
      void this.#check(workspaceId, held)
    }
    return held.value
  }

  #forget(workspaceId: string): void {
    this.#changes++
    this.#held.delete(workspaceId)
    this.#loading.forget(workspaceId)
  }

  async #read(workspaceId: string): Promise<T> {
    const { db, clock } = this.#parts
    const before = this.#changes
    // First the fingerprint: a change between the two readings is found at the next check.
    const fingerprint = await this.#what.fingerprint(db, workspaceId)
    const value = await this.#what.read(this.#parts, workspaceId)
    if (before === this.#changes) this.#held.set(workspaceId, { value, fingerprint, checkedAt: clock.ms() })
    return value
  }

  async #check(workspaceId: string, held: CacheEntry<T>): Promise<void> {
    try {
      const fingerprint = await this.#what.fingerprint(this.#parts.db, workspaceId)
      if (fingerprint !== held.fingerprint && this.#held.get(workspaceId) === held) this.#forget(workspaceId)
    } catch (error) {
      this.#parts.log.debug({ err: error, signal: this.#what.signal }, 'what is remembered of a workspace could not be compared')
    }
  }
}
