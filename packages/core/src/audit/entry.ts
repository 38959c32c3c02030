/** What an audit log holds: who did what with which outcome, and how one entry is bound to the one before it. */
import { canonicalJson } from '../json/canonical-json.ts'

/** `key`: a write key. `owner`: of a service account, the person who answers for it. */
export type AuditActor = { kind: 'member' | 'service' | 'key' | 'operator' | 'system'; id: string; owner?: string }
/** What something was done to. Of people and devices `id` is a keyed hash, never what names them. */
export type AuditObject = { kind: string; id: string; revision?: number }
export type AuditOutcome = 'done' | 'refused' | 'failed' | 'read'

/** Members that say nothing are left out, so that entries stay short. */
export type AuditEntry = {
  seq: number
  /** ISO 8601, UTC. */
  at: string
  actor: AuditActor
  /** The route's operationId, or the name of the work. */
  action: string
  object?: AuditObject
  outcome: AuditOutcome
  /** Digests of the object before and after, without its secrets. */
  before?: string
  after?: string
  /** Names of what changed, never values. */
  members?: readonly string[]
  /** How many further objects of the same change have no entry of their own. */
  more?: number
  requestId?: string
  address?: string
  userAgent?: string
  /** The beginning of the hash of the session's token. */
  session?: string
  /** Why it was refused: the code of the refusal. */
  reason?: string
}

/** An entry as it is hashed: its one text. */
export function auditText(entry: AuditEntry): string {
  return canonicalJson(entry)
}

/** What is hashed in place of an entry before the first. */
export function auditGenesis(workspaceId: string): string {
  return `contentflow audit v1 ${workspaceId}`
}

/** What is signed: the state of a chain at a moment. `hash` in hex. */
export type Checkpoint = { workspace: string; number: number; seq: number; hash: string; at: string }
/** `publicKey`: 32 bytes, `signature`: 64 bytes of Ed25519, both in base64url. */
export type SignedCheckpoint = { checkpoint: Checkpoint; publicKey: string; signature: string }

/** A checkpoint as it is signed. */
export function checkpointText({ workspace, number, seq, hash, at }: Checkpoint): string {
  return canonicalJson({ at, hash, number, seq, what: 'contentflow audit checkpoint v1', workspace })
}

/** What moves with every write. */
const BOOKKEEPING = /^(version|updated_?(at|by)|due_?at|lease(_?until)?|attempts|workspace_?id)$/i
/** What nobody may learn anything of but that it changed. */
const SECRET = /secret|sealed|hash|token|password|configuration/i

/** The state of an object as it is compared: plain JSON without bookkeeping; undefined: it is not there. */
export function auditedState(state: unknown): unknown {
  if (state === undefined || state === null) return undefined
  return without(BOOKKEEPING, JSON.parse(JSON.stringify(state)))
}

/** The one text of a state, without its secrets. */
export function digestedText(state: unknown): string {
  return canonicalJson(without(SECRET, state))
}

function without(names: RegExp, state: unknown): unknown {
  return isObject(state) ? Object.fromEntries(Object.entries(state).filter(([name]) => !names.test(name))) : state
}

/** The most names of members in an entry. */
const MOST_MEMBERS = 20

/** The names of what differs between two states of an object; of one that is made or deleted, none: all of it does. */
export function changedMembers(before: unknown, after: unknown): string[] {
  if (!isObject(before) || !isObject(after)) return []
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name]))
    .sort()
    .slice(0, MOST_MEMBERS)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
