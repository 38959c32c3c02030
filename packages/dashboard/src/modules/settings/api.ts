/** What the settings routes take and answer. */
import type { FeatureName } from '@contentflow/core/features.ts'
import type { Role } from '../../session.tsx'

export const ROLES = ['admin', 'editor', 'viewer'] as const satisfies Role[]
/** `invitedUntil`: has not joined yet, and may until then. */
export type Member = { userId: string; email: string; name: string; role: Role; canApprove: boolean; invitedUntil?: string }
/** An account that was there before joins with the secret, which is shown this once. */
export type AddedMember = Member & { invitation?: { token: string; expiresAt: string } }

export type Environment = 'live' | 'test'
export type KeyKind = 'publishable' | 'secret' | 'write' | 'read'
export type Key = {
  id: string
  kind: KeyKind
  environment: Environment
  name: string
  /** Its beginning and its last four characters. */
  masked: string
  createdAt: string
  rotatedAt: string | null
  /** Accurate to about a minute; null: never used. */
  lastUsedAt: string | null
}
/** The answer that makes or rotates a key is the only one with its text. */
export type ShownKey = Key & { key: string }

export type Features = Record<FeatureName, boolean>
export type Sandbox = { workspaceId: string; name: string }
export type Locale = { code: string; coverage: number; source: boolean; counts: { ok: number; review: number; missing: number } }
