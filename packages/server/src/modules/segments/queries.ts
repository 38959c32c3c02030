import { sql, type Selectable } from 'kysely'
import type { UpdateFrequency } from '@contentflow/core/targeting/frequency.ts'
import type { Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { paged, pageFrom, type Paged } from '@contentflow/core/paging.ts'
import { holdsText } from '../../db/fold-text.ts'
import type { Db } from '../../db/open.ts'
import { readPage } from '../../db/pages.ts'
import type { Segments } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import type { ProfileRow } from '../people/index.ts'

export type Segment = SegmentRules & {
  id: string
  name: string
  /** Ids of the segments whose members are out. */
  excluded: string[]
  updateFrequency: UpdateFrequency
  /** The stored membership is that of this moment; null until it was first worked out. */
  exactAsOf: Date | null
  /** Grows with every change of name, rules, exclusions or frequency. */
  version: number
  createdAt: Date
  updatedAt: Date
}

// --- segments ---

/** Oldest first. */
export async function listSegments(db: Db, workspaceId: string): Promise<Segment[]> {
  return (await db.selectFrom('segments').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute()).map(toSegment)
}

/** The same, locked, so that changes of a workspace's segments come after each other: two must not come to exclude each other. */
export async function lockSegments(tx: Db, workspaceId: string): Promise<Segment[]> {
  const rows = await tx.selectFrom('segments').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').forNoKeyUpdate().execute()
  return rows.map(toSegment)
}

/** Another text after every change of any segment of the workspace. */
export async function findFingerprint(db: Db, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ fingerprint: string }>`
    select coalesce(md5(string_agg(id || extract(epoch from updated_at), ',' order by id)), '') || coalesce((
      select string_agg(id, ',' order by id) from event_trackers where workspace_id = ${workspaceId} and ready_at is not null), '') as fingerprint
    from segments where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]?.fingerprint ?? ''
}

export async function getSegment(db: Db, workspaceId: string, id: string): Promise<Segment> {
  const row = await db.selectFrom('segments').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return row ? toSegment(row) : failWith(404, 'segment not found')
}

/** when one segment has the id and another the name, the id wins. */
export async function findSegmentByIdOrName(db: Db, workspaceId: string, idOrName: string): Promise<Segment | undefined> {
  const row = await db
    .selectFrom('segments')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)]))
    .orderBy(sql`id <> ${idOrName}`)
    .limit(1)
    .executeTakeFirst()
  return row && toSegment(row)
}

export async function pageSegments(
  db: Db,
  workspaceId: string,
  { after, limit, search }: { after: string | undefined; limit: number; search: string | undefined },
): Promise<Paged<Segment>> {
  const all = db
    .selectFrom('segments')
    .where('workspace_id', '=', workspaceId)
    .$if(search !== undefined, (query) => query.where(holdsText(sql`name`, search ?? '')))
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const page = all
    .selectAll()
    .select(sql<number>`octet_length(rules::text)`.as('bytes'))
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  return pageFrom({ rows: rows.map(toSegment), isLast }, total, ({ id }) => id)
}

/** `instances`: the first of them, `instanceCount` in all; `segments`: those that exclude it; `campaigns`: those that are not over. */
export type UsedBy = {
  instances: { id: string; blockKey: string; title: string }[]
  instanceCount: number
  segments: { id: string; name: string }[]
  campaigns: { id: string; name: string }[]
  journeys: { id: string; name: string }[]
  /** One-off messages that are still leaving; absent: none. */
  messages?: { id: string; name: string }[]
  /** How many more there are that the role of whoever asks does not read. */
  hidden?: number
}

/** The segments that exclude each of these, by id, oldest first. */
export async function listExcluding(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, UsedBy['segments']>> {
  const { rows } = await sql<{ excluded: string; segments: UsedBy['segments'] }>`
    select x.id as excluded, jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.id) as segments
    from segments s, unnest(s.excluded) as x (id)
    where s.workspace_id = ${workspaceId} and x.id = any(${[...ids]}::text[]) group by x.id`.execute(db)
  return new Map(rows.map(({ excluded, segments }) => [excluded, segments]))
}

/** Names of the segments with these ids. */
export async function findNames(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('segments')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Inserts a segment. It is due at once, because its members are not computed yet. */
export async function insertSegment(db: Db, workspaceId: string, segment: Segment): Promise<void> {
  await db
    .insertInto('segments')
    .values({
      workspace_id: workspaceId,
      id: segment.id,
      ...contentColumns(segment),
      exact_as_of: null,
      ...dueNow(segment.updatedAt),
      created_at: segment.createdAt,
    })
    .execute()
}

/** It is due at once. The version that was read goes on by at least a millisecond, whatever the clock says. */
export async function updateSegment(db: Db, workspaceId: string, segment: Segment): Promise<void> {
  await db
    .updateTable('segments')
    .set({
      ...contentColumns(segment),
      updated_at: laterThan(segment.updatedAt),
      version: sql<number>`version + 1`,
      ...dueNow(segment.updatedAt),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', segment.id)
    .execute()
}

/** Its members belong to no segment from now on, and are due to be taken out. */
export async function deleteSegment(tx: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await tx.deleteFrom('segments').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
  await tx.insertInto('deleted_segments').values({ workspace_id: workspaceId, id, deleted_at: now, due_at: now }).execute()
}

/** Takes up to `most` people out; how many it were. */
export async function deleteMembers(db: Db, workspaceId: string, id: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from segment_members where workspace_id = ${workspaceId} and segment_id = ${id} and profile_id = any(array(
        select profile_id from segment_members where workspace_id = ${workspaceId} and segment_id = ${id} limit ${most})) returning 1)
    select count(*) as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

/** Names kept of a segment that is renamed again and again: an installation is looked at anew within a day, or gets nothing targeted. */
const FORMER_NAMES = 5

export async function addFormerName(tx: Db, workspaceId: string, id: string, name: string): Promise<void> {
  await tx
    .updateTable('segments')
    .set({
      former_names: sql<string[]>`(array_prepend(${name}::text, array_remove(former_names, ${name}::text)))[1:${sql.lit(FORMER_NAMES)}]`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Whether it was one of any segment. */
export async function dropFormerName(tx: Db, workspaceId: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('segments')
    .set({ former_names: sql<string[]>`array_remove(former_names, ${name})` })
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`${name} = any(former_names)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the segment from the exclusions of others; those that excluded it are due to be recomputed. */
export async function dropExclusionsOf(db: Db, workspaceId: string, id: string, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('segments')
    .set({
      excluded: sql<string[]>`array_remove(excluded, ${id})`,
      updated_at: laterThan(now),
      version: sql<number>`version + 1`,
      ...dueNow(now),
    })
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`${id} = any(excluded)`)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** A sandbox starts with the segments of its workspace, under the same ids, and with nobody in them (G-11). */
/** Rows only: see `copySegments`. */
export async function copyRows(db: Db, from: string, to: string, now: Date): Promise<void> {
  await sql`
    insert into segments (workspace_id, id, name, logical_operator, rules, excluded, update_frequency,
      exact_as_of, recompute_at, due_at, created_at, updated_at)
    select ${to}, id, name, logical_operator, rules, excluded, update_frequency,
      ${now}::timestamptz, recompute_at, recompute_at, ${now}::timestamptz, ${now}::timestamptz
    from segments where workspace_id = ${from}`.execute(db)
}

/** All members are to be worked out. */
function dueNow(now: Date) {
  return { recompute_at: now, due_at: now }
}

function laterThan(now: Date) {
  return sql<Date>`later_than(${now}, updated_at)`
}

function contentColumns(segment: Segment) {
  return {
    name: segment.name,
    logical_operator: segment.logicalOperator,
    rules: JSON.stringify(segment.rules),
    excluded: segment.excluded,
    update_frequency: segment.updateFrequency,
    updated_at: segment.updatedAt,
  }
}

function toSegment(row: Selectable<Segments>): Segment {
  return {
    id: row.id,
    name: row.name,
    logicalOperator: row.logical_operator,
    rules: row.rules as Rule[],
    excluded: row.excluded,
    updateFrequency: row.update_frequency,
    exactAsOf: row.exact_as_of,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

// --- when they are worked out ---

/** A segment as whoever works it out claims it. */
export type DueSegment = Pick<Selectable<Segments>, 'id' | 'attempts' | 'recompute_at' | 'settle_from'>
export type Lease = { workspaceId: string; token: string }

export async function markDue(db: Db, workspaceId: string, ids: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('segments')
    .set(dueNow(now))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
}

export async function markAllDue(db: Db, workspaceId: string, now: Date): Promise<void> {
  await db.updateTable('segments').set(dueNow(now)).where('workspace_id', '=', workspaceId).execute()
}

/** Those whose rules look at loaded values; a value of a rule that reads like such a field costs nothing but the work. */
export async function markEnrichedDue(db: Db, workspaceId: string, now: Date): Promise<void> {
  await db
    .updateTable('segments')
    .set(dueNow(now))
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`strpos(rules::text, '"enrichment.') > 0`)
    .execute()
}

/** The segments that exclude this one, but for those that are worked out anyway. */
export async function markExcludingDue(db: Db, workspaceId: string, id: string, but: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('segments')
    .set(dueNow(now))
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`${id} = any(excluded)`)
    .where(sql<boolean>`not id = any(${[...but]}::text[])`)
    .execute()
}

/** Whether one of these is due since that moment and still to be worked out; one whose working out failed does not count. */
export async function isAwaited(db: Db, workspaceId: string, ids: readonly string[], since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('segments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('recompute_at', '<=', since)
    .where(sql<boolean>`(lease is not null or attempts = 0)`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** `version`: the `updated_at` the membership was worked out for. What became due since stays due. */
export async function markExact(
  db: Db,
  { workspaceId, token }: Lease,
  segment: { id: string; version: Date },
  { exactAsOf, recomputeAt, settleFrom }: { exactAsOf: Date; recomputeAt: Date | null; settleFrom: Date },
): Promise<void> {
  await db
    .updateTable('segments')
    .set({
      exact_as_of: exactAsOf,
      settle_from: settleFrom,
      recompute_at: sql<Date>`case when due_at = lease_until then ${recomputeAt}::timestamptz else recompute_at end`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', segment.id)
    .where('lease', '=', token)
    .where('updated_at', '=', segment.version)
    .execute()
}

export async function markSettled(db: Db, { workspaceId, token }: Lease, id: string): Promise<void> {
  await db
    .updateTable('segments')
    .set({ settle_from: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('lease', '=', token)
    .execute()
}

/** Deletes the work that is due for a deleted segment, once nobody is in it. */
export async function forgetDeleted(db: Db, { workspaceId, token }: Lease, id: string): Promise<void> {
  await db.deleteFrom('deleted_segments').where('workspace_id', '=', workspaceId).where('id', '=', id).where('lease', '=', token).execute()
}

// --- members ---

const members = (db: Db, workspaceId: string, environment: Environment) =>
  db
    .selectFrom('segment_members')
    .innerJoinLateral(
      (db) =>
        db
          .selectFrom('profiles')
          .select(['user_id', 'device_id', 'environment', 'name', 'email', 'phone'])
          .where('profiles.workspace_id', '=', workspaceId)
          .whereRef('profiles.id', '=', 'segment_members.profile_id')
          .limit(1)
          .as('person'),
      (join) => join.onTrue(),
    )
    .where('segment_members.workspace_id', '=', workspaceId)
    .where('segment_members.is_member', '=', true)
    .where('person.environment', '=', environment)

export async function countMembers(
  db: Db,
  workspaceId: string,
  environment: Environment,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await members(db, workspaceId, environment)
    .where('segment_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .select(['segment_id', sql<number>`count(*)`.as('count')])
    .groupBy('segment_id')
    .execute()
  return new Map(rows.map(({ segment_id, count }) => [segment_id, count]))
}

type MemberRow = { profile_id: string } & Pick<ProfileRow, 'user_id' | 'device_id' | 'name' | 'email' | 'phone'>

/** One page of members, ordered by profile id, which is the cursor. */
export async function pageMembers(
  db: Db,
  workspaceId: string,
  environment: Environment,
  id: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<MemberRow>> {
  const total = (await countMembers(db, workspaceId, environment, [id])).get(id) ?? 0
  const rows = await members(db, workspaceId, environment)
    .where('segment_id', '=', id)
    .$if(after !== undefined, (query) => query.where('profile_id', '>', after ?? ''))
    .select(['profile_id', 'user_id', 'device_id', 'name', 'email', 'phone'])
    .orderBy('profile_id')
    .limit(limit + 1)
    .execute()
  return paged(rows, limit, total, (row) => row.profile_id)
}
