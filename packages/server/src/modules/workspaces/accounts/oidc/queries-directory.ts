import { sql } from 'kysely'
import type { Db } from '../../../../db/open.ts'
import type { Role } from '../../../../http/callers/caller.ts'

/** What an account is in a workspace, and the provider that says so. Who was only invited is left out. */
export type Standing = { workspaceId: string; role: Role; canApprove: boolean; providerId: string | null }

export async function listStandings(tx: Db, accountId: string): Promise<Standing[]> {
  return tx
    .selectFrom('members')
    .select(['workspace_id as workspaceId', 'role', 'can_approve as canApprove', 'provider_id as providerId'])
    .where('account_id', '=', accountId)
    .where('invitation_hash', 'is', null)
    .execute()
}

/** Those of these workspaces that there are, in the order in which they are locked. */
export async function listExisting(tx: Db, ids: readonly string[]): Promise<string[]> {
  const found = await tx
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('id')
    .execute()
  return found.map(({ id }) => id)
}

type Managed = {
  workspaceId: string
  accountId: string
  role: Role
  canApprove: boolean
  providerId: string
  invitedBy: string | null
  provedAt: Date | null
  now: Date
}

/** Joins, or is from now on what the provider says. Who was invited has joined; who was proved before stays so. */
export async function putManaged(
  tx: Db,
  { workspaceId, accountId, role, canApprove, providerId, invitedBy, provedAt, now }: Managed,
): Promise<void> {
  const rights = { role, can_approve: canApprove, source: 'oidc' as const, provider_id: providerId }
  await tx
    .insertInto('members')
    .values({
      workspace_id: workspaceId,
      account_id: accountId,
      ...rights,
      invited_by: invitedBy,
      invited_at: invitedBy === null ? null : now,
      proved_at: provedAt,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'account_id']).doUpdateSet({
        ...rights,
        invitation_hash: null,
        invitation_expires_at: null,
        proved_at: sql`coalesce(members.proved_at, ${provedAt}::timestamptz)`,
      }),
    )
    .execute()
}
