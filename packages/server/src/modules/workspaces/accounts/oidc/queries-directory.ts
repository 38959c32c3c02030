import { sql } from 'kysely'
import type { Db } from '../../../../db/open.ts'
import type { Role } from '../../../../http/callers/caller.ts'

/** What an account is in a workspace, and the provider that says so. Who was only invited is left out. */
export type Standing = {
  workspaceId: string
  accountId: string
  role: Role
  roleId: string | null
  canApprove: boolean
  providerId: string | null
  source: string | null
}

const STANDING = [
  'workspace_id as workspaceId',
  'account_id as accountId',
  'role',
  'role_id as roleId',
  'can_approve as canApprove',
  'provider_id as providerId',
  'source',
] as const

export async function listStandings(tx: Db, accountId: string): Promise<Standing[]> {
  return tx.selectFrom('members').select(STANDING).where('account_id', '=', accountId).where('invitation_hash', 'is', null).execute()
}

/** What these accounts are in one workspace. */
export async function listStandingsIn(tx: Db, workspaceId: string, accountIds: readonly string[]): Promise<Standing[]> {
  return tx
    .selectFrom('members')
    .select(STANDING)
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', sql<string>`any(${[...accountIds]}::text[])`)
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
  roleId: string | undefined
  canApprove: boolean
  source: 'oidc' | 'scim'
  providerId: string
  invitedBy: string | null
  provedAt: Date | null
  now: Date
}

/** Joins, or is from now on what the provider says. Who was invited has joined; who was proved before stays so. */
export async function putManaged(
  tx: Db,
  { workspaceId, accountId, role, roleId, canApprove, source, providerId, invitedBy, provedAt, now }: Managed,
): Promise<void> {
  const rights = { role, role_id: roleId ?? null, can_approve: canApprove, source, provider_id: providerId }
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
