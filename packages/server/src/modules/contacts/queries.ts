import { sql } from 'kysely'
import type { PushProvider } from '@contentflow/core/push/providers.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'

/** `isNamed`: the load says whose token it is; otherwise what an installation said of it stays. */
export type TokenWrite = {
  device_id: string
  profile_id: string
  token: string
  token_hash: string
  platform: string
  provider: PushProvider
  isNamed: boolean
}

/**
 * A token that an app registered stays with its installation, which now reaches the person the load names. The others get a device
 * of their own, which goes with the token to whoever it is loaded for next.
 */
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
      where r.workspace_id = ${workspaceId} and r.environment = ${environment} and r.token_hash = item.token_hash
        and r.device_id <> item.device_id returning r.token_hash),
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
  const named = rows.filter(({ isNamed }) => isNamed)
  if (named.length === 0) return
  await sql`
    update push_registrations r set provider = item.provider
    from unnest(${named.map(({ token_hash }) => token_hash)}::text[], ${named.map(({ provider }) => provider)}::text[]) as item (token_hash, provider)
    where r.workspace_id = ${workspaceId} and r.environment = ${environment} and r.token_hash = item.token_hash
      and r.provider <> item.provider`.execute(tx)
}
