/**
 * HOT PATH. The snapshots of this process, one for each workspace and view in use.
 *
 * Always true: a snapshot is swapped whole, loaded by one caller at a time, and kept when a reload fails. An
 * old answer is right, a shorter one is wrong. A reload is started by the signal of a change, not by a
 * request: requests go on being served from the old value meanwhile, so none waits for a rebuild.
 */
import { getHeapStatistics } from 'node:v8'
import type { Context } from '../../context.ts'
import { GenerationalCacheByWorkspace } from '../../infra/cache/generational-cache-by-workspace.ts'
import type { Environment } from '../../infra/signals.ts'
import { loadSnapshotRows } from './queries.ts'
import { Rendered } from './rendered.ts'
import { buildSnapshot, type Snapshot } from './snapshot.ts'

type Slot = { current: Snapshot | undefined; loading: Promise<Snapshot | undefined> | undefined; bytes: number }

const { heap_size_limit: HEAP_BYTES } = getHeapStatistics()
/** The snapshot unused longest is loaded again when asked for. */
const SNAPSHOT_BYTES = HEAP_BYTES / 4
/** A character takes one byte, and two of most languages but English. */
const RENDERED_CHARACTERS = HEAP_BYTES / 16
/** Of one that is not loaded yet. */
const SLOT_BYTES = 1_000

export class Snapshots {
  readonly #ctx: Context
  readonly #slots = new GenerationalCacheByWorkspace<Slot>(SNAPSHOT_BYTES, ({ bytes }) => bytes)
  readonly #rendered = new Rendered(RENDERED_CHARACTERS, () => {
    for (const { current } of this.#slots.values()) {
      for (const { pieces } of current?.ordered ?? []) pieces.clear()
      for (const { shown } of current?.campaigns.ordered ?? []) shown.clear()
    }
  })

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.metrics.watchCache('snapshots', 'bytes', () => this.#slots.size)
  }

  /** The snapshot when one is loaded, however old. */
  peek(workspaceId: string, view: Environment): Snapshot | undefined {
    return this.#slots.get(workspaceId, view)?.current
  }

  /** Loads when there is none. Undefined: no such workspace. Throws when the database cannot be read. */
  async get(workspaceId: string, view: Environment): Promise<Snapshot | undefined> {
    const slot = this.#slot(workspaceId, view)
    return slot.current ?? this.#load(slot, workspaceId, view)
  }

  /** Brings a snapshot in use to at least `revision`. False: it could not be loaded, and what is there stays. */
  async refresh(workspaceId: string, view: Environment, revision: number): Promise<boolean> {
    const slot = this.#slots.get(workspaceId, view)
    if (!slot) return true
    const isBehind = () => (slot.current?.revision ?? 0) < revision
    try {
      // What is being loaded may have been read before the change; what is loaded after that was not.
      // Whoever asked for that has its error.
      if (slot.loading) await slot.loading.catch(() => undefined)
      if (slot.current && isBehind()) await this.#load(slot, workspaceId, view)
      return !slot.current || !isBehind()
    } catch (error) {
      this.#ctx.metrics.staleServed.inc()
      this.#ctx.log.warn({ err: error, workspaceId, part: view }, 'content could not be reloaded; the last known content is served')
      return false
    }
  }

  #slot(workspaceId: string, view: Environment): Slot {
    let slot = this.#slots.get(workspaceId, view)
    if (!slot) {
      slot = { current: undefined, loading: undefined, bytes: SLOT_BYTES }
      this.#slots.set(workspaceId, view, slot)
    }
    return slot
  }

  #load(slot: Slot, workspaceId: string, view: Environment): Promise<Snapshot | undefined> {
    slot.loading ??= this.#read(slot, workspaceId, view).finally(() => {
      slot.loading = undefined
    })
    return slot.loading
  }

  async #read(slot: Slot, workspaceId: string, view: Environment): Promise<Snapshot | undefined> {
    this.#ctx.faults.check('upstream')
    const rows = await loadSnapshotRows(this.#ctx.db, workspaceId, view, slot.current?.rows)
    if (!rows) return undefined
    const snapshot = await this.#ctx.timeSlicer.run(workspaceId, buildSnapshot(rows, this.#rendered, slot.current))
    // One that was put out meanwhile stays out: changes since were not told to it.
    const isHeld = this.#slots.get(workspaceId, view) === slot
    if (isHeld) this.#slots.delete(workspaceId, view)
    slot.current = snapshot
    slot.bytes = snapshot.bytes
    if (isHeld) this.#slots.set(workspaceId, view, slot)
    return snapshot
  }
}
