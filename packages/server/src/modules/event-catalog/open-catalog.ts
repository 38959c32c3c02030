/**
 * Sees what apps send, behind the answer. A process remembers what it knows of each workspace within a bound, so that a known
 * event costs no statement: a new type, property or kind is written within a quarter of a second, and what is only added up
 * (violations, events without room, hours) each minute. A process that is killed loses that minute of sums, and no fact: it is seen again.
 */
import type { SentEvent } from '@contentflow/core/events/read-events.ts'
import type { Context } from '../../context.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import { SingleFlight } from '../../infra/cache/single-flight.ts'
import { inTransaction, stateOf } from '../../infra/unavailable.ts'
import { mergePending, newPending, observe, type KnownCatalog, type Pending } from './known-catalog.ts'
import { findRevision } from './queries.ts'
import { readKnown } from './read-known.ts'
import { writePending } from './write-pending.ts'

export type EventCatalog = {
  /** Takes in events that were stored. Never throws, and nothing waits for it. */
  see(workspaceId: string, events: readonly SentEvent[]): void
  /** Writes what was seen and not written yet. */
  save(): Promise<void>
  stop(): Promise<void>
}

/** Types and properties that a process remembers, over all workspaces. */
const HELD = 400_000
/** Events that wait for the catalogue of their workspace to be read; more are not looked at, and their kind comes again. */
const MOST_WAITING = 10_000
/** How long new facts are gathered before they are written. */
const GATHER_MS = 250
/** A declaration that this process was not told of is found this late. */
const CHECK_MS = 30_000
/** Foreign key violation: the workspace is gone. */
const GONE = '23503'

export function openEventCatalog(ctx: Context): EventCatalog {
  const catalog = new ObservedCatalogs(ctx)
  ctx.signals.on('event-types', ({ workspaceId }) => catalog.forget(workspaceId))
  return catalog
}

class ObservedCatalogs implements EventCatalog {
  readonly #ctx: Context
  readonly #held = new GenerationalCache<string, KnownCatalog>(HELD, ({ weight }) => weight)
  readonly #loading = new SingleFlight<KnownCatalog>()
  readonly #pending = new Map<string, Pending>()
  #waiting = 0
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> = Promise.resolve()
  readonly #underWay = new Set<Promise<void>>()
  /** Grows with every declaration: what was read before it is not kept. */
  #changes = 0

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.metrics.watchCache('event-catalog', 'entries', () => this.#held.size)
  }

  see(workspaceId: string, events: readonly SentEvent[]): void {
    const known = this.#held.get(workspaceId)
    if (!known) {
      if (this.#waiting + events.length <= MOST_WAITING) this.#track(this.#seeLater(workspaceId, events))
      return
    }
    const now = this.#ctx.clock.ms()
    if (now - known.checkedAt > CHECK_MS) {
      known.checkedAt = now
      this.#track(this.#check(workspaceId, known))
    }
    this.#look(workspaceId, known, events)
  }

  forget(workspaceId: string): void {
    this.#changes++
    this.#held.delete(workspaceId)
    this.#loading.forget(workspaceId)
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await Promise.allSettled(this.#underWay)
    // One after another, so that what one could not write is in front of the next.
    const saved = this.#saving.then(() => this.#saveAll())
    this.#saving = saved
    await saved
  }

  async stop(): Promise<void> {
    await this.save()
    clearTimeout(this.#timer)
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }

  async #seeLater(workspaceId: string, events: readonly SentEvent[]): Promise<void> {
    this.#waiting += events.length
    try {
      const known = await this.#loading.run(workspaceId, () => this.#load(workspaceId))
      this.#look(workspaceId, known, events)
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'the catalogue of events could not be read; the next event reads it again')
    } finally {
      this.#waiting -= events.length
    }
  }

  async #load(workspaceId: string): Promise<KnownCatalog> {
    const before = this.#changes
    const known = await readKnown(this.#ctx, workspaceId)
    if (before === this.#changes) this.#held.set(workspaceId, known)
    return known
  }

  async #check(workspaceId: string, known: KnownCatalog): Promise<void> {
    try {
      if ((await findRevision(this.#ctx.db, workspaceId)) !== known.revision) this.forget(workspaceId)
    } catch (error) {
      this.#ctx.log.debug({ err: error }, 'the catalogue of events could not be compared')
    }
  }

  #look(workspaceId: string, known: KnownCatalog, events: readonly SentEvent[]): void {
    let pending = this.#pending.get(workspaceId)
    if (!pending) this.#pending.set(workspaceId, (pending = newPending()))
    const before = known.weight
    observe(known, pending, events, this.#ctx.clock.now())
    if (known.weight !== before) this.#weighAgain(workspaceId, known, before)
    if (pending.hasFacts) this.#timer ??= setTimeout(() => void this.save(), GATHER_MS).unref()
  }

  /** The cache takes off what it once added, so a value is taken out with its old weight and put in with its new one. */
  #weighAgain(workspaceId: string, known: KnownCatalog, before: number): void {
    if (this.#held.get(workspaceId) !== known) return
    const { weight } = known
    known.weight = before
    this.#held.delete(workspaceId)
    known.weight = weight
    this.#held.set(workspaceId, known)
  }

  async #saveAll(): Promise<void> {
    const taken = new Map(this.#pending)
    this.#pending.clear()
    for (const [workspaceId, pending] of taken) if (pending.types.size > 0 || pending.others > 0) await this.#saveOne(workspaceId, pending)
  }

  async #saveOne(workspaceId: string, pending: Pending): Promise<void> {
    const now = this.#ctx.clock.now()
    try {
      const isWhole = await inTransaction(this.#ctx.db, (tx) => writePending(tx, workspaceId, pending, now))
      // Another process filled the catalogue: what there is no room for is counted from now on.
      if (!isWhole) this.forget(workspaceId)
    } catch (error) {
      if (stateOf(error) === GONE) return this.forget(workspaceId)
      const later = this.#pending.get(workspaceId) ?? newPending()
      mergePending(later, pending)
      this.#pending.set(workspaceId, later)
      this.#ctx.log.warn({ err: error }, 'what was seen of events could not be written; the next minute tries again')
    }
  }
}
