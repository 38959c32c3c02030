/** User tokens: the app's own server signs in them which user uses an installation. Finds the key, checks the signature and the claims. */
import type { CryptoKey, JWK } from 'jose'
import type { ProofEnvironment, UserTokenFault } from '@contentflow/core/identity-proof/modes.ts'
import {
  ALGORITHMS,
  faultOfClaims,
  USER_TOKEN_LENGTH,
  type Expected,
  type IdentityKeyKind,
} from '@contentflow/core/identity-proof/user-token.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { WorkspaceCacheOptions } from '../../../infra/cache/workspace-cache.ts'
import { lazyPackage } from '../../../infra/lazy-package.ts'
import { openJwks, type FindInJwks } from './jwks.ts'
import { placeOfKey } from './keys.ts'
import { activeKeys, fingerprintOfKeys, listIdentityKeys, saveIdentityKeyUses, type IdentityKeyRow } from './queries-keys.ts'

const jose = lazyPackage((require) => require('jose') as typeof import('jose'))

/** `key`: undefined where the keys are in a set at an address, and where the secret cannot be read. */
type KnownKey = Pick<IdentityKeyRow, 'id' | 'environment' | 'kind' | 'jwks_url' | 'expires_at'> & {
  key: CryptoKey | Uint8Array | undefined
}
type Found = { id: string; kind: IdentityKeyKind; key: CryptoKey | Uint8Array }
type Of = { workspaceId: string; environment: ProofEnvironment }

export type UserTokens = {
  /** What is wrong with the token; undefined: nothing. 503 when its key cannot be read now. */
  check(token: string, by: Of, expected: Omit<Expected, 'now'>): Promise<UserTokenFault | undefined>
  /** Stores which keys were used since the last time. */
  saveUses(): Promise<void>
}

/** Keys held over all workspaces. */
const KEYS_HELD = 10_000

export function openUserTokens(ctx: Context): UserTokens {
  const findInJwks = openJwks(ctx)
  const keysOf: WorkspaceCacheOptions<KnownKey[]> = {
    signal: 'settings',
    fingerprint: fingerprintOfKeys,
    read: async ({ db }, workspaceId) => Promise.all((await listIdentityKeys(db, workspaceId)).map((row) => toKnown(ctx, row))),
    weigh: (keys) => 1 + keys.length,
    most: KEYS_HELD,
  }
  /** The ids of keys, by workspace. */
  let used = new Map<string, Set<string>>()
  return {
    check: async (token, { workspaceId, environment }, expected) => {
      if (token.length > USER_TOKEN_LENGTH) return 'too_long'
      const header = readHeader(token)
      if (!header) return 'signature'
      const keys = activeKeys(await ctx.cachedByWorkspace(keysOf, workspaceId), environment, ctx.clock.now())
      const found = await findKey(findInJwks, workspaceId, keys, header['kid'])
      if (!found) return 'unknown_key'
      if (header['alg'] !== ALGORITHMS[found.kind]) return 'algorithm'
      const claims = await readClaims(token, found)
      if (!claims) return 'signature'
      const fault = faultOfClaims(claims, { ...expected, now: ctx.clock.ms() / 1000 })
      if (fault === undefined) used.set(workspaceId, (used.get(workspaceId) ?? new Set()).add(found.id))
      return fault
    },
    saveUses: async () => {
      const saving = used
      used = new Map()
      for (const [workspaceId, ids] of saving) await saveIdentityKeyUses(ctx.db, workspaceId, [...ids].sort(), ctx.clock.now())
    },
  }
}

async function toKnown(ctx: Context, row: IdentityKeyRow): Promise<KnownKey> {
  const { id, environment, kind, jwks_url, expires_at } = row
  return { id, environment, kind, jwks_url, expires_at, key: await keyOf(ctx, row) }
}

async function keyOf({ secrets, log }: Context, { workspace_id, id, sealed, public_key }: IdentityKeyRow) {
  try {
    // The text of the secret is the key, as JWT libraries take it.
    if (sealed !== null) return Buffer.from(secrets.open(sealed, placeOfKey(workspace_id, id)))
    return public_key === null ? undefined : await jose().importJWK(public_key as JWK, 'ES256')
  } catch (error) {
    log.error({ err: error, workspaceId: workspace_id, id }, 'a key of user tokens cannot be read: it has to be made anew')
    return undefined
  }
}

/** The key that the kid of a token names: one of the workspace's keys, or one in a set. A token without a kid is for the only key there is. */
async function findKey(findInJwks: FindInJwks, workspaceId: string, keys: readonly KnownKey[], kid: unknown): Promise<Found | undefined> {
  if (kid !== undefined && typeof kid !== 'string') return undefined
  const own = kid === undefined ? (keys.length === 1 ? keys[0] : undefined) : keys.find((each) => each.id === kid)
  if (own && own.kind !== 'jwks') return own.key ? { id: own.id, kind: own.kind, key: own.key } : unreadable()
  if (kid === undefined && !own) return undefined
  const failures: unknown[] = []
  for (const { id, kind, jwks_url } of keys) {
    if (jwks_url === null) continue
    const key = await findInJwks(`${workspaceId}/${id}`, jwks_url, kid).catch((error: unknown) => void failures.push(error))
    if (key) return { id, kind, key }
  }
  // The key may be in the set that could not be read.
  if (failures.length > 0) throw failures[0]
  return undefined
}

function unreadable(): never {
  return fail('UPSTREAM_UNAVAILABLE', { retryAfter: 5, message: 'The key of this user token cannot be read just now' })
}

function readHeader(token: string): Record<string, unknown> | undefined {
  const parts = token.split('.')
  return parts.length === 3 ? readObject(Buffer.from(parts[0] ?? '', 'base64url')) : undefined
}

/** Undefined when the key did not sign the token, or the text is no token. Other errors are thrown: the token could not be checked. */
async function readClaims(token: string, { kind, key }: Found): Promise<Record<string, unknown> | undefined> {
  try {
    return readObject((await jose().compactVerify(token, key, { algorithms: [ALGORITHMS[kind]] })).payload)
  } catch (error) {
    if (error instanceof jose().errors.JOSEError) return undefined
    throw error
  }
}

function readObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
