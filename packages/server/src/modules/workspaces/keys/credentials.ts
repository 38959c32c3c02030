import type { IncomingMessage } from 'node:http'
import type { Context } from '../../../context.ts'
import type { Credentials } from '../../../http/callers/auth.ts'
import { addressOf, toNetworks } from '../../../http/callers/networks.ts'
import { hashSecret } from '../../../infra/secrets/crypto.ts'
import { KeyRing } from './key-ring.ts'
import { KeyUses, newUse } from './key-uses.ts'
import { admitMember } from '../accounts/sign-in/sign-in-settings.ts'
import { recallSession } from '../accounts/sign-in/sessions.ts'
import { openLookUps } from './look-ups.ts'
import type { KeyKind } from '../queries.ts'
import { confirmTestRoute } from '../settings.ts'

/** The look-ups behind every guard, and the storing of which keys they found. */
export function openCredentials(ctx: Context): Omit<Credentials, 'findService'> & { saveKeyUses(): Promise<void> } {
  const uses = new KeyUses((request) => addressOf(request, ctx.config.trustedProxies))
  const lookUps = openLookUps(ctx)
  const ring = new KeyRing(ctx, uses, lookUps)
  /** A key of servers, unless it is over or its workspace rests. */
  const findServerKey = async (key: string, kind: KeyKind) => {
    const row = await lookUps.key(hashSecret(key))
    if (row?.kind !== kind || (row.expires_at && row.expires_at <= ctx.clock.now())) return undefined
    const settings = await lookUps.settings(row.workspace_id)
    if (!settings || settings.is_resting) return undefined
    const { workspace_id: workspaceId, id: keyId, allowed_cidrs: cidrs } = row
    const noteUse = (request: IncomingMessage) => uses.note(newUse(workspaceId, keyId), request)
    return { row, settings, caller: { workspaceId, keyId, noteUse, ...(cidrs && { allowedNetworks: toNetworks(cidrs) }) } }
  }
  return {
    recallAppKey: (key) => ring.recall(key),
    checkAppKey: (key) => ring.check(key),
    findWriteKey: async (key) => {
      const found = /^wk_live_[0-9a-f]{40}$/.test(key) ? await findServerKey(key, 'write') : undefined
      if (!found) return undefined
      const { row, settings, caller } = found
      return { kind: 'write', ...caller, requestsPerMinute: settings.requests_per_minute, mayPublish: row.may_publish }
    },
    findReadKey: async (key) => {
      const found = /^rk_live_[0-9a-f]{24}$/.test(key) ? await findServerKey(key, 'read') : undefined
      return found && { kind: 'read', ...found.caller }
    },
    findAccount: (token) => recallSession(ctx, lookUps, token),
    findMembership: (account, workspaceId) => admitMember(ctx, account, workspaceId),
    confirmTestRoute: (ownerId) => confirmTestRoute(ctx, ownerId),
    saveKeyUses: () => uses.save(ctx),
  }
}
