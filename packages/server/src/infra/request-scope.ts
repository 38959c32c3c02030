/**
 * Which request something is done for: its id stands in its answer, in every line of the log, and in those of due work that it set
 * off; who asks, for the audit log; and how much it brought, which is held as long as it waits.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Grant } from '@contentflow/core/access/allows.ts'
import type { AuditActor, AuditObject } from '@contentflow/core/audit/entry.ts'
import type { OnceRun } from './once/once-run.ts'

/** What the caller of a request may do. `submitter`: who answers for what they submit; undefined: they themselves. */
export type Access = { grant: Grant; submitter?: string }

/** Of a person an id, which is not yet hashed. */
export type NamedObject = AuditObject & { isPerson?: boolean }

/** What the audit log says of a request. Set by the guard, before the request is answered. */
export type AuditedRequest = {
  /** Undefined: nobody who is known yet, such as whoever signs in. */
  actor: AuditActor | undefined
  /** The route's operationId. */
  action: string
  /** What its address names. */
  object: NamedObject | undefined
  address: string
  userAgent: string
  session: string | undefined
  /** Workspaces in which it left an entry that is committed. */
  noted: Set<string>
}

type Scope = {
  requestId: string | undefined
  bodyBytes: number
  audited: AuditedRequest | undefined
  once?: OnceRun | undefined
  access?: Access
}
const scope = new AsyncLocalStorage<Scope>()

/** Runs `work`, and all that goes on behind it, for this request; undefined: for none. */
export function inRequest<T>(requestId: string | undefined, work: () => T): T {
  return scope.run({ requestId, bodyBytes: 0, audited: undefined }, work)
}

export function currentRequestId(): string | undefined {
  return scope.getStore()?.requestId
}

/** Says who asks in the request of now. */
export function beginAudited(request: AuditedRequest): void {
  const current = scope.getStore()
  if (current) current.audited = request
}

/** Undefined: nothing that is done now is somebody's doing that the audit log keeps. */
export function currentAudited(): AuditedRequest | undefined {
  return scope.getStore()?.audited
}

/** Says that what the request of now did in a workspace is in its audit log. */
export function noteAudited(workspaceId: string): void {
  currentAudited()?.noted.add(workspaceId)
}

/** Says that the request of now brought a large body. */
export function noteBody(bytes: number): void {
  const current = scope.getStore()
  if (current) current.bodyBytes = bytes
}

/** Bytes of the large body that the current request brought; 0 without one. */
export function currentBodyBytes(): number {
  return scope.getStore()?.bodyBytes ?? 0
}

/** Says that the request of now is done once; undefined: that it is over, and what goes on behind it is not. */
export function setOnce(once: OnceRun | undefined): void {
  const current = scope.getStore()
  if (current) current.once = once
}

/** The changes of the current request, when it is one that is done once. */
export function currentOnce(): OnceRun | undefined {
  return scope.getStore()?.once
}

/** Says what whoever sent this request may do. Said once, by the guard, so that no command can lose it on its way. */
export function noteAccess(access: Access): void {
  const current = scope.getStore()
  if (current) current.access = access
}

/** Undefined for what nobody asked for by a request of the management API: due work, and applications. */
export function currentAccess(): Access | undefined {
  return scope.getStore()?.access
}
