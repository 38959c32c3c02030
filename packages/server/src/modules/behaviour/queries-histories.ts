/** Histories of people, and the events that are folded into them. */
import { DAY_MS } from '@contentflow/core/units.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import type { TrackedEvent } from '@contentflow/core/behaviour/where.ts'
import { PREPARED, type Db } from '../../db/open.ts'
import type { FillingTracker } from './queries-trackers.ts'

/** An event with who it belongs to today. */
export type EventOfPerson = TrackedEvent & { type: string; batch: number; place: number; person: string }

const COLUMNS = sql`e.type, e.batch, coalesce(e.place, 0) as place, coalesce(a.into_id, e.profile_id) as person, e.received_at, e.value, e.currency, e.block_key as "blockKey",
  e.instance_id as "instanceId", e.campaign_id as "campaignId", e.screen, e.fence_id as "fenceId", e.platform, e.session_id as "sessionId", e.properties`

type Row = Omit<EventOfPerson, 'at'> & { received_at: Date }
const toEvents = (rows: readonly Row[]): EventOfPerson[] => rows.map(({ received_at, ...row }) => ({ ...row, at: received_at.getTime() }))

/** Which of the events `e` of a workspace. */
export type Which = RawBuilder<unknown>

/** Of these batches; the times let the database look into the partitions of those days only. */
export function ofBatches(batches: readonly { id: number; received_at: Date }[]): Which {
  const times = batches.map(({ received_at }) => received_at.getTime())
  return sql`e.batch = any(${batches.map(({ id }) => id)}::bigint[])
    and e.received_at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}`
}

/** That arrived on a day (UTC), in batches behind `after` and, with `upTo`, at most that one. */
export function ofDay(day: Date, { after = 0, upTo }: { after?: number; upTo?: number | undefined } = {}): Which {
  const last = upTo === undefined ? sql`` : sql`and e.batch <= ${upTo}::bigint`
  return sql`e.received_at >= ${day} and e.received_at < ${new Date(day.getTime() + DAY_MS)} and e.batch > ${after}::bigint ${last}`
}

/** Those of `which` in these batches. */
export const inBatches = (which: Which, ids: readonly number[]): Which => sql`${which} and e.batch = any(${[...ids]}::bigint[])`

/** Those that were counted: uncounted ones are folded when they are. */
const isCounted = (workspaceId: string): Which => sql`not exists (
  select from event_batches b where b.workspace_id = ${workspaceId} and b.id = e.batch and not b.is_counted)`

/** Those of `which` that were counted before a tracker was made. */
export function beforeTracker(
  which: Which,
  workspaceId: string,
  { firstBatch, lateBatches }: { firstBatch: number; lateBatches: readonly string[] },
): Which {
  return sql`${which} and e.batch <= ${firstBatch}::bigint and not e.batch::text = any(${[...lateBatches]}::text[]) and ${isCounted(workspaceId)}`
}

/** Those of `which` that a tracker which is still being filled in has by now: counted after it was made, or of the past that is filled in. */
export function alreadyFolded(which: Which, { firstBatch, lateBatches, filledDay, filledBatch }: FillingTracker): Which {
  const day = filledDay === null ? undefined : new Date(filledDay)
  const past = day
    ? sql`or e.received_at < ${day} or (e.received_at < ${new Date(day.getTime() + DAY_MS)} and e.batch <= ${filledBatch}::bigint)`
    : sql``
  return sql`${which} and (e.batch > ${firstBatch}::bigint or e.batch::text = any(${[...lateBatches]}::text[]) ${past})`
}

/** The counted events of these people and of those they absorbed. */
export function ofPeople(workspaceId: string, people: readonly string[]): Which {
  return sql`(e.profile_id = any(${[...people]}::text[]) or e.profile_id = any(array(
      select profile_id from absorbed_profiles where workspace_id = ${workspaceId} and into_id = any(${[...people]}::text[]))))
    and ${isCounted(workspaceId)}`
}

/** The events of these people and of those they absorbed that arrived behind `since`, counted or not. */
export function ofPeopleSince(workspaceId: string, people: readonly string[], since: Date): Which {
  return sql`e.received_at > ${since} and (e.profile_id = any(${[...people]}::text[]) or e.profile_id = any(array(
      select profile_id from absorbed_profiles where workspace_id = ${workspaceId} and into_id = any(${[...people]}::text[]))))`
}

export async function readEvents(db: Db, workspaceId: string, types: readonly string[], which: Which): Promise<EventOfPerson[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from events e
    left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = e.profile_id
    where e.workspace_id = ${workspaceId} and e.type = any(${[...types]}::text[]) and ${which}`.execute(db)
  return toEvents(rows)
}

/** How many events of these types each of the batches has; batches without any are left out. */
export async function countInBatches(
  db: Db,
  workspaceId: string,
  types: readonly string[],
  which: Which,
): Promise<{ batch: number; events: number }[]> {
  const { rows } = await sql<{ batch: number; events: number }>`
    select e.batch, count(*)::integer as events from events e
    where e.workspace_id = ${workspaceId} and e.type = any(${[...types]}::text[]) and ${which} group by e.batch order by e.batch`.execute(
    db,
  )
  return rows
}

/** Up to which batch about `limit` events of the type reach, behind `after`; undefined: those are all up to `until`. */
export async function findBatchEnd(
  db: Db,
  workspaceId: string,
  type: string,
  { which, limit }: { which: Which; limit: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ batch: number }>`
    select e.batch from events e where e.workspace_id = ${workspaceId} and e.type = ${type} and ${which}
    order by e.batch offset ${limit - 1} limit 1`.execute(db)
  return rows[0]?.batch
}

/** Days (UTC, `YYYY-MM-DD`) on which events of the type were counted, oldest first. */
export async function listDaysOf(
  db: Db,
  workspaceId: string,
  types: readonly string[],
  since: Date,
): Promise<{ day: string; events: number }[]> {
  const { rows } = await sql<{ day: string; events: number }>`
    select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(total)::float8 as events from event_counts
    where workspace_id = ${workspaceId} and subject = 'type' and name = any(${[...types]}::text[]) and unit = 'day' and starts_at >= ${since}
    group by 1 order by 1`.execute(db)
  return rows
}

/** Types that were counted at least once; of very many the most frequent. */
export async function listSeenTypes(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from event_counts where workspace_id = ${workspaceId} and subject = 'type' and unit = 'day'
    group by name order by sum(total) desc limit 1000`.execute(db)
  return rows.map(({ name }) => name)
}

/** Those of these people who are there; a merge and an erasure wait for the transaction. */
export async function holdPeople(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from profiles where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[]) order by id for key share`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Who each of these people is by now. */
export async function listAbsorbed(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ profile_id: string; into_id: string }>`
    select profile_id, into_id from absorbed_profiles where workspace_id = ${workspaceId} and profile_id = any(${[...ids]}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(({ profile_id, into_id }) => [profile_id, into_id]))
}

/**
 * By person; whoever has none is left out. They are asked for as one text, of which the planner never believes to know how many
 * it holds, so that the statement is planned once.
 */
export async function readHistories(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, Histories>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; state: Histories }>`${sql.raw(PREPARED)}
    select b.id, b.state from json_array_elements_text(${JSON.stringify(ids)}::json) as asked (id)
    cross join lateral (select id, state from person_behaviour where workspace_id = ${workspaceId} and id = asked.id offset 0) b`.execute(
    db,
  )
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** In the order of their ids, so that two who write several wait for each other. */
export async function lockHistories(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, Histories>> {
  const { rows } = await sql<{ id: string; state: Histories }>`
    select id, state from person_behaviour where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])
    order by id for no key update`.execute(tx)
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** They are looked at from `now`. */
export async function saveHistories(tx: Db, workspaceId: string, states: ReadonlyMap<string, Histories>, now: Date): Promise<void> {
  const rows = [...states].sort(([a], [b]) => (a < b ? -1 : 1))
  await sql`
    insert into person_behaviour as b (workspace_id, id, state, due_at)
    select ${workspaceId}::text, id, state, ${now}::timestamptz
    from unnest(${rows.map(([id]) => id)}::text[], ${rows.map(([, state]) => JSON.stringify(state))}::jsonb[]) as t (id, state)
    on conflict (workspace_id, id) do update set state = excluded.state, due_at = excluded.due_at`.execute(tx)
}

/** `limit` people who have a history, those behind a place that `share` (0 to 1) says first: ids begin with the time at which they were made. */
export async function listSomePeople(db: Db, workspaceId: string, share: number, limit: number): Promise<string[]> {
  const { rows: ends } = await sql<{ first: string | null; last: string | null }>`
    select min(id) as first, max(id) as last from person_behaviour where workspace_id = ${workspaceId}`.execute(db)
  const [first, last] = [timeOf(ends[0]?.first), timeOf(ends[0]?.last)]
  const from = uuidOf(Math.floor(first + (last - first) * share))
  const { rows } = await sql<{ id: string }>`
    (select id from person_behaviour where workspace_id = ${workspaceId} and id >= ${from} order by id limit ${limit})
    union all (select id from person_behaviour where workspace_id = ${workspaceId} and id < ${from} order by id limit ${limit})
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The first 48 bits of a UUID: milliseconds. */
const timeOf = (id: string | null | undefined): number => Number.parseInt(id?.replace('-', '').slice(0, 12) ?? '0', 16) || 0
const uuidOf = (time: number): string =>
  time
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')

/** A page of `limit` rows beyond `after`: those that may have moments up to `since` in ms, locked, and the last of the page; undefined when it was the last one. */
export async function lockWithMoments(
  tx: Db,
  workspaceId: string,
  since: number,
  { after, limit }: { after: string; limit: number },
): Promise<{ states: Map<string, Histories>; upTo: string | undefined }> {
  const { rows: ends } = await sql<{ id: string }>`
    select id from person_behaviour where workspace_id = ${workspaceId} and id > ${after} order by id offset ${limit - 1} limit 1`.execute(
    tx,
  )
  const upTo = ends[0]?.id
  const { rows } = await sql<{ id: string; state: Histories }>`
    select id, state from person_behaviour where workspace_id = ${workspaceId} and id > ${after}
      ${upTo === undefined ? sql`` : sql`and id <= ${upTo}`}
      and (jsonb_path_exists(state, '$.*.a[*] ? (@ <= $since)', ${JSON.stringify({ since })}::jsonb) or jsonb_path_exists(state, '$.*.h'))
    order by id for no key update`.execute(tx)
  return { states: new Map(rows.map(({ id, state }) => [id, state])), upTo }
}

/** Takes a tracker out of about `limit` histories beyond `after`; says up to whom, undefined when those were the last. */
export async function stripHistories(
  db: Db,
  workspaceId: string,
  trackerId: string,
  after: string,
  limit: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from person_behaviour where workspace_id = ${workspaceId} and id > ${after} order by id offset ${limit - 1} limit 1`.execute(
    db,
  )
  const upTo = rows[0]?.id
  await sql`
    update person_behaviour set state = state - ${trackerId}::text where workspace_id = ${workspaceId} and id > ${after}
      ${upTo === undefined ? sql`` : sql`and id <= ${upTo}`} and state -> ${trackerId}::text is not null`.execute(db)
  return upTo
}

export type Judged = { id: string; next: number | null }

/** Says when they are to be looked at next, unless they became due meanwhile. */
export async function finishJudged(db: Db, workspaceId: string, token: string, judged: readonly Judged[]): Promise<void> {
  const next = judged.map(({ next }) => (next === null ? null : new Date(next)))
  await sql`
    update person_behaviour b set due_at = case when b.due_at = b.lease_until then t.next else b.due_at end, lease = null, lease_until = null, attempts = 0
    from unnest(${judged.map(({ id }) => id)}::text[], ${next}::timestamptz[]) as t (id, next)
    where b.workspace_id = ${workspaceId} and b.id = t.id and b.lease = ${token}::uuid`.execute(db)
}

/**
 * These people are looked at by their moment at the latest. Whoever somebody is looking at is looked at once more: that look
 * may go by the rules of before.
 */
export async function lookNoLater(db: Db, workspaceId: string, moments: readonly { id: string; next: number }[], now: Date): Promise<void> {
  const rows = [...moments].sort((a, b) => (a.id < b.id ? -1 : 1))
  await sql`
    with held as (
      select b.id, t.next from person_behaviour b
      join unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ next }) => new Date(next))}::timestamptz[]) as t (id, next) on t.id = b.id
      where b.workspace_id = ${workspaceId} and (b.due_at is null or b.due_at > t.next or b.due_at = b.lease_until)
      order by b.id for no key update of b)
    update person_behaviour b set due_at = case when b.due_at = b.lease_until then ${now}::timestamptz else least(b.due_at, held.next) end
    from held where b.workspace_id = ${workspaceId} and b.id = held.id`.execute(db)
}

/** The earliest moment before `until` at which somebody is to be looked at. */
export async function findNextDue(db: Db, workspaceId: string, until: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(due_at) as at from person_behaviour where workspace_id = ${workspaceId} and due_at is not null and due_at <= ${until} and lease is null`.execute(
    db,
  )
  return rows[0]?.at ?? undefined
}
