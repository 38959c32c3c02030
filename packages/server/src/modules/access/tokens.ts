/** Tokens of service accounts: made, changed, replaced with an overlap, taken back; and whom one opens a workspace for. */
import { tokenText } from '@contentflow/core/access/token.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS, HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { readCidrs } from '../../http/callers/networks.ts'
import type { FindService } from '../../http/callers/service-tokens.ts'
import type { Change } from '../../infra/change.ts'
import { hashSecret, randomToken, uuidv7 } from '../../infra/secrets/crypto.ts'
import { lockSettings, planWarnings } from '../workspaces/index.ts'
import * as queries from './queries-services.ts'
import type { StoredToken } from './queries-services.ts'
import { refuseService, requireHeld, requireService } from './services.ts'

type TokenBody = { expiresInDays?: number; allowedCidrs?: string[] }
/** `token`: the text, in the only answer that has it. */
type ShownToken = StoredToken & { token: string }

const USE_NOTED_EVERY_MS = 60_000
/** How long tokens that are over stay listed. */
const LISTED_DAYS = 30

export async function createToken(ctx: Context, caller: MemberCaller, serviceId: string, body: TokenBody): Promise<ShownToken> {
  refuseService(caller)
  const allowedCidrs = readCidrs(body.allowedCidrs ?? [])
  return ctx.change(actorOfMember(caller), async (change) => {
    await lockSettings(change.tx, change.workspaceId)
    await requireHeld(change.tx, caller, serviceId)
    return makeToken(change, serviceId, { allowedCidrs, days: body.expiresInDays ?? LIMITS.tokenDays.default })
  })
}

/** Its time counts from now. */
export async function changeToken(ctx: Context, caller: MemberCaller, of: TokenName, body: TokenBody): Promise<StoredToken> {
  refuseService(caller)
  const allowedCidrs = body.allowedCidrs && readCidrs(body.allowedCidrs)
  return ctx.change(actorOfMember(caller), async ({ tx, workspaceId, now }) => {
    await lockSettings(tx, workspaceId)
    await requireHeld(tx, caller, of.serviceId)
    await requireOpen(tx, workspaceId, of, now)
    const change = {
      ...(allowedCidrs && { allowed_cidrs: allowedCidrs }),
      ...(body.expiresInDays !== undefined && { expires_at: inDays(now, body.expiresInDays) }),
    }
    if (Object.keys(change).length > 0) await queries.updateToken(tx, workspaceId, of.id, change)
    if (change.expires_at) await planWarnings(tx, workspaceId, { tokenId: of.id }, change.expires_at, now)
    return requireToken(tx, workspaceId, of)
  })
}

/** Another one with the same networks; the old one goes on for `overlapHours`, and no longer than it would have. */
export async function rotateToken(
  ctx: Context,
  caller: MemberCaller,
  of: TokenName,
  body: { overlapHours?: number; expiresInDays?: number },
): Promise<ShownToken> {
  refuseService(caller)
  return ctx.change(actorOfMember(caller), async (change) => {
    const { tx, workspaceId, now } = change
    await lockSettings(tx, workspaceId)
    await requireHeld(tx, caller, of.serviceId)
    const before = await requireOpen(tx, workspaceId, of, now)
    const end = new Date(now.getTime() + (body.overlapHours ?? LIMITS.tokenOverlapHours.default) * HOUR_MS)
    if (end < before.expiresAt) await queries.updateToken(tx, workspaceId, of.id, { expires_at: end })
    await planWarnings(tx, workspaceId, { tokenId: of.id }, null, now)
    return makeToken(change, of.serviceId, { allowedCidrs: before.allowedCidrs, days: body.expiresInDays ?? LIMITS.tokenDays.default })
  })
}

/** It opens nothing from the next request on. */
export async function revokeToken(ctx: Context, caller: MemberCaller, of: TokenName): Promise<void> {
  refuseService(caller)
  await ctx.change(actorOfMember(caller), async ({ tx, workspaceId, now }) => {
    await lockSettings(tx, workspaceId)
    await requireService(tx, workspaceId, of.serviceId)
    const token = await requireToken(tx, workspaceId, of)
    if (token.revokedAt) return
    await queries.updateToken(tx, workspaceId, of.id, { revoked_at: now })
    await planWarnings(tx, workspaceId, { tokenId: of.id }, null, now)
  })
}

type TokenName = { serviceId: string; id: string }

async function requireToken(db: Db, workspaceId: string, { serviceId, id }: TokenName): Promise<StoredToken> {
  return (await queries.findToken(db, workspaceId, serviceId, id)) ?? failWith(404, 'token not found')
}

async function requireOpen(db: Db, workspaceId: string, of: TokenName, now: Date): Promise<StoredToken> {
  const token = await requireToken(db, workspaceId, of)
  return token.revokedAt || token.expiresAt <= now ? failWith(409, 'This token is over; make another one') : token
}

async function makeToken(
  { tx, workspaceId, now, actor }: Change,
  serviceId: string,
  { allowedCidrs, days }: { allowedCidrs: string[]; days: number },
): Promise<ShownToken> {
  await queries.deleteOldTokens(tx, workspaceId, serviceId, new Date(now.getTime() - LISTED_DAYS * DAY_MS))
  const open = (await queries.listTokens(tx, workspaceId, serviceId)).filter((each) => !each.revokedAt && each.expiresAt > now)
  if (open.length >= LIMITS.tokensPerServiceAccount) fail('TOKEN_LIMIT')
  const token = tokenText(workspaceId, randomToken())
  const id = uuidv7(now.getTime())
  const row = { id, serviceId, hash: hashSecret(token), hint: token.slice(-4), expiresAt: inDays(now, days), allowedCidrs, by: actor }
  await queries.insertToken(tx, workspaceId, row, now)
  await planWarnings(tx, workspaceId, { tokenId: id }, row.expiresAt, now)
  return { ...(await requireToken(tx, workspaceId, { serviceId, id })), token }
}

function inDays(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}

/** What the guard asks for a token. Its last use is exact to a minute. */
export function openServices({ db, clock }: Pick<Context, 'db' | 'clock'>): FindService {
  return {
    find: (workspaceId, token) => {
      const ownerLeftSince = new Date(clock.ms() - LIMITS.ownerlessDays * DAY_MS)
      return queries.findByToken(db, workspaceId, hashSecret(token), { now: clock.now(), ownerLeftSince })
    },
    noteUse: async (workspaceId, { tokenId, lastUsedAt }, from) => {
      const unlessSince = new Date(clock.ms() - USE_NOTED_EVERY_MS)
      if (lastUsedAt && lastUsedAt >= unlessSince) return
      await queries.noteTokenUse(db, workspaceId, tokenId, { at: clock.now(), from, unlessSince })
    },
  }
}
