import { sql } from 'kysely'
import type { Limits } from '@contentflow/core/access/allows.ts'
import type { OwnRole } from '@contentflow/core/access/grants.ts'
import type { Db } from '../../../../db/open.ts'

/** A role that the workspace made. */
export async function findOwnRole(db: Db, workspaceId: string, id: string): Promise<OwnRole | undefined> {
  const of = db.selectFrom('roles').select(['permissions', 'limits']).where('workspace_id', '=', workspaceId)
  const row = await of.where('id', '=', id).executeTakeFirst()
  return row && { permissions: row.permissions, limits: row.limits as Limits }
}

/** `isOnlyKnown`: only where the sandbox has it already. */
type Following = { from: string; to: string; roleId: string; now: Date; isOnlyKnown?: true }

/** Makes a role of a linked sandbox what it is in its parent, under the same id. A name that the sandbox has given already gets the id behind it. */
export async function followRole(tx: Db, { from, to, roleId, now, isOnlyKnown }: Following): Promise<void> {
  if (isOnlyKnown && !(await findOwnRole(tx, to, roleId))) return
  await sql`
    insert into roles (workspace_id, id, name, permissions, limits, created_at, updated_at)
    select ${to}, r.id,
      case when exists (select from roles o where o.workspace_id = ${to} and o.id <> ${roleId} and lower(o.name) = lower(r.name))
        then r.name || ' ' || r.id else r.name end,
      r.permissions, r.limits, ${now}::timestamptz, ${now}::timestamptz
    from roles r where r.workspace_id = ${from} and r.id = ${roleId}
    on conflict (workspace_id, id) do update set name = excluded.name, permissions = excluded.permissions, limits = excluded.limits,
      version = roles.version + 1, updated_at = excluded.updated_at`.execute(tx)
}

/** Those of its members, for a sandbox that is just made. */
export async function copyRoles(tx: Db, from: string, to: string, now: Date): Promise<void> {
  await sql`
    insert into roles (workspace_id, id, name, permissions, limits, created_at, updated_at)
    select ${to}, r.id, r.name, r.permissions, r.limits, ${now}::timestamptz, ${now}::timestamptz
    from roles r where r.workspace_id = ${from}`.execute(tx)
}

/** Whoever left the workspace answers for no service account of it; they say so. Once: the first time counts. */
export async function leaveServices(tx: Db, workspaceId: string, ownerId: string, now: Date): Promise<void> {
  await tx
    .updateTable('service_accounts')
    .set({ owner_left_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('owner_id', '=', ownerId)
    .where('owner_left_at', 'is', null)
    .execute()
}
