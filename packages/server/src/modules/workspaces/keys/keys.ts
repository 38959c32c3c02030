import type { Permission } from '@contentflow/core/access/permissions.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { fail } from '../../../errors.ts'
import { hashSecret, randomHex, uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findRules } from '../../approvals/index.ts'
import * as queries from '../queries.ts'
import type { KeyKind, ListedKey } from '../queries.ts'
import { saveSettings } from '../settings.ts'
import { planWarnings } from './queries-ending.ts'

/** `mayPublish`: of a write key, what it may let reach live apps where that takes an approver (G-92). */
export type NewKey = { kind: KeyKind; environment: Environment; name: string; mayPublish?: boolean } & KeyBounds
/** `allowedOrigins`: of an application key, the web pages that may use it. `allowedCidrs`: networks it may be used from. `createdBy`: the account. */
type KeyBounds = {
  expiresAt?: Date | undefined
  allowedOrigins?: readonly string[] | undefined
  allowedCidrs?: readonly string[] | undefined
  createdBy?: string
}
/** A key that is not made here but given: its id, and its text, which has been checked (`given-keys.ts`). */
export type GivenKey = { id: string; text: string }
/** `overlapHours`: how long the old text goes on beside the new one. `expiresAt`: another end; left out, it stays; null, there is none. */
export type Rotation = { overlapHours?: number | undefined; expiresAt?: Date | null | undefined }
/** A key as people see it; `key`, the full text, only in the answer that makes it. */
export type KeyAnswer = {
  id: string
  kind: KeyKind
  environment: Environment
  name: string
  masked: string
  createdAt: Date
  rotatedAt: Date | null
  /** Exact to about a minute; null: never used, or first used less than a minute ago. */
  lastUsedAt: Date | null
  /** The address; null: not noted. */
  lastUsedFrom: string | null
  /** The account; null: of a key that is older than that was noted, or that the server made. */
  createdBy: string | null
  expiresAt: Date | null
  allowedOrigins: string[] | null
  allowedCidrs: string[] | null
  /** The text before the last rotation opens until then; null: it opens nothing. */
  previousUntil: Date | null
}
/** `key`: the full text. */
export type ShownKey = KeyAnswer & { key: string }

export const CLIENT_KEY_KINDS = ['publishable', 'secret'] as const

/** G-08, G-09. The text is made here, shown once and kept only as a hash. */
export async function createKey(ctx: Context, by: Actor, input: NewKey): Promise<ShownKey> {
  return ctx.change(by, (change) => createKeyIn(ctx, change, { ...input, createdBy: by.actor }))
}

/** The same as part of a change. */
export async function createKeyIn(ctx: Context, change: Change, { createdBy, ...input }: NewKey, given?: GivenKey): Promise<ShownKey> {
  const { tx, workspaceId, mayPublish } = change
  requireReach(change, input)
  if (input.kind === 'write') await requireKeyMaker(change)
  const settings = await queries.lockSettings(tx, workspaceId)
  const isClientKey = input.kind === 'publishable' || input.kind === 'secret'
  if (settings.is_sandbox && isClientKey && input.environment === 'live') fail('SANDBOX_LIVE_KEY_FORBIDDEN')
  const made = await insertNewKey(ctx, tx, workspaceId, { ...input, mayPublish, ...(createdBy !== undefined && { createdBy }) }, given)
  change.audited('key', made.id, undefined, { ...input, masked: made.masked })
  return made
}

/** What each kind of key may do: nobody makes a key that may do more than they may. */
const REACH: Record<KeyKind, readonly Permission[]> = {
  publishable: [],
  secret: [],
  write: ['analytics:write', 'content:publish', 'content:write', 'strings:publish', 'types:write'],
  read: ['people:contacts', 'people:read'],
}

function requireReach(change: Change, { kind, environment }: Pick<NewKey, 'kind' | 'environment'>): void {
  change.require('keys:manage', { environments: [environment] })
  for (const permission of REACH[kind]) change.require(permission, {})
}

/** While publishing takes a second person, a key that can publish takes somebody with approval rights. */
async function requireKeyMaker({ tx, workspaceId, mayPublish }: Change): Promise<void> {
  if (!mayPublish && (await findRules(tx, workspaceId)).publishing)
    fail('ROLE_REQUIRED', { message: 'Publishing takes a second person here, so write keys take approval rights' })
}

export async function insertNewKey(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  { mayPublish = true, ...sent }: NewKey,
  given?: GivenKey,
): Promise<ShownKey> {
  const { expiresAt = null, allowedOrigins = null, allowedCidrs = null, createdBy = null, ...input } = sent
  const prefix = keyPrefix(workspaceId, input)
  const key = given?.text ?? makeKeyText(workspaceId, input)
  const row = {
    workspace_id: workspaceId,
    id: given?.id ?? uuidv7(ctx.clock.ms()),
    ...input,
    hash: hashSecret(key),
    masked: mask(prefix, key),
    created_at: ctx.clock.now(),
    may_publish: mayPublish,
    created_by: createdBy,
    expires_at: expiresAt,
    allowed_origins: allowedOrigins && [...allowedOrigins],
    allowed_cidrs: allowedCidrs && [...allowedCidrs],
  }
  await queries.insertKey(tx, row)
  if (expiresAt) await planWarnings(tx, workspaceId, { keyId: row.id }, expiresAt, row.created_at)
  const unused = { rotated_at: null, revoked_at: null, hash_before: null, before_until: null, used_at: null, used_from: null }
  return { ...toKeyAnswer({ ...row, ...unused }), key }
}

/** The old text opens nothing from the next request on (M-KEY-06), unless an overlap is asked for. One that overlapped before ends. */
export async function rotateKey(
  ctx: Context,
  by: Actor,
  of: { id: string; kinds: readonly KeyKind[] },
  { overlapHours = 0, expiresAt }: Rotation = {},
): Promise<ShownKey> {
  return changeKey(ctx, by, of.id, of.kinds, async (change, row) => {
    const { tx, workspaceId, now, mayPublish } = change
    requireReach(change, row)
    if (row.kind === 'write') await requireKeyMaker(change)
    const key = makeKeyText(workspaceId, row)
    const end = expiresAt === undefined ? row.expires_at : expiresAt
    const overlap = overlapEnd(row, now, overlapHours)
    const rotated = {
      hash: hashSecret(key),
      masked: mask(keyPrefix(workspaceId, row), key),
      rotated_at: now,
      may_publish: mayPublish,
      expires_at: end,
      hash_before: overlap && row.hash,
      before_until: overlap,
    }
    await queries.updateKey(tx, workspaceId, of.id, rotated)
    await planWarnings(tx, workspaceId, { keyId: of.id }, end, now)
    change.audited('key', of.id, boundsOf(row), boundsOf({ ...row, ...rotated }))
    return { ...toKeyAnswer({ ...row, ...rotated }), key }
  })
}

/** No later than the old text would have ended; null: at once. */
function overlapEnd({ expires_at: end }: ListedKey, now: Date, hours: number): Date | null {
  const until = new Date(now.getTime() + hours * HOUR_MS)
  const overlap = end && end < until ? end : until
  return overlap > now ? overlap : null
}

function boundsOf({ masked, expires_at: expiresAt, before_until: previousUntil }: ListedKey) {
  return { masked, ...(expiresAt && { expiresAt }), ...(previousUntil && { previousUntil }) }
}

export async function revokeKey(ctx: Context, by: Actor, id: string, kinds: readonly KeyKind[]): Promise<void> {
  await changeKey(ctx, by, id, kinds, async (change, { environment }) => {
    const { tx, workspaceId, now } = change
    change.require('keys:manage', { environments: [environment] })
    await queries.updateKey(tx, workspaceId, id, { revoked_at: now })
    await planWarnings(tx, workspaceId, { keyId: id }, null, now)
  })
}

async function changeKey<T>(
  ctx: Context,
  by: Actor,
  id: string,
  kinds: readonly KeyKind[],
  work: (change: Change, row: ListedKey) => Promise<T>,
): Promise<T> {
  return ctx.change(by, async (change) => {
    const { tx, workspaceId } = change
    await queries.lockSettings(tx, workspaceId)
    const row = await queries.getKey(tx, workspaceId, id, kinds)
    await saveSettings(change, {})
    return work(change, row)
  })
}

type KeyForm = Pick<NewKey, 'kind' | 'environment'>

/** A random text of the form of its kind. */
export function makeKeyText(workspaceId: string, form: KeyForm): string {
  return keyPrefix(workspaceId, form) + randomHex(KEY_BYTES[form.kind])
}

/** How many random bytes stand behind the prefix, as lower-case hexadecimal digits. */
export const KEY_BYTES: Record<KeyKind, number> = { publishable: 20, secret: 20, write: 20, read: 12 }

/** What the texts of C-AUTH-01, C-AUTH-10, C-AUTH-43 begin with. */
export function keyPrefix(workspaceId: string, { kind, environment }: KeyForm): string {
  const prefixes: Record<KeyKind, string> = {
    publishable: `${workspaceId}_cfpk`,
    secret: `pk_${environment}_`,
    write: 'wk_live_',
    read: 'rk_live_',
  }
  return prefixes[kind]
}

function mask(prefix: string, key: string): string {
  return `${prefix}...${key.slice(-4)}`
}

export function toKeyAnswer(row: ListedKey): KeyAnswer {
  return {
    id: row.id,
    kind: row.kind,
    environment: row.environment,
    name: row.name,
    masked: row.masked,
    createdAt: row.created_at,
    rotatedAt: row.rotated_at,
    lastUsedAt: row.used_at,
    lastUsedFrom: row.used_from,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    allowedOrigins: row.allowed_origins,
    allowedCidrs: row.allowed_cidrs,
    previousUntil: row.before_until,
  }
}
