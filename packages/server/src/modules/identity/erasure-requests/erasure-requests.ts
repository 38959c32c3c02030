/**
 * Erasures that wait until the person or an admin confirms them (protection `confirmErasures`): the application key says
 * nothing about who holds it, and what is erased does not come back.
 *
 *   open ──the person, by the link in a mail, or an admin──▶ confirmed, and the erasure begins
 *   open ──an admin──▶ rejected
 *   open ──its days are over──▶ expired
 */
import { needsConfirmation } from '@contentflow/core/identity/confirm-erasure.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { readOnce } from '../../../infra/once/once.ts'
import { fail } from '../../../errors.ts'
import type { AppCaller } from '../../../http/callers/caller.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { hashSecret, uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { ProfileRow } from '../../people/index.ts'
import { eraseDevice, eraseProfile, type Erasure } from '../erase.ts'
import {
  closeErasureRequest,
  findOpenRequest,
  getErasureRequest,
  insertErasureRequest,
  type ErasureRequestRow,
  type ListedErasureRequest,
} from './queries-erasure-requests.ts'

/** The name of the work that asks people, and lets requests expire. */
export const ERASURE_REQUESTS = 'erasure-requests'

const HOUR_SECONDS = 3_600

export type ErasureAnswer = { erasure: Erasure; requested?: undefined } | { erasure?: undefined; requested: ErasureRequestRow }

/** What an application asked for: erased, or filed. `address`: of the caller, as rates count it. */
export async function eraseOrRequest(ctx: Context, caller: AppCaller, address: string, deviceId: string): Promise<ErasureAnswer> {
  const { workspaceId, environment, keyId } = caller
  const request = { workspaceId, environment, requestedBy: keyId }
  if (!caller.protections.confirmErasures || caller.credential === 'secret') return { erasure: await eraseDevice(ctx, request, deviceId) }
  await spendErasure(ctx, `address:${workspaceId}:${hashSecret(address)}`, LIMITS.erasuresPerAddress)
  await spendErasure(ctx, `key:${workspaceId}:${hashSecret(keyId)}`, LIMITS.erasuresPerKey)
  let requested: ErasureRequestRow | undefined
  const erasure = await eraseDevice(ctx, request, deviceId, {
    holdBack: async (change, person, devices) => {
      requested = undefined
      const linkedAt = devices.find((device) => device.device_id === deviceId)?.linked_at ?? null
      if (!person || !needsConfirmation({ userId: person.user_id, linkedAt }, change.now)) return false
      requested = await file(change, caller, person)
      return true
    },
  })
  return requested ? { requested } : { erasure }
}

async function spendErasure({ kv, clock }: Context, name: string, most: number): Promise<void> {
  const { granted, endsAt } = await kv.take(`erasures:${name}`, 1, most, HOUR_SECONDS, clock.ms())
  if (granted === 0) fail('ERASURE_RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil((endsAt - clock.ms()) / 1_000)) })
}

/** One of a person at a time, who is locked. */
async function file(
  { tx, now, nudge }: Change,
  { workspaceId, environment, keyId }: AppCaller,
  person: ProfileRow,
): Promise<ErasureRequestRow> {
  const open = await findOpenRequest(tx, workspaceId, person.id)
  if (open && open.expires_at > now) return open
  if (open) await closeErasureRequest(tx, workspaceId, open.id, { state: 'expired', by: null, at: now })
  const row: ErasureRequestRow = {
    workspace_id: workspaceId,
    id: uuidv7(now.getTime()),
    environment,
    state: 'open',
    profile_id: person.id,
    requested_by: keyId,
    requested_at: now,
    expires_at: new Date(now.getTime() + LIMITS.erasureRequestDays * DAY_MS),
    mailed_at: null,
    decided_by: null,
    decided_at: null,
    erasure_id: null,
    due_at: now,
    lease: null,
    lease_until: null,
    attempts: 0,
  }
  await insertErasureRequest(tx, row)
  nudge(ERASURE_REQUESTS)
  return row
}

/** Whether it can still be decided. */
export function isOpen({ state, expires_at }: ErasureRequestRow, now: Date): boolean {
  return state === 'open' && expires_at > now
}

/** `of.actor`: the account of the admin. 404 and 409 for what cannot be. */
export async function confirmRequest(ctx: Context, of: Actor, id: string): Promise<ListedErasureRequest> {
  const { workspaceId, actor } = of
  const { environment, profileId } = await readOnce(ctx.db, async () => {
    const row = await getErasureRequest(ctx.db, workspaceId, id)
    if (!isOpen(row, ctx.clock.now()) || row.profile_id === null) fail('ERASURE_REQUEST_OVER')
    return { environment: row.environment, profileId: row.profile_id }
  })
  const request = { workspaceId, environment, requestedBy: actor }
  const erasure = await eraseProfile(ctx, request, profileId, {
    opened: async ({ tx, now }, { id: erasureId }) => {
      if (!(await closeErasureRequest(tx, workspaceId, id, { state: 'confirmed', by: actor, erasureId, at: now })))
        fail('ERASURE_REQUEST_OVER')
    },
  })
  // The person was gone before, and the request with them.
  if (erasure.id === null) fail('ERASURE_REQUEST_OVER')
  return getErasureRequest(ctx.db, workspaceId, id)
}

export async function rejectRequest(ctx: Context, of: Actor, id: string): Promise<ListedErasureRequest> {
  const { workspaceId, actor } = of
  await ctx.change(of, async ({ tx, now }) => {
    const row = await getErasureRequest(tx, workspaceId, id)
    const isClosed = isOpen(row, now) && (await closeErasureRequest(tx, workspaceId, id, { state: 'rejected', by: actor, at: now }))
    if (!isClosed) fail('ERASURE_REQUEST_OVER')
  })
  return getErasureRequest(ctx.db, workspaceId, id)
}
