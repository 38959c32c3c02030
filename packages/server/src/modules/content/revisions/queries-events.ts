import { sql } from 'kysely'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import type { Revision } from './queries-instances.ts'

export const EVENT_ACTIONS = ['publish', 'unpublish', 'schedule', 'reschedule', 'cancel', 'overtaken', 'delete', 'restore'] as const
/** An event in the history of an instance, besides saves. `revision`: where the pointer of `environment` points since then; null: to none. */
export type InstanceEvent = {
  action: (typeof EVENT_ACTIONS)[number]
  environment: Environment | null
  revision: number | null
  dueAt: Date | null
}

/** Rows are added, never changed. Numbers grow, because writes of a workspace's content come one after another. */
export async function insertEvents(
  tx: Db,
  workspaceId: string,
  instanceId: string,
  events: readonly InstanceEvent[],
  made: { by: string; at: Date },
): Promise<void> {
  if (events.length === 0) return
  const { last } = await tx
    .selectFrom('instance_events')
    .select(sql<number>`coalesce(max(number), 0)`.as('last'))
    .where('workspace_id', '=', workspaceId)
    .where('instance_id', '=', instanceId)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('instance_events')
    .values(
      events.map(({ action, environment, revision, dueAt }, index) => ({
        workspace_id: workspaceId,
        instance_id: instanceId,
        number: last + 1 + index,
        action,
        environment,
        revision,
        due_at: dueAt,
        made_by: made.by,
        made_at: made.at,
      })),
    )
    .execute()
}

/** Where the pointer of an environment pointed at that time; null: to none. */
export async function findPointerAt(
  db: Db,
  workspaceId: string,
  instanceId: string,
  environment: Environment,
  time: Date,
): Promise<number | null> {
  const row = await db
    .selectFrom('instance_events')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .where('instance_id', '=', instanceId)
    .where('environment', '=', environment)
    .where('action', 'in', ['publish', 'unpublish'])
    .where('made_at', '<=', time)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.revision ?? null
}

/** The request to a second person, and its decision. */
export const REVIEW_ACTIONS = ['ask', 'approve', 'reject', 'withdraw'] as const
/** `number`: of the save, the event or the request, which are counted apart. */
export type HistoryEntry = Omit<InstanceEvent, 'action'> & {
  action: InstanceEvent['action'] | (typeof REVIEW_ACTIONS)[number] | 'save'
  number: number
  /** Only for a save. */
  source: Revision['source'] | null
  restoredFrom: number | null
  /** Only for a decision. */
  note: string | null
  madeBy: string
  at: Date
}

/** Pages saves, requests and the other events of an instance, newest first; at the same moment saves come before what was done with them. */
export async function pageHistory(
  db: Db,
  workspaceId: string,
  instanceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<HistoryEntry>> {
  const requests = sql`
    select *, (row_number() over (order by id))::integer as place
    from reviews where workspace_id = ${workspaceId} and subject = ${instanceId}`
  const decision = sql`case status when 'approved' then 'approve' when 'rejected' then 'reject' else 'withdraw' end`
  const all = sql`
    select 'save' as action, null as environment, number as revision, null::timestamptz as "dueAt", made_by as "madeBy", created_at as at,
      0 as kind, number, source, restored_from as "restoredFrom", null as note
    from instance_revisions where workspace_id = ${workspaceId} and instance_id = ${instanceId}
    union all
    select action, environment, revision, due_at, made_by, made_at, 1, number, null, null, null
    from instance_events where workspace_id = ${workspaceId} and instance_id = ${instanceId}
    union all
    select 'ask', 'live', revision, publish_at, requested_by, requested_at, 2, place, null, null, null from (${requests}) asked
    union all
    select ${decision}, 'live', revision, publish_at, decided_by, decided_at, 3, place, null, null, note from (${requests}) decided
    where decided_at is not null`
  const [at, kind, last] = after === undefined ? [] : (cursorParts(after) as [string, number, number])
  const isBehind = at === undefined ? sql`` : sql`where (at, kind, number) < (${at}::timestamptz, ${kind}::integer, ${last}::integer)`
  const { rows } = await sql<HistoryEntry & { kind: number }>`
    select * from (${all}) entries ${isBehind} order by at desc, kind desc, number desc limit ${limit + 1}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total from (${all}) entries`.execute(db)
  return paged(rows, limit, counted[0]?.total ?? 0, (entry) => cursorOf(entry.at.toISOString(), entry.kind, entry.number))
}
