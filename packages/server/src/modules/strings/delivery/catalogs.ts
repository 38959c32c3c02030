/**
 * HOT PATH. The catalogs of this process, one for each workspace in use.
 *
 * Always true: a catalog is swapped whole, loaded by one caller at a time, and kept when a reload fails. A reload is
 * started by the signal of a change, not by a request: requests go on being served from the old value meanwhile.
 */
import type { Context } from '../../../context.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { buildCatalog, type StringCatalog } from './catalog.ts'
import { loadCatalogRows } from './queries-catalog.ts'

/** Bytes of catalogs held; the one unused longest is loaded again when asked for. */
const CATALOG_BYTES = 256 * 1024 * 1024

export class Catalogs {
  readonly #ctx: Context
  readonly #held = new GenerationalCache<string, StringCatalog>(CATALOG_BYTES, ({ bytes }) => bytes)
  readonly #loading = new Map<string, Promise<StringCatalog | undefined>>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.metrics.watchCache('catalogs', 'bytes', () => this.#held.size)
  }

  /** The catalog when it is loaded, however old. */
  peek(workspaceId: string): StringCatalog | undefined {
    return this.#held.get(workspaceId)
  }

  /** Loads when there is none. Undefined: no such workspace. Throws when the database cannot be read. */
  async get(workspaceId: string): Promise<StringCatalog | undefined> {
    return this.#held.get(workspaceId) ?? this.#load(workspaceId)
  }

  /** Brings a catalog in use to at least `revision`. False: it could not be loaded, and what is there stays. */
  async refresh(workspaceId: string, revision: number): Promise<boolean> {
    try {
      // What is being loaded may have been read before the change.
      await this.#loading.get(workspaceId)?.catch(() => undefined)
      if ((this.#held.get(workspaceId)?.revision ?? revision) < revision) await this.#load(workspaceId)
      return true
    } catch (error) {
      this.#ctx.metrics.staleServed.inc()
      this.#ctx.log.warn({ err: error, workspaceId }, 'strings could not be reloaded; the last known ones are served')
      return false
    }
  }

  #load(workspaceId: string): Promise<StringCatalog | undefined> {
    let loading = this.#loading.get(workspaceId)
    if (!loading) {
      loading = this.#read(workspaceId).finally(() => this.#loading.delete(workspaceId))
      this.#loading.set(workspaceId, loading)
    }
    return loading
  }

  async #read(workspaceId: string): Promise<StringCatalog | undefined> {
    this.#ctx.faults.check('upstream')
    const known = this.#held.get(workspaceId)
    const rows = await loadCatalogRows(this.#ctx.db, workspaceId, known)
    if (!rows) return undefined
    const catalog = buildCatalog(rows, rows.isWhole ? undefined : known)
    this.#held.set(workspaceId, catalog)
    return catalog
  }
}
