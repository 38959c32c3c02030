/**
 * Work that outlives a request. What is due is a row of a module's own table; a process claims some under a lease,
 * works, and writes what came of them. Any number of processes share the work: who dies leaves its rows due when the
 * lease ends, and who slept past its lease writes nothing.
 *
 * Workspaces take turns, one batch each, so that nobody's flood keeps the others waiting. `nudge` begins at once with
 * what a command made due; a pass finds whatever was missed.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { DueRow, DueRows, DueTable, Held } from './queries-due.ts'
import { currentRequestId, inRequest } from './request-scope.ts'

/** Rows of one workspace, claimed together. `signal` aborts when the process stops or the lease is lost: what is not finished then is handed back. `dueBy`: rows that are due by then were taken. */
export type Batch<Row> = Held<Row> & { signal: AbortSignal; dueBy: Date }

/** One kind of work, registered by the module that owns its rows. */
export type DueWork<Row = unknown> = {
  kind: string
  rows: DueRows<Row>
  /** Rows of one batch, at most. */
  most: number
  /** Works and finishes the rows, without a transaction around what takes long. A row that fails must not stop the others: see `oneByOne`. */
  work(batch: Batch<Row>): Promise<void>
  /** Workspaces worked for side by side in one process; 1 unless said otherwise, because each takes a connection. */
  atOnce?: number
  /** A nudge waits so long, milliseconds, so that what comes together is done together. */
  gatherMs?: number
  /** The first batch of a pass that somebody asked for is of what is due within this time, milliseconds. */
  aheadMs?: number
}

export type Due = {
  register(work: DueWork): void
  /** Something of this workspace is due, by that request or the one that is under way. Of a kind nobody registered here it means nothing. */
  nudge(kind: string, workspaceId: string, requestId?: string): void
  /** Resolves when this process finds nothing more of this workspace that it could claim; false when it stops instead. */
  workOff(kind: string, workspaceId: string): Promise<boolean>
  /** One pass over all workspaces. Rejects when rows could not be claimed or finished. */
  run(kind: string, pass: { isAsked: boolean }): Promise<void>
  /** Counts what waits of each kind, for the metrics. */
  lookAtBacklog(): Promise<void>
  /** Work that goes on behind an answer: a stop waits for it. It must not reject. */
  behind(work: Promise<void>): void
  /** How many such works there are; without end when the process stops and takes no more. */
  countBehind(): number
  /** Takes nothing new; resolves when nothing is held any more. */
  stop(): Promise<void>
}

/** How long a process may be silent about what it holds. */
const LEASE_MS = 30_000
/** A stop waits so long for what is being worked on, then hands it back. */
const STOP_MS = 8_000
/** Workspaces of one look. */
const LOOK = 10_000
/** A batch takes about so long; its size follows. On the embedded database every request waits for it. */
const BATCH_MS = { postgres: 1_000, embedded: 100 }
const FIRST_BATCH = 8

type Parts = { engine: 'postgres' | 'embedded'; clock: Clock; faults: Faults; log: Logger; metrics: Metrics }

export function openDue(parts: Parts): Due {
  const kinds = new Map<string, Kind>()
  const others = new Set<Promise<void>>()
  let isStopped = false
  return {
    register: (work) => void kinds.set(work.kind, new Kind(parts, work)),
    nudge: (kind, workspaceId, requestId) => kinds.get(kind)?.nudge(workspaceId, requestId ?? currentRequestId()),
    workOff: async (kind, workspaceId) => {
      await kinds.get(kind)?.takeTurn(workspaceId, 0)
      return !isStopped
    },
    run: async (kind, { isAsked }) => kinds.get(kind)?.pass(isAsked),
    lookAtBacklog: async () => {
      for (const kind of kinds.values()) await kind.lookAtBacklog()
    },
    behind: (work) => {
      others.add(work)
      void work.finally(() => others.delete(work))
    },
    countBehind: () => (isStopped ? Infinity : others.size),
    stop: async () => {
      isStopped = true
      await Promise.all([...kinds.values()].map((kind) => kind.stop()))
      await Promise.race([Promise.all(others), after(STOP_MS)])
    },
  }
}

/** `requestId`: what set it off, for the log. */
type Turn = { aheadMs: number; isOver: PromiseWithResolvers<void>; requestId: string | undefined }
type Active = { controller: AbortController; ended: Promise<void>; held?: Held<unknown> }

class Kind {
  readonly #parts: Parts
  readonly #work: DueWork
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Turn>()
  /** One at a time of a workspace. */
  readonly #active = new Map<string, Active>()
  readonly #gathering = new Map<string, NodeJS.Timeout>()
  #size: number
  #isStopped = false

  constructor(parts: Parts, work: DueWork) {
    this.#parts = parts
    this.#work = work
    this.#size = Math.min(FIRST_BATCH, work.most)
  }

  nudge(workspaceId: string, requestId: string | undefined): void {
    if (this.#isStopped || this.#gathering.has(workspaceId)) return
    const begin = () => {
      this.#gathering.delete(workspaceId)
      inRequest(requestId, () => this.takeTurn(workspaceId, 0)).catch((error: unknown) => {
        this.#parts.log.warn({ err: error, kind: this.#work.kind, workspaceId }, 'due work could not be done; a later pass does it')
      })
    }
    this.#gathering.set(workspaceId, setTimeout(begin, this.#work.gatherMs ?? 0).unref())
  }

  async pass(isAsked: boolean): Promise<void> {
    const { clock } = this.#parts
    const aheadMs = isAsked ? (this.#work.aheadMs ?? 0) : 0
    const errors: unknown[] = []
    for (let found = LOOK; found === LOOK && errors.length === 0;) {
      const now = clock.now()
      const workspaces = await this.#work.rows.listWorkspaces(later(now, aheadMs), now, LOOK)
      const turns = await Promise.allSettled(workspaces.map((id) => this.takeTurn(id, aheadMs)))
      errors.push(...turns.flatMap((turn) => (turn.status === 'rejected' ? [turn.reason as unknown] : [])))
      found = workspaces.length
    }
    // What a nudge began before is part of what was asked for.
    if (isAsked) await this.#settled()
    if (errors.length > 0) throw new AggregateError(errors, `${this.#work.kind}: due work could not be done`)
  }

  async lookAtBacklog(): Promise<void> {
    const { clock, metrics } = this.#parts
    const now = clock.now()
    const { rows, oldest } = await this.#work.rows.countWaiting(now)
    const oldestSeconds = oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000)
    metrics.setBacklog(this.#work.kind, { rows, oldestSeconds })
  }

  async #settled(): Promise<void> {
    while (this.#active.size > 0) await Promise.all([...this.#active.values()].map(({ ended }) => ended))
  }

  /** Resolves when a claim that began after this call found nothing. */
  takeTurn(workspaceId: string, aheadMs: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    const waiting = this.#waiting.get(workspaceId)
    if (waiting) {
      waiting.aheadMs = Math.max(waiting.aheadMs, aheadMs)
      return waiting.isOver.promise
    }
    const turn: Turn = { aheadMs, isOver: Promise.withResolvers<void>(), requestId: currentRequestId() }
    this.#waiting.set(workspaceId, turn)
    this.#next()
    return turn.isOver.promise
  }

  #next(): void {
    const { atOnce = 1 } = this.#work
    for (const [workspaceId, turn] of this.#waiting) {
      if (this.#active.size >= atOnce || this.#isStopped) return
      if (this.#active.has(workspaceId)) continue
      this.#waiting.delete(workspaceId)
      const active: Active = { controller: new AbortController(), ended: Promise.resolve() }
      this.#active.set(workspaceId, active)
      active.ended = inRequest(turn.requestId, () => this.#doTurn(workspaceId, turn, active))
    }
  }

  async #doTurn(workspaceId: string, turn: Turn, active: Active): Promise<void> {
    try {
      if (await this.#doBatch(workspaceId, turn, active)) this.#takeAnother(workspaceId, turn)
      else turn.isOver.resolve()
    } catch (error) {
      this.#parts.metrics.dueFailed.inc({ kind: this.#work.kind })
      turn.isOver.reject(error)
    } finally {
      this.#active.delete(workspaceId)
      this.#next()
    }
  }

  /** Behind the others. Whoever came for the workspace meanwhile waits for the same. */
  #takeAnother(workspaceId: string, turn: Turn): void {
    if (this.#isStopped) return turn.isOver.resolve()
    turn.aheadMs = 0
    const newer = this.#waiting.get(workspaceId)
    if (!newer) return void this.#waiting.set(workspaceId, turn)
    newer.isOver.promise.then(turn.isOver.resolve, turn.isOver.reject)
  }

  /** False when nothing was due. */
  async #doBatch(workspaceId: string, { aheadMs }: Turn, active: Active): Promise<boolean> {
    const { clock, faults, log, metrics } = this.#parts
    const { kind, rows: source, most, work } = this.#work
    const now = clock.now()
    const token = randomUUID()
    await faults.reach(`${kind}: claim`)
    const claim = { workspaceId, token, now, dueBy: later(now, aheadMs), until: later(now, LEASE_MS), limit: this.#size }
    const rows = await source.claim(claim)
    if (rows.length === 0) return false
    const batch = { workspaceId, token, rows, signal: active.controller.signal, dueBy: claim.dueBy }
    active.held = batch
    await faults.reach(`${kind}: claimed`)
    const began = performance.now()
    const renewal = setInterval(() => void this.#renew(batch, active.controller), LEASE_MS / 3)
    try {
      if (!batch.signal.aborted) await work(batch)
    } finally {
      clearInterval(renewal)
    }
    if (batch.signal.aborted) await source.handBack(batch, clock.now())
    const tookMs = performance.now() - began
    metrics.dueWorked.inc({ kind }, rows.length)
    metrics.dueTook.of({ kind }).note(tookMs)
    log.debug({ kind, workspaceId, rows: rows.length, ms: Math.round(tookMs) }, 'due work')
    this.#resize(tookMs, rows.length, most)
    return true
  }

  async #renew(batch: Batch<unknown>, controller: AbortController): Promise<void> {
    try {
      if (!(await this.#work.rows.renew(batch, later(this.#parts.clock.now(), LEASE_MS)))) controller.abort()
    } catch (error) {
      this.#parts.log.warn({ err: error, kind: this.#work.kind }, 'a lease could not be renewed')
    }
  }

  #resize(tookMs: number, rows: number, most: number): void {
    const goal = BATCH_MS[this.#parts.engine]
    if (tookMs > goal) this.#size = Math.max(1, Math.floor(this.#size / 2))
    else if (rows === this.#size && tookMs < goal / 2) this.#size = Math.min(most, this.#size * 2)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#gathering.values()) clearTimeout(timer)
    for (const { isOver } of this.#waiting.values()) isOver.resolve()
    this.#waiting.clear()
    const active = [...this.#active.values()]
    for (const { controller } of active) controller.abort()
    await Promise.race([Promise.all(active.map(({ ended }) => ended)), after(STOP_MS)])
    for (const { held } of this.#active.values()) if (held) await this.#work.rows.handBack(held, this.#parts.clock.now())
  }
}

/** Waits between attempts, milliseconds: twice as long each time, less some chance, so that what failed together does not come back together. */
export type BackOff = { first: number; most: number }

/** The work of a batch whose rows have nothing to do with each other. `workOne` says when the row is due next; one that fails is tried again later. */
export function oneByOne<Row extends DueRow>(
  { clock, faults, log, metrics }: Omit<Parts, 'engine'>,
  { kind, table, backOff }: { kind: string; table: DueTable<Row>; backOff: BackOff },
  workOne: (row: Row, batch: Batch<Row>) => Promise<Date | null>,
): (batch: Batch<Row>) => Promise<void> {
  const attempt = async (row: Row, batch: Batch<Row>) => {
    try {
      return { dueAt: await workOne(row, batch), isDone: true }
    } catch (error) {
      if (!batch.signal.aborted) {
        metrics.dueFailed.inc({ kind })
        log.error({ err: error, kind, workspaceId: batch.workspaceId, id: row.id }, 'due work failed; it is tried again')
      }
      return { dueAt: later(clock.now(), waitOf(backOff, row.attempts)), isDone: false }
    }
  }
  return async (batch) => {
    for (const row of batch.rows) {
      if (batch.signal.aborted) return
      const outcome = await attempt(row, batch)
      // Handed back, not failed.
      if (batch.signal.aborted && !outcome.isDone) return
      await faults.reach(`${kind}: worked`)
      await table.finish(batch, row, outcome)
      await faults.reach(`${kind}: finished`)
    }
  }
}

function waitOf({ first, most }: BackOff, attempts: number): number {
  return Math.min(first * 2 ** Math.min(attempts - 1, 30), most) * (1 - Math.random() / 4)
}

function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
