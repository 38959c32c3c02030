import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'

export type AskedLocale = { deviceId: string; locale: string }

/** The people behind these devices for whom it is another locale than they have: the locale that was asked for last, by profile. */
export async function listAskers(
  db: Db,
  workspaceId: string,
  asked: readonly (AskedLocale & { environment: Environment })[],
  now: Date,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; locale: string }>`
    select p.id, asked.locale
    from unnest(${asked.map(({ deviceId }) => deviceId)}::text[], ${asked.map(({ environment }) => environment)}::text[],
      ${asked.map(({ locale }) => locale)}::text[]) with ordinality as asked (device_id, environment, locale, number)
    cross join lateral (
      select profile_id, environment, consent, expires_at from devices
      where workspace_id = ${workspaceId} and device_id = asked.device_id offset 0) d
    cross join lateral (select id, locale from profiles where workspace_id = ${workspaceId} and id = d.profile_id offset 0) p
    where d.environment = asked.environment and d.consent = 'granted' and d.expires_at > ${now} and p.locale is distinct from asked.locale
    order by asked.number`.execute(db)
  return new Map(rows.map(({ id, locale }) => [id, locale]))
}
