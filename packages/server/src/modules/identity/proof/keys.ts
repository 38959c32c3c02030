import { ALGORITHMS, SECRET_BYTES, type IdentityKeyKind } from '@contentflow/core/identity-proof/user-token.ts'
import { proofModes, type ProofEnvironment, type StoredProofModes } from '@contentflow/core/identity-proof/modes.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { parseEnd } from '@contentflow/core/time.ts'
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { lazyPackage } from '../../../infra/lazy-package.ts'
import { randomToken, uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { SecretLocation } from '../../../infra/secrets/secrets.ts'
import { zoneOfDays } from '../../calendar/index.ts'
import { lockSettings, saveSettings } from '../../workspaces/index.ts'
import { publicP256 } from './jwks.ts'
import { activeKeys, deleteIdentityKey, getIdentityKey, insertIdentityKey, listIdentityKeys, type IdentityKeyRow } from './queries-keys.ts'

const jose = lazyPackage((require) => require('jose') as typeof import('jose'))

/** What a member asks for, by the schema of the route. */
export type IdentityKeyInput = {
  environment: ProofEnvironment
  kind: IdentityKeyKind
  name?: string
  publicKey?: string | object
  jwksUrl?: string
  secret?: string
  expiresAt?: string | null
}

/** As people see it. */
export type IdentityKeyAnswer = {
  id: string
  environment: ProofEnvironment
  kind: IdentityKeyKind
  name: string
  algorithm: 'HS256' | 'ES256'
  jwksUrl: string | null
  createdAt: Date
  expiresAt: Date | null
  /** Exact to about a minute. */
  lastUsedAt: Date | null
}

/** The place that the secret of a key is sealed for; it can be opened for no other. */
export function placeOfKey(workspaceId: string, id: string): SecretLocation {
  return { workspaceId, row: `identity_keys/${id}` }
}

export function toIdentityKeyAnswer(row: Omit<IdentityKeyRow, 'sealed' | 'public_key'>): IdentityKeyAnswer {
  const { id, environment, kind, name, jwks_url, created_at, expires_at, last_used_at } = row
  return {
    id,
    environment,
    kind,
    name,
    algorithm: ALGORITHMS[kind],
    jwksUrl: jwks_url,
    createdAt: created_at,
    expiresAt: expires_at,
    lastUsedAt: last_used_at,
  }
}

/** `secret` is in this answer and in no later one. */
export async function createIdentityKey(
  ctx: Context,
  by: Actor,
  input: IdentityKeyInput,
): Promise<IdentityKeyAnswer & { secret?: string }> {
  const { environment, kind, name = '' } = input
  const { secret, publicKey, jwksUrl } = await readMaterial(ctx, input)
  const expiresAt = await readExpiry(ctx, by.workspaceId, input.expiresAt)
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    await lockSettings(tx, workspaceId)
    const all = (await listIdentityKeys(tx, workspaceId)).filter((key) => key.environment === environment)
    if (activeKeys(all, environment, now).length >= LIMITS.identityKeysActive || all.length >= LIMITS.identityKeysKept)
      fail('IDENTITY_KEY_LIMIT')
    const id = uuidv7(now.getTime())
    const row = {
      workspace_id: workspaceId,
      id,
      environment,
      kind,
      name,
      sealed: secret === undefined ? null : ctx.secrets.seal(secret, placeOfKey(workspaceId, id)),
      public_key: publicKey === undefined ? null : JSON.stringify(publicKey),
      jwks_url: jwksUrl ?? null,
      created_at: now,
      expires_at: expiresAt,
    }
    await insertIdentityKey(tx, row)
    await saveSettings(change, {})
    return { ...toIdentityKeyAnswer({ ...row, last_used_at: null }), ...(secret !== undefined && { secret }) }
  })
}

/** Refuses to remove the last key of an environment in which user tokens are required. */
export async function removeIdentityKey(ctx: Context, by: Actor, id: string): Promise<void> {
  await ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    const settings = await lockSettings(tx, workspaceId)
    const { environment } = await getIdentityKey(tx, workspaceId, id)
    const { userToken } = proofModes(settings.identity_verification as StoredProofModes, environment)
    const left = activeKeys(await listIdentityKeys(tx, workspaceId), environment, now).filter((key) => key.id !== id)
    if (userToken === 'required' && left.length === 0)
      fail('IDENTITY_KEY_REQUIRED', {
        message: 'User tokens are required here and this is the last key: add another one first, or require none',
      })
    await deleteIdentityKey(tx, workspaceId, id)
    await saveSettings(change, {})
  })
}

type Material = { secret?: string; publicKey?: object; jwksUrl?: string }

/** Reads the member that belongs to the kind of the key; refuses the members of other kinds. */
async function readMaterial(ctx: Context, input: IdentityKeyInput): Promise<Material> {
  const { kind, publicKey, jwksUrl, secret } = input
  const own = { secret: 'secret', public: 'publicKey', jwks: 'jwksUrl' }[kind]
  for (const [name, value] of Object.entries({ publicKey, jwksUrl, secret }))
    if (value !== undefined && name !== own) failWith(400, `${name} is not of a key of kind ${kind}`)
  if (kind === 'secret') {
    if (secret !== undefined && Buffer.byteLength(secret) < SECRET_BYTES) failWith(400, `secret must have at least ${SECRET_BYTES} bytes`)
    return { secret: secret ?? randomToken() }
  }
  if (kind === 'public') return { publicKey: (await readPublicKey(publicKey)) ?? failWith(400, PUBLIC_KEY) }
  const url = jwksUrl ?? failWith(400, 'jwksUrl is required for a key of kind jwks')
  const fault = await ctx.outbound.refusalOf(url)
  return fault === undefined ? { jwksUrl: url } : failWith(400, `jwksUrl ${fault}`)
}

const PUBLIC_KEY = 'publicKey must be a public key on P-256, as PEM (BEGIN PUBLIC KEY) or as JWK'

/** A public key as JWK. A private key is refused, so that nobody stores one here by mistake. */
async function readPublicKey(value: string | object | undefined): Promise<object | undefined> {
  try {
    if (typeof value === 'string' && value.trimStart().startsWith('-----BEGIN')) {
      if (!value.includes('-----BEGIN PUBLIC KEY-----') || value.includes('PRIVATE')) return undefined
      const { exportJWK, importSPKI } = jose()
      return publicP256(await exportJWK(await importSPKI(value.trim(), 'ES256', { extractable: true })))
    }
    const jwk: unknown = typeof value === 'string' ? JSON.parse(value) : value
    const own = publicP256(jwk)
    if (!own || 'd' in (jwk as object)) return undefined
    await jose().importJWK(own, 'ES256')
    return own
  } catch {
    return undefined
  }
}

async function readExpiry({ clock, db }: Context, workspaceId: string, text: string | null | undefined): Promise<Date | null> {
  if (text === undefined || text === null) return null
  const time = parseEnd(text, { day: await zoneOfDays(db, workspaceId, text) })
  if (time === undefined) failWith(400, 'expiresAt must be an ISO 8601 time, such as 2027-05-01T00:00:00Z')
  const at = new Date(time)
  return at > clock.now() ? at : failWith(400, 'expiresAt must be in the future')
}
