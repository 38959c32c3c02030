import type { Rule } from '@contentflow/core/targeting/rule.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

/** Devices that consented and were seen since, whose person is a stored member of the segment of this name; undefined: all of them. */
export async function countDevices(
  db: Db,
  workspaceId: string,
  environment: Environment,
  segment: string | undefined,
  since: Date,
): Promise<{ devices: number; isKnown: boolean }> {
  const isMember = sql`and (select m.is_member from segment_members m
    where m.workspace_id = ${workspaceId} and m.segment_id = (select id from named) and m.profile_id = d.profile_id)`
  const { rows } = await sql<{ devices: number; isKnown: boolean }>`
    with named as materialized (select id from segments where workspace_id = ${workspaceId} and name = ${segment ?? null})
    select count(*) as devices, exists (select from named) as "isKnown"
    from devices d where d.workspace_id = ${workspaceId} and d.environment = ${environment} and d.consent = 'granted'
      and d.last_seen_at >= ${since} ${segment === undefined ? sql`` : isMember}`.execute(db)
  return rows[0] ?? { devices: 0, isKnown: false }
}

/** The rules of each segment of the workspace. */
export async function listSegmentRules(db: Db, workspaceId: string) {
  const rows = await db.selectFrom('segments').select(['id', 'name', 'rules', 'excluded']).where('workspace_id', '=', workspaceId).execute()
  return rows.map(({ rules, ...segment }) => ({ ...segment, rules: rules as Rule[] }))
}
