/** What both sides of a holdout did, in pages of people. */
import { sql } from 'kysely'
import type { Holdout } from '@contentflow/core/experiments/holdout.ts'
import type { Db } from '../../db/open.ts'
import { dueTable, type DueRow, type DueTable } from '../../infra/due/queries-due.ts'
import { isOnSide } from './queries-held-out.ts'

/** People, those of them who converted, the value of it, and the sum of the squares of what each brought. */
export type Side = { units: number; converted: number; value: number; squares: number }
type Sides = { heldOut: Side; others: Side }
export type Progress = { since: string; after: string; sides: Sides }
export type StoredReading = { since: string; at: string; sides: Sides }
export type ReadingRow = DueRow & { progress: Progress | null; reading: StoredReading | null }

export function readingsTable(db: Db): DueTable<ReadingRow> {
  return dueTable<ReadingRow>(db, 'holdout_readings')
}

/** It is read when it is due; null: nobody is held out. What was read before stays until something newer is. */
export async function saveDue(tx: Db, workspaceId: string, dueAt: Date | null): Promise<void> {
  await tx
    .insertInto('holdout_readings')
    .values({ workspace_id: workspaceId, id: 'holdout', due_at: dueAt })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet({ due_at: dueAt }))
    .execute()
}

export async function findReading(db: Db, workspaceId: string): Promise<StoredReading | null> {
  const row = await db.selectFrom('holdout_readings').select('reading').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return (row?.reading ?? null) as StoredReading | null
}

export async function saveProgress(
  db: Db,
  workspaceId: string,
  { progress, reading }: { progress: Progress | null; reading?: StoredReading },
): Promise<void> {
  await db
    .updateTable('holdout_readings')
    .set({ progress: progress && JSON.stringify(progress), ...(reading && { reading: JSON.stringify(reading) }) })
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** What one person brought is cut here, so that one absurd value is not the whole mean. */
const MOST = 1_000_000_000

/** `last`: the id of the last person of the page. */
export type PageSums = { isHeld: boolean; last: string } & Side

/** The next live people by id: what each did from the day of `since` to the day of `until`, in UTC. */
export async function sumPage(
  db: Db,
  workspaceId: string,
  holdout: Holdout,
  { since, until, after, limit }: { since: string; until: Date; after: string; limit: number },
): Promise<PageSums[]> {
  const dayOf = (moment: string | Date) => sql`(${moment}::timestamptz at time zone 'UTC')::date`
  const { rows } = await sql<PageSums>`
    with page as materialized (
      select p.id, ${isOnSide(holdout)} as held from profiles p
      where p.workspace_id = ${workspaceId} and p.environment = 'live' and p.id > ${after} order by p.id limit ${limit})
    select held as "isHeld", (select max(id) from page) as last, count(*)::bigint as units, (count(*) filter (where did.n > 0))::bigint as converted,
      sum(did.value) as value, sum(did.value * did.value) as squares
    from page cross join lateral (
      select coalesce(sum(d.conversions), 0) as n, greatest(least(coalesce(sum(d.value), 0), ${sql.lit(MOST)}), ${sql.lit(-MOST)}) as value
      from person_days d where d.workspace_id = ${workspaceId} and d.profile_id = page.id
        and d.day >= ${dayOf(since)} and d.day <= ${dayOf(until)} offset 0) did
    group by 1 order by 1`.execute(db)
  return rows
}
