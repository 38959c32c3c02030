import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals.ts'

/** Loads of one workspace that make people come after each other, so that together they keep to the plan (M-BULK-14). */
export async function lockCustomerLimit(tx: Db, workspaceId: string): Promise<number | null> {
  const row = await tx
    .selectFrom('workspaces')
    .select('customer_limit')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return row.customer_limit
}

/** G-68: live people with a user id. */
export async function countCustomers(tx: Db, workspaceId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('profiles')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', 'live')
    .where('user_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export type TokenWrite = { device_id: string; profile_id: string; token: string; token_hash: string; platform: string; provider: string }

/** Where the tokens sit already: their device now reaches the person the load names. The others get a device of their own. */
export async function saveTokens(
  tx: Db,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  rows: readonly TokenWrite[],
  now: Date,
  expiresAt: Date,
): Promise<void> {
  if (rows.length === 0) return
  const items = JSON.stringify(rows)
  await sql`
    with item as materialized (
      select * from jsonb_to_recordset(${items}::jsonb) as item (device_id text, profile_id text, token text, token_hash text,
        platform text, provider text)),
    held as (
      update push_registrations r set profile_id = item.profile_id, registered_at = ${now} from item
      where r.workspace_id = ${workspaceId} and r.environment = ${environment} and r.token_hash = item.token_hash returning r.token_hash),
    device as (
      insert into devices (workspace_id, device_id, environment, consent, first_seen_at, last_seen_at, expires_at, profile_id, platform)
      select ${workspaceId}, device_id, ${environment}, 'unknown', ${now}, ${now}, ${expiresAt}, profile_id, platform from item
      where token_hash not in (select token_hash from held)
      on conflict (workspace_id, device_id) do update set profile_id = excluded.profile_id, revision = devices.revision + 1
      returning device_id)
    insert into push_registrations (workspace_id, device_id, environment, token, token_hash, platform, provider, profile_id, registered_at)
    select ${workspaceId}, device_id, ${environment}, token, token_hash, platform, provider, profile_id, ${now}
    from item join device using (device_id)
    on conflict (workspace_id, device_id) do update set profile_id = excluded.profile_id, registered_at = excluded.registered_at`.execute(
    tx,
  )
}
