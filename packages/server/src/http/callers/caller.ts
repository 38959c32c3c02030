import type { IncomingMessage } from 'node:http'
import type { Grant } from '@contentflow/core/access/allows.ts'
import type { DocumentedRole } from '@contentflow/core/access/permissions.ts'
import type { Features } from '@contentflow/core/features.ts'
import type { ProofModes, ProofOutcome, ProofPart } from '@contentflow/core/identity-proof/modes.ts'
import type { Protections } from '@contentflow/core/protections.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import type { Network } from './networks.ts'

/** A key as the guards know it. */
type KeyUser = {
  /** The networks it may be used from; undefined: all. */
  allowedNetworks?: readonly Network[]
  /** Notes that it was used by this request, once it was let in. Undefined: nothing is kept of it. */
  noteUse?: (request: IncomingMessage) => void
}

/** An application, by one of its keys. */
export type AppCaller = KeyUser & {
  kind: 'app'
  credential: 'publishable' | 'secret' | 'derived'
  keyId: string
  /** The workspace the key belongs to. */
  ownerId: string
  /** The workspace it is served from: the sandbox for a test key of a workspace that has one (C-SBX-04). */
  workspaceId: string
  environment: Environment
  /** The origins of web pages that may use it; undefined: all. */
  allowedOrigins?: readonly string[]
  /** Which published content it sees: live content for a test key whose test environment is retired (X-INT-02). */
  view: Environment
  /** null: no workspace rate. */
  requestsPerMinute: number | null
  /** The switches of the workspace it is served from (C-FLAG). */
  features: Features
  /** The protections of the workspace it is served from. */
  protections: Protections
  /** The proofs that its calls need, in its environment of the workspace it is served from; `NO_PROOFS` for a secret key, which no app holds. */
  proofs: ProofModes
}

/** Counts the outcome of a call that needs a proof. */
export type NoteProof = (
  caller: AppCaller,
  part: ProofPart,
  outcome: ProofOutcome,
  /** `X-CF-SDK-Version`. */
  sdkVersion: string | string[] | undefined,
) => void

/** Called after a read with the language that an installation asks for. */
export type HearLocale = (
  caller: AppCaller,
  deviceId: string | undefined,
  query: string | undefined,
  acceptLanguage: string | undefined,
) => void

/** A build pipeline, by its write key. `mayPublish`: the member who created the key, or rotated it last, had approval rights. */
export type WriteCaller = KeyUser & {
  kind: 'write'
  workspaceId: string
  keyId: string
  requestsPerMinute: number | null
  mayPublish: boolean
}

/** A server that reads people, by its read key. */
export type ReadCaller = KeyUser & { kind: 'read'; workspaceId: string; keyId: string }

export type Role = DocumentedRole
/** A person signed in with their account, before a workspace is named. */
export type AccountCaller = { kind: 'account'; accountId: string; email: string; name: string; tokenHash: string; session: SessionOf }
/**
 * How somebody signed in. `amr`: what was proved, `SignInMethod` of core. `workspaceId`: of whose provider; the session opens no
 * other. `idleMinutes`: unused for longer, it ends; null: by its age alone.
 */
export type SessionOf = {
  amr: readonly string[]
  openedAt: Date
  providerId: string | null
  workspaceId: string | null
  idleMinutes: number | null
}
/** The same person acting in one of their workspaces. */
export type MemberCaller = Omit<AccountCaller, 'kind'> & {
  kind: 'member'
  workspaceId: string
  role: Role
  mayApprove: boolean
  /** What they may do here. */
  grant: Grant
  /** Of a service account: the member who answers for it. `accountId` is then its own id, and it has no email. */
  ownerId?: string
  /** The address by which they reach this server, without a slash at its end: as configured, else as they sent this request. */
  reachedAt: string
}

export type Caller = AppCaller | WriteCaller | ReadCaller | AccountCaller | MemberCaller | { kind: 'operator' } | { kind: 'nobody' }
