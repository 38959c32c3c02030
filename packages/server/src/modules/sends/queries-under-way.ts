/**
 * Messages that are being sent: lines of the ledger that are due and named by a batch. Whatever shows or counts lines asks
 * here, and calls them `sending`.
 */
import { sql, type RawBuilder } from 'kysely'

/** Whether `sends`, a line that is due, is being sent. Asked of many lines, the batches are read once. */
export function isUnderWay(workspaceId: string): RawBuilder<boolean> {
  // As `in` alone it could become a join, which reads the batches once for each line.
  return sql`((sends.dispatch_id, sends.profile_id) in (
    select b.dispatch_id, named.id from send_batches b cross join lateral unnest(b.profile_ids) as named (id)
    where b.workspace_id = ${workspaceId})) is true`
}

/** The people of one dispatch who are being written to. */
export function listUnderWay(workspaceId: string, dispatchId: string): RawBuilder<unknown> {
  return sql`(select named.id from send_batches b cross join lateral unnest(b.profile_ids) as named (id)
    where b.workspace_id = ${workspaceId} and b.dispatch_id = ${dispatchId})`
}

/** Joins to `s`, of few lines, the batch that names it while it is due: `batch`. */
export function joinBatch(workspaceId: string): RawBuilder<unknown> {
  return sql`left join lateral (
    select b.made_at from send_batches b
    where b.workspace_id = ${workspaceId} and b.dispatch_id = s.dispatch_id and s.state = 'due' and s.profile_id = any(b.profile_ids)
    limit 1) batch on true`
}

/** Columns of `s` that are others while it is being sent, with `joinBatch`. */
export const SHOWN_LINE = sql`case when batch.made_at is null then s.state else 'sending' end as state,
  case when batch.made_at is null then s.reason end as reason, s.tries + case when batch.made_at is null then 0 else 1 end as tries,
  case when batch.made_at is null then s.due_at end as due_at, coalesce(batch.made_at, s.updated_at) as updated_at`
