/** The trackers of a workspace, who uses them, and how far their past is filled in. */
import { sql } from 'kysely'
import type { TrackerDefinition } from '@contentflow/core/behaviour/tracker.ts'
import type { Db } from '../../db/open.ts'

export type TrackerUser = { kind: 'segment' | 'journey' | 'experiment'; id: string }
export type Tracker = { id: string; definition: TrackerDefinition; firstBatch: number }

/** Those that events are folded into; retired ones too, as long as they are kept. */
export async function listTrackers(db: Db, workspaceId: string): Promise<Tracker[]> {
  const rows = await db
    .selectFrom('event_trackers')
    .select(['id', 'first_batch as firstBatch'])
    .select(sql<TrackerDefinition>`definition`.as('definition'))
    .where('workspace_id', '=', workspaceId)
    .where('is_ending', '=', false)
    .execute()
  return rows
}

/** How far the past of a tracker is filled in. */
export type FillingTracker = Tracker & { lateBatches: readonly string[]; filledDay: string | null; filledBatch: number }

const FILLING = sql`id, definition, first_batch as "firstBatch", late_batches as "lateBatches", filled_day::text as "filledDay", filled_batch as "filledBatch"`

/** Those whose past is not filled in yet. */
export async function listFilling(db: Db, workspaceId: string): Promise<FillingTracker[]> {
  const { rows } = await sql<FillingTracker>`
    select ${FILLING} from event_trackers where workspace_id = ${workspaceId} and ready_at is null and not is_ending order by id`.execute(
    db,
  )
  return rows
}

/** Ids of those whose histories are whole. */
export async function listReady(db: Db, workspaceId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('event_trackers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('ready_at', 'is not', null)
    .where('is_ending', '=', false)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function countTrackers(tx: Db, workspaceId: string, types: readonly string[]): Promise<{ all: number; mostOfType: number }> {
  const { rows } = await sql<{ all: number; of_type: number }>`
    select coalesce(sum(n), 0)::integer as "all", coalesce(max(n) filter (where type = any(${[...types]}::text[])), 0)::integer as of_type from (
      select type, count(*) as n from event_trackers where workspace_id = ${workspaceId} and retired_at is null group by type) of_types`.execute(
    tx,
  )
  return { all: rows[0]?.all ?? 0, mostOfType: rows[0]?.of_type ?? 0 }
}

/** The number of the next batch of events: all batches that have one yet have a smaller one. */
export async function takeBatchNumber(tx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('event_batch_ids') as id`.execute(tx)
  return rows[0]?.id ?? 0
}

/** Those that are new are due at once; one that was retired is used again; one that is ending begins anew when it has ended. */
export async function insertTrackers(
  tx: Db,
  workspaceId: string,
  trackers: ReadonlyMap<string, TrackerDefinition>,
  { firstBatch, now }: { firstBatch: number; now: Date },
): Promise<void> {
  const rows = [...trackers].map(([id, definition]) => ({ id, type: definition.type, definition }))
  await sql`
    insert into event_trackers (workspace_id, id, type, definition, first_batch, due_at)
    select ${workspaceId}::text, id, type, definition, ${firstBatch}::bigint, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id text, type text, definition jsonb) order by id
    on conflict (workspace_id, id) do update set retired_at = null`.execute(tx)
}

/** Says which trackers it uses from now on; those that nobody uses any more are retired and end after `endsAt`. */
export async function replaceUses(
  tx: Db,
  workspaceId: string,
  { kind, id }: TrackerUser,
  trackerIds: readonly string[],
  { now, endsAt }: { now: Date; endsAt: Date },
): Promise<void> {
  const ids = sql`${[...trackerIds]}::text[]`
  await sql`
    delete from tracker_uses where workspace_id = ${workspaceId} and kind = ${kind} and used_by = ${id} and not tracker_id = any(${ids})`.execute(
    tx,
  )
  await sql`
    insert into tracker_uses (workspace_id, tracker_id, kind, used_by)
    select ${workspaceId}::text, t, ${kind}::text, ${id}::text from unnest(${ids}) as t order by t
    on conflict do nothing`.execute(tx)
  await sql`
    update event_trackers set retired_at = ${now}::timestamptz, due_at = case when ready_at is null then due_at else ${endsAt}::timestamptz end
    where workspace_id = ${workspaceId} and retired_at is null
      and not exists (select from tracker_uses u where u.workspace_id = ${workspaceId} and u.tracker_id = event_trackers.id)`.execute(tx)
}

export async function hasUses(tx: Db, workspaceId: string, user: TrackerUser): Promise<boolean> {
  const row = await tx
    .selectFrom('tracker_uses')
    .select('tracker_id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', user.kind)
    .where('used_by', '=', user.id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function listSegmentsUsing(db: Db, workspaceId: string, trackerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('tracker_uses')
    .select('used_by')
    .where('workspace_id', '=', workspaceId)
    .where('tracker_id', '=', trackerId)
    .where('kind', '=', 'segment')
    .execute()
  return rows.map(({ used_by }) => used_by)
}

/** Batches that were counted after the tracker was made although their number is older: the past leaves them out. */
export async function noteLateBatches(tx: Db, workspaceId: string, batches: readonly number[]): Promise<void> {
  await sql`
    update event_trackers set late_batches = late_batches || array(
      select b::text from unnest(${[...batches]}::bigint[]) as b where b <= event_trackers.first_batch)
    where workspace_id = ${workspaceId} and ready_at is null and first_batch >= ${Math.min(...batches)}`.execute(tx)
}

export type TrackerState = FillingTracker & { readyAt: Date | null; retiredAt: Date | null; isEnding: boolean }

/** As it is now; whoever counts or changes uses waits. */
export async function lockTracker(tx: Db, workspaceId: string, id: string): Promise<TrackerState | undefined> {
  const { rows } = await sql<TrackerState>`
    select ${FILLING}, ready_at as "readyAt", retired_at as "retiredAt", is_ending as "isEnding"
    from event_trackers where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx)
  return rows[0]
}

export async function saveFilled(tx: Db, workspaceId: string, id: string, day: string, batch: number): Promise<void> {
  await sql`
    update event_trackers set filled_day = ${day}::date, filled_batch = ${batch} where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  )
}

export async function markReady(tx: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await sql`
    update event_trackers set ready_at = ${now}::timestamptz, late_batches = '{}' where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  )
}

/** False: somebody uses it again. */
export async function markEnding(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const result = await sql`
    update event_trackers set is_ending = true
    where workspace_id = ${workspaceId} and id = ${id} and (is_ending or retired_at is not null)`.execute(tx)
  return Number(result.numAffectedRows) > 0
}

/** Histories are rid of it: it goes, or it begins anew where somebody uses it by now. False: it is gone. */
export async function endTracker(tx: Db, workspaceId: string, id: string, firstBatch: number): Promise<boolean> {
  await sql`
    delete from event_trackers where workspace_id = ${workspaceId} and id = ${id}
      and not exists (select from tracker_uses u where u.workspace_id = ${workspaceId} and u.tracker_id = ${id})`.execute(tx)
  const begun = await sql`
    update event_trackers set is_ending = false, retired_at = null, ready_at = null, first_batch = ${firstBatch}, late_batches = '{}',
      filled_day = null, filled_batch = 0
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return Number(begun.numAffectedRows) > 0
}
