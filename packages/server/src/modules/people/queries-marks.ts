import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** A place in the order of marks; `mark` is the text of PostgreSQL where it was read there, which is finer than a `Date`. */
type MarkCursor = { mark: Date | string; id: string }

/** Live people with a mark after `after` and up to `last` who were active after `until` get a new mark (ACTIVITY_LAG). */
export async function settleMarks(tx: Db, workspaceId: string, after: MarkCursor, last: MarkCursor, until: Date): Promise<void> {
  await sql`
    with held as materialized (
      select id from profiles
      where workspace_id = ${workspaceId} and environment = 'live' and (activity_mark, id) > (${after.mark}::timestamptz, ${after.id}::text)
        and (activity_mark, id) <= (${last.mark}::timestamptz, ${last.id}::text) and last_active_at > ${until}
      order by id for no key update)
    update profiles p set activity_mark = greatest(p.activity_mark, p.last_active_at) from held
    where p.workspace_id = ${workspaceId} and p.id = held.id`.execute(tx)
}
