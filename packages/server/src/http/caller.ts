import type { Environment } from '../infra/signals.ts'

/** An application, by one of its keys. */
export type AppCaller = {
  kind: 'app'
  credential: 'publishable' | 'secret' | 'derived'
  keyId: string
  /** The workspace the key belongs to. */
  ownerId: string
  /** The workspace it is served from: the sandbox for a test key of a workspace that has one (C-SBX-04). */
  workspaceId: string
  environment: Environment
  /** Which published content it sees: live content for a test key whose test environment is retired (X-INT-02). */
  view: Environment
  /** null: no workspace rate. */
  requestsPerMinute: number | null
}

/** A build pipeline, by its write key. */
export type WriteCaller = { kind: 'write'; workspaceId: string; keyId: string; requestsPerMinute: number | null }

export type Role = 'admin' | 'editor' | 'viewer'
/** A signed-in person, before a workspace is named. */
export type PersonCaller = { kind: 'person'; accountId: string; email: string; name: string; tokenHash: string }
/** A signed-in person acting in one of their workspaces. */
export type MemberCaller = Omit<PersonCaller, 'kind'> & { kind: 'member'; workspaceId: string; role: Role; mayApprove: boolean }

export type Caller = AppCaller | WriteCaller | PersonCaller | MemberCaller | { kind: 'operator' } | { kind: 'nobody' }
