import type { Context } from '../../../context.ts'
import type { Credentials } from '../../../http/callers/auth.ts'
import { hashSecret } from '../../../infra/secrets/crypto.ts'
import { KeyRing } from './key-ring.ts'
import { KeyUses, newUse } from './key-uses.ts'
import { admitMember } from '../accounts/sign-in/sign-in-settings.ts'
import { recallSession } from '../accounts/sign-in/sessions.ts'
import { openLookUps } from './look-ups.ts'
import { confirmTestRoute } from '../settings.ts'

/** The look-ups behind every guard, and the storing of which keys they found. */
export function openCredentials(ctx: Context): Omit<Credentials, 'findService'> & { saveKeyUses(): Promise<void> } {
  const uses = new KeyUses()
  const lookUps = openLookUps(ctx)
  const ring = new KeyRing(ctx, uses, lookUps)
  return {
    recallAppKey: (key) => ring.recall(key),
    checkAppKey: (key) => ring.check(key),
    findWriteKey: async (key) => {
      if (!/^wk_live_[0-9a-f]{40}$/.test(key)) return undefined
      const row = await lookUps.key(hashSecret(key))
      if (row?.kind !== 'write') return undefined
      const settings = await lookUps.settings(row.workspace_id)
      if (!settings || settings.is_resting) return undefined
      uses.note(newUse(row.workspace_id, row.id))
      const { workspace_id: workspaceId, id: keyId, may_publish: mayPublish } = row
      return { kind: 'write', workspaceId, keyId, requestsPerMinute: settings.requests_per_minute, mayPublish }
    },
    findReadKey: async (key) => {
      if (!/^rk_live_[0-9a-f]{24}$/.test(key)) return undefined
      const row = await lookUps.key(hashSecret(key))
      if (row?.kind !== 'read') return undefined
      const settings = await lookUps.settings(row.workspace_id)
      if (!settings || settings.is_resting) return undefined
      uses.note(newUse(row.workspace_id, row.id))
      return { kind: 'read', workspaceId: row.workspace_id, keyId: row.id }
    },
    findAccount: (token) => recallSession(ctx, lookUps, token),
    findMembership: (account, workspaceId) => admitMember(ctx, account, workspaceId),
    confirmTestRoute: (ownerId) => confirmTestRoute(ctx, ownerId),
    saveKeyUses: () => uses.save(ctx),
  }
}
