import type { Context } from '../../context.ts'
import type { Credentials } from '../../http/auth.ts'
import { hashSecret } from '../../infra/crypto.ts'
import { KeyRing } from './key-ring.ts'
import { KeyUses, newUse } from './key-uses.ts'
import { findMembership } from './accounts/queries-members.ts'
import { recallSession } from './accounts/sessions.ts'
import * as queries from './queries.ts'
import { confirmTestRoute } from './settings.ts'

/** The look-ups behind every guard, and the storing of which keys they found. */
export function openCredentials(ctx: Context): Credentials & { saveKeyUses(): Promise<void> } {
  const uses = new KeyUses()
  const ring = new KeyRing(ctx, uses)
  return {
    recallAppKey: (key) => ring.recall(key),
    checkAppKey: (key) => ring.check(key),
    findWriteKey: async (key) => {
      if (!/^wk_live_[0-9a-f]{40}$/.test(key)) return undefined
      const row = await queries.findKeyByHash(ctx.db, hashSecret(key))
      if (row?.kind !== 'write') return undefined
      const settings = await queries.getSettings(ctx.db, row.workspace_id)
      if (settings.suspended) return undefined
      uses.note(newUse(row.workspace_id, row.id))
      const { workspace_id: workspaceId, id: keyId, may_publish: mayPublish } = row
      return { kind: 'write', workspaceId, keyId, requestsPerMinute: settings.requests_per_minute, mayPublish }
    },
    findReadKey: async (key) => {
      if (!/^rk_live_[0-9a-f]{24}$/.test(key)) return undefined
      const row = await queries.findKeyByHash(ctx.db, hashSecret(key))
      if (row?.kind !== 'read') return undefined
      const settings = await queries.getSettings(ctx.db, row.workspace_id)
      if (settings.suspended) return undefined
      uses.note(newUse(row.workspace_id, row.id))
      return { kind: 'read', workspaceId: row.workspace_id, keyId: row.id }
    },
    findAccount: (token) => recallSession(ctx, token),
    findMembership: (account, workspaceId) => findMembership(ctx.db, workspaceId, account.accountId),
    confirmTestRoute: (ownerId) => confirmTestRoute(ctx, ownerId),
    saveKeyUses: () => uses.save(ctx),
  }
}
