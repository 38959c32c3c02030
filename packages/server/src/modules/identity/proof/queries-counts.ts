import { sql } from 'kysely'
import type { ProofEnvironment, ProofOutcome, ProofPart } from '@contentflow/core/identity-proof/modes.ts'
import type { Db } from '../../../db/open.ts'

export type HourCount = {
  environment: ProofEnvironment
  /** Its beginning. */
  hour: Date
  part: ProofPart
  outcome: ProofOutcome
  platform: string
  sdkVersion: string
  calls: number
}

/** Adds what one process counted of one workspace. */
export async function addCounts(db: Db, workspaceId: string, counts: readonly HourCount[]): Promise<void> {
  const asked = JSON.stringify(counts)
  await sql`
    insert into identity_proof_hours (workspace_id, environment, hour, part, outcome, platform, sdk_version, calls)
    select ${workspaceId}, environment, hour, part, outcome, platform, "sdkVersion", calls
      from json_to_recordset(${asked}::json) as (environment text, hour timestamptz, part text, outcome text, platform text, "sdkVersion" text, calls bigint)
      order by 2, 3, 4, 5, 6, 7
    on conflict (workspace_id, environment, hour, part, outcome, platform, sdk_version)
      do update set calls = identity_proof_hours.calls + excluded.calls`.execute(db)
}

export type PartTotal = { part: ProofPart; calls: number; proven: number }

/** Sums the hours that begin at `since` or later. */
export async function sumCounts(db: Db, workspaceId: string, environment: ProofEnvironment, since: Date): Promise<PartTotal[]> {
  const { rows } = await sql<PartTotal>`
    select part, sum(calls)::bigint as calls, coalesce(sum(calls) filter (where outcome = 'proven'), 0)::bigint as proven
    from identity_proof_hours where workspace_id = ${workspaceId} and environment = ${environment} and hour >= ${since} group by part`.execute(
    db,
  )
  return rows
}

/** `day`: YYYY-MM-DD, of UTC. */
export type DayCount = Omit<HourCount, 'hour' | 'environment'> & { day: string }

/** Counts by day, newest day first, the most frequent first within a day. */
export async function listDayCounts(
  db: Db,
  workspaceId: string,
  environment: ProofEnvironment,
  { since, limit }: { since: Date; limit: number },
): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, part, outcome, platform, sdk_version as "sdkVersion", sum(calls)::bigint as calls
    from identity_proof_hours where workspace_id = ${workspaceId} and environment = ${environment} and hour >= ${since}
    group by 1, 2, 3, 4, 5 order by 1 desc, calls desc, 2, 3, 4, 5 limit ${limit}`.execute(db)
  return rows
}

export async function listWorkspacesWithOldCounts(db: Db, before: Date): Promise<string[]> {
  const rows = await db.selectFrom('identity_proof_hours').select('workspace_id').distinct().where('hour', '<', before).execute()
  return rows.map((row) => row.workspace_id)
}

export async function dropOldCounts(db: Db, workspaceId: string, before: Date): Promise<void> {
  await db.deleteFrom('identity_proof_hours').where('workspace_id', '=', workspaceId).where('hour', '<', before).execute()
}
