/**
 * HOT PATH. What this process holds of workspaces in use, made from rows whose changes a revision counts.
 *
 * Always true: a value is swapped whole, loaded by one caller at a time, and kept when a reload fails. An old answer is
 * right, a shorter one is wrong. A reload is started by the signal of a change, not by a request: requests go on being
 * served from the old value meanwhile, so none waits for a rebuild.
 */
import type { Faults } from '../faults.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { GenerationalCacheByWorkspace } from './generational-cache-by-workspace.ts'
import { SingleFlight } from './single-flight.ts'

type Parts = { faults: Faults; metrics: Metrics; log: Logger }

export type RevisionedStoreOptions<T> = {
  /** In the metrics of caches. */
  name: string
  /** Over all workspaces. The value unused longest is loaded again when it is asked for. */
  bytes: number
  /** Made from the value held before, where there is one. Undefined: no such workspace. */
  read(workspaceId: string, part: string, before: T | undefined): Promise<T | undefined>
  /** The line in the log when a reload fails. */
  failure: string
}

/** `part` tells values of one workspace apart, such as its environments; left out where it has one. */
export class RevisionedStore<T extends { readonly revision: number; readonly bytes: number }> {
  readonly #parts: Parts
  readonly #options: RevisionedStoreOptions<T>
  readonly #held: GenerationalCacheByWorkspace<T>
  readonly #loading = new SingleFlight<T | undefined>()

  constructor(parts: Parts, options: RevisionedStoreOptions<T>) {
    this.#parts = parts
    this.#options = options
    this.#held = new GenerationalCacheByWorkspace(options.bytes, ({ bytes }) => bytes)
    parts.metrics.watchCache(options.name, 'bytes', () => this.#held.size)
  }

  /** The value when it is loaded, however old. */
  peek(workspaceId: string, part = ''): T | undefined {
    return this.#held.get(workspaceId, part)
  }

  /** Loads when there is none. Undefined: no such workspace. Throws when the database cannot be read. */
  async get(workspaceId: string, part = ''): Promise<T | undefined> {
    return this.#held.get(workspaceId, part) ?? this.#load(workspaceId, part)
  }

  /** Brings a value in use to at least `revision`. False: it could not be loaded, and what is there stays. */
  async refresh(workspaceId: string, revision: number, part = ''): Promise<boolean> {
    try {
      // A load under way may have read before the change; one that begins after it has not. Its error is for its own callers.
      await Promise.allSettled([this.#loading.get(keyOf(workspaceId, part))])
      const isBehind = () => (this.#held.get(workspaceId, part)?.revision ?? revision) < revision
      if (isBehind()) await this.#load(workspaceId, part)
      return !isBehind()
    } catch (error) {
      this.#parts.metrics.staleServed.inc()
      this.#parts.log.warn({ err: error, workspaceId, part }, this.#options.failure)
      return false
    }
  }

  values(): Iterable<T> {
    return this.#held.values()
  }

  #load(workspaceId: string, part: string): Promise<T | undefined> {
    return this.#loading.run(keyOf(workspaceId, part), async () => {
      this.#parts.faults.check('upstream')
      const value = await this.#options.read(workspaceId, part, this.#held.get(workspaceId, part))
      if (value) this.#held.set(workspaceId, part, value)
      return value
    })
  }
}

function keyOf(workspaceId: string, part: string): string {
  return `${workspaceId} ${part}`
}
