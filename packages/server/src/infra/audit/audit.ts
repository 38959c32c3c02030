/**
 * The audit log: what people, keys and the operator do leaves an entry in the same transaction, at the end of the workspace's
 * chain. What the server does by itself, and what apps send, leaves none.
 */
import { hash } from 'node:crypto'
import {
  auditedState,
  auditGenesis,
  auditText,
  changedMembers,
  digestedText,
  type AuditActor,
  type AuditEntry,
  type AuditOutcome,
} from '@contentflow/core/audit/entry.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../clock.ts'
import { GenerationalCache } from '../cache/generational-cache.ts'
import { currentAudited, currentRequestId, noteAudited, type AuditedRequest, type NamedObject } from '../request-scope.ts'
import { retryOnConflict } from '../unavailable.ts'
import { keyMaker, type AuditKeys } from './audit-keys.ts'
import { insertAuditEntries, insertAuditHead, lockAuditHead, moveAuditHead, type Head, type NewEntry } from './queries-audit.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Logger } from '../log.ts'

/** What was done to one object. Of a person no digests are kept: they could be guessed. */
export type AuditedObject = NamedObject & { before?: string | undefined; after?: string | undefined; members?: readonly string[] }

/** What an entry says other than the request of now does. */
export type Said = {
  actor?: AuditActor
  action?: string
  object?: NamedObject
  outcome?: AuditOutcome
  reason?: string
}

export type Audit = {
  /**
   * Writes what the request of now did, as the last thing of a transaction of one workspace; nothing outside of a request of somebody
   * who is known. `noteAudited` is said after the commit.
   */
  write(tx: Db, workspaceId: string, objects: readonly AuditedObject[], said?: Said): Promise<void>
  /** The same in a transaction of its own, for what has no other. */
  writeApart(workspaceId: string, said?: Said): Promise<void>
  /** Makes the chain of a workspace, where nothing was ever written; holds its head. */
  begin(tx: Db, workspaceId: string): Promise<void>
  keys: AuditKeys
}

/** Entries of one change; how many further objects there are says the last one. */
export const MOST_ENTRIES = 50
const AGENT_LENGTH = 200
/** A checkpoint is made after so many entries, or so long after the first of them. */
const CHECKPOINT_EVERY = 1_000
const CHECKPOINT_MS = 3_600_000
const KEYS_KEPT = 2_000

type Tools = { db: Db; secrets: Secrets; clock: Clock; log: Pick<Logger, 'warn'> }

export function openAudit({ db, secrets, clock, log }: Tools): Audit {
  const keys = keyMaker(secrets, log, new GenerationalCache(KEYS_KEPT))
  const write: Audit['write'] = async (tx, workspaceId, objects, said = {}) => {
    const request = currentAudited()
    const actor = said.actor ?? request?.actor
    if (!actor || isSaidAlready(request, workspaceId, objects, said)) return
    const head = await holdHead(tx, workspaceId)
    const base = { ...describe(request), actor, at: clock.now().toISOString(), outcome: said.outcome ?? ('done' as const) }
    if (said.action !== undefined) base.action = said.action
    if (said.reason !== undefined) base.reason = said.reason
    const named = objects.length > 0 ? objects : [said.object ?? request?.object]
    const about = await Promise.all(named.slice(0, MOST_ENTRIES).map((object) => hidePerson(keys, tx, workspaceId, object)))
    const entries = chain(
      head,
      about.map((object, at) => ({
        ...base,
        ...object,
        ...(at === MOST_ENTRIES - 1 && named.length > MOST_ENTRIES && { more: named.length - MOST_ENTRIES }),
      })),
    )
    await insertAuditEntries(tx, workspaceId, entries)
    await moveAuditHead(tx, workspaceId, { ...entries.at(-1)!, checkpointDueAt: dueAt(head, entries.at(-1)!.seq, clock.now()) })
  }
  return {
    keys,
    write,
    begin: async (tx, workspaceId) => void (await holdHead(tx, workspaceId)),
    writeApart: async (workspaceId, said) => {
      // Not one of the transactions whose result a repeat with the same Idempotency-Key is given.
      await retryOnConflict(() => db.transaction().execute((tx) => write(tx, workspaceId, [], said)))
      noteAudited(workspaceId)
    },
  }
}

/** A request that changes much in steps is said once, unless a step names what it changes. */
function isSaidAlready(request: AuditedRequest | undefined, workspaceId: string, objects: readonly AuditedObject[], said: Said): boolean {
  return objects.length === 0 && said.action === undefined && said.outcome === undefined && request?.noted.has(workspaceId) === true
}

async function holdHead(tx: Db, workspaceId: string): Promise<Head> {
  const known = await lockAuditHead(tx, workspaceId)
  if (known) return known
  await insertAuditHead(tx, workspaceId, hash('sha256', auditGenesis(workspaceId), 'buffer'))
  const made = await lockAuditHead(tx, workspaceId)
  if (!made) throw new Error('an audit log has no head')
  return made
}

type Base = Omit<AuditEntry, 'seq' | 'at' | 'actor' | 'outcome' | 'object'>

function describe(request: AuditedRequest | undefined): Base {
  const requestId = currentRequestId()
  return {
    action: request?.action ?? '',
    ...(requestId !== undefined && { requestId }),
    ...(request?.address && { address: request.address }),
    ...(request?.userAgent && { userAgent: request.userAgent.slice(0, AGENT_LENGTH) }),
    ...(request?.session && { session: request.session }),
  }
}

async function hidePerson(keys: AuditKeys, tx: Db, workspaceId: string, named: AuditedObject | undefined) {
  if (!named) return {}
  const { isPerson, before, after, members, ...object } = named
  const id = isPerson ? await keys.hashPerson(tx, workspaceId, object.id) : object.id
  return {
    object: { ...object, id },
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(members && members.length > 0 && { members }),
  }
}

/** Binds entries to the end of a chain, one after the other. */
function chain(head: Head, entries: readonly Omit<AuditEntry, 'seq'>[]): NewEntry[] {
  let { seq, hash: prev } = head
  return entries.map((entry) => {
    const text = auditText({ ...entry, seq: ++seq })
    const own = hash('sha256', Buffer.concat([prev, Buffer.from(text)]), 'buffer')
    const stored = { seq, entry: text, prev, hash: own }
    prev = own
    return stored
  })
}

function dueAt({ signedSeq, checkpointDueAt }: Head, seq: number, now: Date): Date {
  if (seq - signedSeq >= CHECKPOINT_EVERY) return checkpointDueAt && checkpointDueAt < now ? checkpointDueAt : now
  return checkpointDueAt ?? new Date(now.getTime() + CHECKPOINT_MS)
}

/** The state of an object before and after, as an entry keeps it: digests, and the names of what differs. */
export function auditedObject(kind: string, id: string, before: unknown, after: unknown): AuditedObject {
  const [was, is] = [auditedState(before), auditedState(after)]
  const revision = revisionOf(after) ?? revisionOf(before)
  return {
    kind,
    id,
    ...(revision !== undefined && { revision }),
    before: digestOf(was),
    after: digestOf(is),
    members: changedMembers(was, is),
  }
}

/** Of what has versions. */
function revisionOf(state: unknown): number | undefined {
  const version: unknown = typeof state === 'object' && state !== null && 'version' in state ? state.version : undefined
  return typeof version === 'number' ? version : undefined
}

/** 128 bits of the SHA-256 of its one text: entries stay short, and nobody finds another object with the same. */
function digestOf(state: unknown): string | undefined {
  return state === undefined ? undefined : hash('sha256', digestedText(state), 'hex').slice(0, 32)
}
