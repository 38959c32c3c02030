/**
 * Work that outlives a request. What is due is a row of a module's own table; a process claims some under a lease,
 * works, and writes what came of them. Any number of processes share the work: who dies leaves its rows due when the
 * lease ends, and who slept past its lease writes nothing.
 *
 * Workspaces take turns, one batch each, so that nobody's flood keeps the others waiting. `nudge` begins at once with
 * what a command made due; a pass finds whatever was missed. Each kind of work has turns of its own, and each lane of a
 * kind: one that is long at it keeps no other waiting.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { backoff, type BackOff } from '@contentflow/core/backoff.ts'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Db, Engine } from '../../db/open.ts'
import { AdaptiveBatchSize, TURN_MS } from './batch-size.ts'
import { settledWithin } from '../deadline.ts'
import { Semaphore } from '../concurrency/fair-limiter.ts'
import { isResting, listResting, type DueRow, type DueRows, type DueTable, type LeasedRows, type Waiting } from './queries-due.ts'
import { currentRequestId, inRequest } from '../request-scope.ts'

/** Rows of one workspace, claimed together. `signal` aborts when the process stops or the lease is lost: what is not finished then is handed back. `dueBy`: rows that are due by then were taken. */
export type Batch<Row> = LeasedRows<Row> & {
  signal: AbortSignal
  dueBy: Date
  /** Whether the turn took its time, or the process stops: what is not done then is due again, behind the others. */
  isOver(): boolean
}

/** One kind of work, registered by the module that owns its rows. */
export type DueWork<Row = unknown> = {
  kind: string
  /** Rows of one kind that are worked apart from its others. */
  lane?: string
  rows: DueRows<Row>
  /** Rows of one batch, at most. */
  most: number
  /** Works and finishes the rows, without a transaction around what takes long. A row that fails must not stop the others: see `oneByOne`. */
  work(batch: Batch<Row>): Promise<void>
  /** Workspaces worked for side by side in one process; 1 unless said otherwise, because each takes a connection. */
  atOnce?: number
  /** Turns that are cut short follow each other; on the embedded database, whose one connection everybody needs, not before others had as long. */
  yields?: true
  /** This work is not done for a workspace that is suspended; it continues when the suspension ends. */
  rests?: true
  /** How long a turn of work in steps is, milliseconds; otherwise as of `TURN_MS`. */
  turnMs?: number
  /** A nudge waits so long, milliseconds, so that what comes together is done together. */
  gatherMs?: number
  /** The first batch of a pass that somebody asked for is of what is due within this time, milliseconds. */
  aheadMs?: number
}

export type Due = {
  register(work: DueWork): void
  /** Something of this workspace is due, of a kind or of one lane of it (`laneOf`), by that request or the one that is under way. Of a kind nobody registered here it means nothing. */
  nudge: Nudge
  /** Resolves when this process finds nothing more of this workspace that it could claim; false when it stops instead. */
  workOff(kind: string, workspaceId: string): Promise<boolean>
  /** One pass over all workspaces. Rejects when rows could not be claimed or finished, which one that is not awaited logs. */
  run(kind: string, pass: DuePass): Promise<void>
  /** The kinds of work that are not done for a workspace that is suspended. */
  restingKinds(): string[]
  /** Counts what waits of each kind, for the metrics. */
  lookAtBacklog(): Promise<void>
  /** Work that goes on behind an answer: a stop waits for it. It must not reject. */
  behind(work: Promise<void>): void
  /** How many such works there are; without end when the process stops and takes no more. */
  countBehind(): number
  /** Takes nothing new; resolves when nothing is held any more. */
  stop(): Promise<void>
}

/** `isAsked`: by somebody who wants what is due within `aheadMs` too. `isAwaited`: it lasts until what it found is worked off, not only until it was found. */
export type DuePass = { isAsked: boolean; isAwaited: boolean }

/** How long a process may be silent about what it holds. */
const LEASE_MS = 30_000
/** A stop waits so long for what is being worked on, then hands it back. */
const STOP_MS = 8_000
/** Workspaces of one look. */
const LOOK = 10_000
/** A batch takes about so long; its size follows. On the embedded database every request waits for it. */
const BATCH_MS = { postgres: 1_000, embedded: 100 }
const MOST_YIELDED_MS = 500
/** Of one lane: where many workspaces are worked for side by side, each claim takes a connection. */
const CLAIMS_AT_ONCE = 2
const FIRST_BATCH = 8
/** Waits of rows that failed are up to a quarter shorter, so that what failed together does not come back together. */
const JITTER = -1 / 4

type Nudge = (kind: string, workspaceId: string, requestId?: string) => void
/** `nudgeOthers`: where this process begins no work of itself, how those that do hear of it. */
type Parts = {
  db: Db
  engine: Engine
  clock: Clock
  faults: Faults
  log: Logger
  metrics: Metrics
  nudgeOthers?: Nudge | undefined
}

/** The name that a lane is nudged by. */
export function laneOf(kind: string, lane: string): string {
  return `${kind}/${lane}`
}

export function openDue(parts: Parts): Due {
  /** The registered work, by kind and lane. */
  const kinds = new Map<string, Map<string, Kind>>()
  const lanesOf = (name: string): Kind[] => {
    const [kind = '', lane] = name.split('/')
    const lanes = [...(kinds.get(kind) ?? [])]
    return lanes.flatMap(([each, work]) => (lane === undefined || each === lane ? [work] : []))
  }
  const others = new Set<Promise<void>>()
  let isStopped = false
  return {
    register: (work) => {
      const lanes = kinds.get(work.kind) ?? new Map<string, Kind>()
      kinds.set(work.kind, lanes.set(work.lane ?? '', new Kind(parts, work)))
    },
    nudge: (name, workspaceId, requestId) => {
      if (parts.nudgeOthers) return parts.nudgeOthers(name, workspaceId, requestId ?? currentRequestId())
      for (const kind of lanesOf(name)) kind.nudge(workspaceId, requestId ?? currentRequestId())
    },
    workOff: async (name, workspaceId) => {
      await Promise.all(lanesOf(name).map(async (kind) => kind.takeTurn(workspaceId, 0)))
      return !isStopped
    },
    run: async (name, pass) => void (await Promise.all(lanesOf(name).map(async (kind) => kind.pass(pass)))),
    restingKinds: () => [...kinds].flatMap(([kind, lanes]) => ([...lanes.values()].some((lane) => lane.rests) ? [kind] : [])),
    lookAtBacklog: async () => {
      for (const [kind, lanes] of kinds) parts.metrics.setBacklog(kind, await countBacklog(parts, [...lanes.values()]))
    },
    behind: (work) => {
      others.add(work)
      void work.finally(() => others.delete(work))
    },
    countBehind: () => (isStopped ? Infinity : others.size),
    stop: async () => {
      isStopped = true
      await Promise.all([...kinds.values()].flatMap((lanes) => [...lanes.values()].map((kind) => kind.stop())))
      await settledWithin(STOP_MS, others)
    },
  }
}

/** What waits of all lanes of a kind. Of workspaces that rest nothing waits. */
async function countBacklog({ clock }: Parts, lanes: readonly Kind[]): Promise<{ rows: number; oldestSeconds: number }> {
  const now = clock.now()
  const sums = { rows: 0, oldestSeconds: 0 }
  for (const lane of lanes) {
    const { rows, oldest } = await lane.countWaiting(now)
    sums.rows += rows
    if (oldest) sums.oldestSeconds = Math.max(sums.oldestSeconds, (now.getTime() - oldest.getTime()) / 1000)
  }
  return sums
}

/** `requestId`: what set it off, for the log. */
type Turn = { aheadMs: number; isOver: PromiseWithResolvers<void>; requestId: string | undefined }
type Active = { controller: AbortController; ended: Promise<void>; held?: LeasedRows<unknown> }

class Kind {
  readonly #parts: Parts
  readonly #work: DueWork
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Turn>()
  /** One at a time of a workspace. */
  readonly #active = new Map<string, Active>()
  readonly #gathering = new Map<string, NodeJS.Timeout>()
  readonly #claims = new Semaphore(CLAIMS_AT_ONCE)
  readonly #batches: AdaptiveBatchSize
  #isStopped = false

  constructor(parts: Parts, work: DueWork) {
    this.#parts = parts
    this.#work = work
    this.#batches = new AdaptiveBatchSize({ first: FIRST_BATCH, most: work.most, goalMs: BATCH_MS[parts.engine] })
  }

  nudge(workspaceId: string, requestId: string | undefined): void {
    if (this.#isStopped || this.#gathering.has(workspaceId)) return
    const begin = () => {
      this.#gathering.delete(workspaceId)
      const turn = inRequest(requestId, () => this.takeTurn(workspaceId, 0))
      this.#goOn(workspaceId, turn)
    }
    this.#gathering.set(workspaceId, setTimeout(begin, this.#work.gatherMs ?? 0).unref())
  }

  /** Behind whoever set it off. */
  #goOn(workspaceId: string, turn: Promise<void>): void {
    turn.catch((error: unknown) => {
      this.#parts.log.warn({ err: error, kind: this.#work.kind, workspaceId }, 'due work could not be done; a later pass does it')
    })
  }

  async pass({ isAsked, isAwaited }: DuePass): Promise<void> {
    const aheadMs = isAsked ? (this.#work.aheadMs ?? 0) : 0
    const errors: unknown[] = []
    for (let found = LOOK; found === LOOK && errors.length === 0;) {
      const workspaces = await this.#look(aheadMs)
      if (!isAwaited) {
        for (const id of workspaces) this.#goOn(id, this.takeTurn(id, aheadMs))
        return
      }
      const turns = await Promise.allSettled(workspaces.map((id) => this.takeTurn(id, aheadMs)))
      errors.push(...turns.flatMap((turn) => (turn.status === 'rejected' ? [turn.reason as unknown] : [])))
      found = workspaces.length
    }
    // Work that an earlier nudge began is waited for too.
    if (isAsked) await this.#settled()
    if (errors.length > 0) throw new AggregateError(errors, `${this.#work.kind}: due work could not be done`)
  }

  async #look(aheadMs: number): Promise<string[]> {
    const now = this.#parts.clock.now()
    return this.#work.rows.listWorkspaces(later(now, aheadMs), now, LOOK, await this.#resting())
  }

  async countWaiting(now: Date): Promise<Waiting> {
    return this.#work.rows.countWaiting(now, await this.#resting())
  }

  get rests(): boolean {
    return this.#work.rests === true
  }

  async #resting(): Promise<string[]> {
    return this.rests ? listResting(this.#parts.db) : []
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
    const { kind, rows: source, work, yields, turnMs = TURN_MS[this.#parts.engine] } = this.#work
    const held = await this.#claims.take(() => this.#claim(workspaceId, aheadMs))
    if (!held) return false
    active.held = held
    await faults.reach(`${kind}: claimed`)
    const began = performance.now()
    const { signal } = active.controller
    const ends = began + turnMs
    const batch = { ...held, signal, isOver: () => signal.aborted || performance.now() > ends }
    const release = keepLease(this.#parts, source, held, active.controller)
    try {
      if (!signal.aborted) await work(batch)
    } finally {
      release()
    }
    if (signal.aborted) await source.handBack(batch, clock.now())
    const tookMs = performance.now() - began
    if (yields && this.#parts.engine === 'embedded' && batch.isOver() && !signal.aborted) await delay(Math.min(tookMs, MOST_YIELDED_MS))
    const count = held.rows.length
    metrics.dueWorked.inc({ kind }, count)
    metrics.dueTook.of({ kind }).note(tookMs)
    log.debug({ kind, workspaceId, rows: count, ms: Math.round(tookMs) }, 'due work')
    this.#batches.note(tookMs, count)
    return true
  }

  /** Undefined when nothing was due, or the workspace rests. */
  async #claim(workspaceId: string, aheadMs: number): Promise<(LeasedRows<unknown> & { dueBy: Date }) | undefined> {
    const { db, clock, faults } = this.#parts
    const { kind, rows: source, rests } = this.#work
    if (rests && (await isResting(db, workspaceId))) return undefined
    const now = clock.now()
    const [token, dueBy] = [randomUUID(), later(now, aheadMs)]
    await faults.reach(`${kind}: claim`)
    const rows = await source.claim({ workspaceId, token, now, dueBy, until: later(now, LEASE_MS), limit: this.#batches.size })
    return rows.length === 0 ? undefined : { workspaceId, token, rows, dueBy }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#gathering.values()) clearTimeout(timer)
    for (const { isOver } of this.#waiting.values()) isOver.resolve()
    this.#waiting.clear()
    const active = [...this.#active.values()]
    for (const { controller } of active) controller.abort()
    await settledWithin(
      STOP_MS,
      active.map(({ ended }) => ended),
    )
    for (const { held } of this.#active.values()) if (held) await this.#work.rows.handBack(held, this.#parts.clock.now())
  }
}

/** Renews what is held for as long as it is worked on; `controller` aborts when it is another's by now. Returns what ends it. */
export function keepLease<Row>(
  { clock, log }: Pick<Parts, 'clock' | 'log'>,
  rows: Pick<DueRows<Row>, 'renew'>,
  held: LeasedRows<Row>,
  controller: AbortController,
): () => void {
  const renew = async () => {
    try {
      if (!(await rows.renew(held, later(clock.now(), LEASE_MS)))) controller.abort()
    } catch (error) {
      log.warn({ err: error, workspaceId: held.workspaceId }, 'a lease could not be renewed')
    }
  }
  const timer = setInterval(() => void renew(), LEASE_MS / 3)
  return () => clearInterval(timer)
}

/** The work of a batch whose rows have nothing to do with each other. `workOne` says when the row is due next; one that fails is tried again later. */
export function oneByOne<Row extends DueRow>(
  { clock, faults, log, metrics }: Omit<Parts, 'engine' | 'db'>,
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
      return { dueAt: later(clock.now(), backoff({ ...backOff, jitter: JITTER }, row.attempts, Math.random())), isDone: false }
    }
  }
  return async (batch) => {
    for (const [position, row] of batch.rows.entries()) {
      if (batch.signal.aborted) return
      // One at least in each turn.
      if (position > 0 && batch.isOver()) return table.handBack({ ...batch, rows: batch.rows.slice(position) }, clock.now())
      const outcome = await attempt(row, batch)
      // Handed back, not failed.
      if (batch.signal.aborted && !outcome.isDone) return
      await faults.reach(`${kind}: worked`)
      await table.finish(batch, row, outcome)
      await faults.reach(`${kind}: finished`)
    }
  }
}

function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}
