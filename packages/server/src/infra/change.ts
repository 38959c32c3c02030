/** The unit of work: one transaction of one workspace, in which what was changed is gathered and told once, at its end. */
import { LOCK_ORDER, type Lock } from '../db/locks.ts'
import type { Db } from '../db/open.ts'
import { auditedObject, MOST_ENTRIES, type Audit, type AuditedObject } from './audit/audit.ts'
import type { Clock } from './clock.ts'
import type { Signal, Signals } from './signals/signals.ts'
import { allows, isRefused, type Grant, type Limits, type Permit, type Refused, type Target } from '@contentflow/core/access/allows.ts'
import { FULL_GRANT } from '@contentflow/core/access/grants.ts'
import type { Permission } from '@contentflow/core/access/permissions.ts'
import { fail, refusalWith } from '../errors.ts'
import { currentAccess, currentAudited, currentRequestId, noteAudited } from './request-scope.ts'
import { openLimiter } from './concurrency/limiters.ts'
import { onceInRequest } from './once/once.ts'
import { isSerializationFailure, retryOnConflict } from './unavailable.ts'

/** What a command works with. */
export type Change = {
  tx: Db
  now: Date
  workspaceId: string
  /** Who changes it: an account or a key by id, or `operator`. */
  actor: string
  /** Who submits what takes an approval: the actor, or the member who answers for a service account. */
  submitter: string
  /**
   * Refuses, with 403 `ROLE_REQUIRED`, what whoever asks may not do to all of the target, by any of these permissions. What nobody
   * asked for by a request of a member may be done.
   */
  require(permissions: Permission | readonly Permission[], target: Target): Permit
  /** Names by which whoever asks is limited: so that only then somebody looks for the names of a target. */
  limits: Limits
  /**
   * Whether whoever changes it may let it reach live apps where that takes an approver: not so of members without approval
   * rights, and of write keys that such members made. What the server does by itself may: it was agreed to before.
   */
  mayPublish: boolean
  /** Something a head stands for is another now. However often this is said, the head moves once, last of all. */
  touch<What>(head: VersionRow<What>, what: What): void
  /** Heard by every process after the commit, or by none. What is told twice is heard once. */
  emit(signal: Signal): void
  /** Wakes whoever does the work of this name, on every process, after the commit. */
  nudge(work: string): void
  /**
   * Names something that is changed, with its state before and after, without secrets; undefined: it was not there, or is no longer.
   * The entry of the audit log says digests of both and what differs, by name. Unnamed, it says what the route's address names.
   */
  audited(kind: string, id: string, before?: unknown, after?: unknown): void
  /** The same of a person, by any of their ids: the log keeps a keyed hash of it, and nothing of what they are. */
  auditedPerson(id: string): void
}

/** A row that says how far something of a workspace is. It is moved at the end of a transaction, with everything that was touched. */
export type VersionRow<What> = { lock: Lock; move(change: Change, touched: readonly What[]): Promise<void> }

/**
 * `mayPublish`: yes unless it says otherwise. `isBrief`: a few statements about one person, for which no turn of the changes is
 * taken. Who may bring many of them takes one of `clientWrites` (`limiters.ts`).
 */
export type Actor = { workspaceId: string; actor: string; mayPublish?: boolean; isBrief?: true }
/** The actor of changes that nobody asked for by a request: due work makes them (G-64). */
export const SYSTEM = 'system'
/**
 * Runs `work`, which is retried from its beginning while `isConflict` holds of its error: of a serialization failure unless it
 * says otherwise. Resolves when this process serves what it changed.
 */
export type MakeChange = <T>(by: Actor, work: (change: Change) => Promise<T>, isConflict?: (error: unknown) => boolean) => Promise<T>

type Tools = { db: Db; connections: number; signals: Signals; clock: Clock; audit: Audit }

/** Changes of one workspace may take a fifth of the connections: two of ten. */
const SHARE = 5
const MOST_WAITING = 100
const LONGEST_WAIT_MS = 20_000

/** A change of a request with an Idempotency-Key keeps its result in its own transaction, and is not made again (decision 81). */
export function openChange(tools: Tools): MakeChange {
  const change = openEachChange(tools)
  return async (by, work, isConflict) => {
    const result = await onceInRequest((keep) => change(by, async (made) => keep(made.tx, await work(made)), isConflict))
    // Also of a change that was made before: its entry is in the audit log since then.
    if (by.actor !== SYSTEM) noteAudited(by.workspaceId)
    return result
  }
}

function openEachChange({ db, connections, signals, clock, audit }: Tools): MakeChange {
  const inTurn = openLimiter({
    atOnce: Math.max(1, Math.floor(connections / SHARE)),
    mostWaiting: MOST_WAITING,
    longestWaitMs: LONGEST_WAIT_MS,
  })
  return async ({ workspaceId, actor, mayPublish = true, isBrief }, work, isConflict = isSerializationFailure) => {
    // Of this request: a turn may be given by another one.
    const { grant = FULL_GRANT, submitter = actor } = currentAccess() ?? {}
    const attempt = () =>
      db.transaction().execute(async (tx) => {
        const touched = new Map<VersionRow<never>, unknown[]>()
        const signalled = new Map<string, Signal>()
        const audited: AuditedObject[] = []
        const isKept = actor !== SYSTEM && currentAudited() !== undefined
        const emit = (signal: Signal) => void signalled.set(JSON.stringify(signal), signal)
        const change: Change = {
          tx,
          now: clock.now(),
          workspaceId,
          actor,
          submitter,
          require: (permissions, target) => permitOf(grant, [permissions].flat(), target),
          limits: grant.limits,
          mayPublish,
          touch: (head, what) => {
            const before = touched.get(head)
            if (before) before.push(what)
            else touched.set(head, [what])
          },
          emit,
          nudge: (name) => emit({ kind: 'due', workspaceId, work: name, requestId: currentRequestId() }),
          audited: (kind, id, before, after) => {
            // Of what gets no entry of its own, no digest is made.
            if (isKept) audited.push(audited.length < MOST_ENTRIES ? auditedObject(kind, id, before, after) : { kind, id })
          },
          auditedPerson: (id) => void (isKept && audited.push({ kind: 'person', id, isPerson: true })),
        }
        const result = await work(change)
        const heads = [...touched].sort(([a], [b]) => LOCK_ORDER.indexOf(a.lock) - LOCK_ORDER.indexOf(b.lock))
        for (const [head, what] of heads) await head.move(change, what as never[])
        const told = [...signalled.values()]
        await signals.send(tx, told)
        // Behind all heads: whoever waits for the end of the chain holds everything else already.
        if (isKept) await audit.write(tx, workspaceId, audited)
        return { result, told }
      })
    const run = () => retryOnConflict(attempt, isConflict)
    const { result, told } = await (isBrief ? run() : inTurn(workspaceId, run))
    await signals.apply(told)
    return result
  }
}

/** The permit, or 403 with what is missing of the first one. */
function permitOf(grant: Grant, permissions: readonly Permission[], target: Target): Permit {
  const answers = permissions.map((permission) => allows(grant, permission, target))
  const [first] = answers
  return answers.find((answer): answer is Permit => !isRefused(answer)) ?? refuse(first as Refused, grant)
}

/** Members with a documented role get the documented answer. */
function refuse(refused: Refused, { isOwn }: Grant): never {
  if (!isOwn) fail('ROLE_REQUIRED')
  throw refusalWith('ROLE_REQUIRED', refused)
}
