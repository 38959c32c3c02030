/** The stored membership. A row is there for a member, and for whoever was added by hand; every statement writes only what differs. */
import { sql, type RawBuilder } from 'kysely'
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import type { Leaf } from '@contentflow/core/targeting/rule.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { textOfField, type Condition } from '../rules/queries-rules.ts'

/** People of a workspace: these, or those whose ids lie beyond `after` and, with `upTo`, at most there. */
export type People = { workspaceId: string; environment?: Environment } & (
  { ids: readonly string[] } | { after: string; upTo: string | undefined }
)

function isAmong(people: People, id: RawBuilder<unknown>): RawBuilder<unknown> {
  if ('ids' in people) return sql`${id} = any(${[...people.ids]}::text[])`
  return people.upTo === undefined ? sql`${id} > ${people.after}` : sql`${id} > ${people.after} and ${id} <= ${people.upTo}`
}

function whereOf(people: People): RawBuilder<unknown> {
  const environment = people.environment === undefined ? sql`` : sql`and p.environment = ${people.environment}`
  return sql`p.workspace_id = ${people.workspaceId} ${environment} and ${isAmong(people, sql`p.id`)}`
}

/** The id where a step of `size` people beyond `after` ends; undefined when fewer are left. */
export async function findStepEnd(db: Db, workspaceId: string, after: string, size: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from profiles where workspace_id = ${workspaceId} and id > ${after} order by id offset ${size - 1} limit 1`.execute(db)
  return rows[0]?.id
}

/** Both moments belong to it. */
export type Period = { since: Date; until: Date }

/** Ids of the people beyond `after` who changed in this time. */
export async function listChanged(db: Db, workspaceId: string, { since, until }: Period, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from profiles where workspace_id = ${workspaceId} and id > ${after} and updated_at between ${since} and ${until}
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What `people` have in the field of a leaf, as far as it is text. */
export async function listTexts(db: Db, leaf: Leaf, people: People, now: number): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select distinct text collate "C" as text from (
      select ${textOfField(leaf, now)} as text from profiles p where ${whereOf(people)}) found
    where text is not null`.execute(db)
  return rows.map(({ text }) => text)
}

export type Evaluated = {
  workspaceId: string
  segmentId: string
  /** `updated_at` of the segment the condition was made from; a segment that changed since is left to whoever changed it. */
  version: Date
  condition: Condition
  /** Ids of the segments whose members are out. */
  excluded: readonly string[]
}

/**
 * Works the membership of `people` out and writes what differs, in one statement that no other writer waits for
 * longer than for its own row. Statements about one segment come after each other; its row is locked by each.
 *
 * Of a workspace it has not seen before the planner expects a row or two, and would join by comparing every person
 * with every member: a full join cannot be done so, and what is to be written is found by key, from an array.
 *
 * Answers whose membership is another now, as far as they are at most `mostNamed` people; nobody of more.
 */
export async function recomputeStep(
  db: Db,
  { workspaceId, segmentId, version, condition, excluded }: Evaluated,
  people: People,
  now: Date,
  mostNamed: number,
): Promise<string[]> {
  const isOut = isMemberOf(workspaceId, excluded, sql`joined.id`)
  const ofSegment = sql`m.workspace_id = ${workspaceId} and m.segment_id = ${segmentId}`
  const turned = (which: RawBuilder<unknown>) => sql`m.profile_id = any(array(select id from judged where ${which}))`
  const { rows } = await sql<{ id: string }>`
    with guard as materialized (
      select id from segments where workspace_id = ${workspaceId} and id = ${segmentId} and updated_at = ${version} for no key update),
    judged as materialized (
      select * from (
        select joined.*, (holds or is_manual) and not ${isOut} as is_in from (
          select coalesce(matched.id, stored.profile_id) as id, matched.id is not null as holds, stored.profile_id is not null as is_stored,
            coalesce(stored.is_manual, false) as is_manual, coalesce(stored.is_member, false) as is_member
          from (select p.id from profiles p where exists (select from guard) and ${whereOf(people)} and ${condition}) matched
          full join (
            select m.profile_id, m.is_manual, m.is_member from segment_members m
            where exists (select from guard) and ${ofSegment} and ${isAmong(people, sql`m.profile_id`)}) stored on stored.profile_id = matched.id) joined) known
      where is_in <> is_member or not (is_in or is_manual)),
    removed as (
      delete from segment_members m where ${ofSegment} and not m.is_manual and ${turned(sql`is_stored and not is_in and not is_manual`)}),
    out as (
      update segment_members m set is_member = false, since = ${now} where ${ofSegment} and m.is_manual and m.is_member
        and ${turned(sql`is_member and not is_in and is_manual`)}),
    back as (
      update segment_members m set is_member = true, since = ${now} where ${ofSegment} and not m.is_member
        and ${turned(sql`is_stored and not is_member and is_in`)}),
    added as (
      insert into segment_members (workspace_id, segment_id, profile_id, is_manual, is_member, since)
      select ${workspaceId}, ${segmentId}, id, false, true, ${now}::timestamptz from judged where is_in and not is_stored order by id
      on conflict do nothing)
    select id from judged limit ${mostNamed + 1}`.execute(db)
  return rows.length > mostNamed ? [] : rows.map(({ id }) => id)
}

function isMemberOf(workspaceId: string, segmentIds: readonly string[], profileId: RawBuilder<unknown>): RawBuilder<unknown> {
  if (segmentIds.length === 0) return sql`false`
  return sql`(select count(*) from segment_members x where x.workspace_id = ${workspaceId} and x.segment_id = any(${[...segmentIds]}::text[])
    and x.profile_id = ${profileId} and x.is_member) > 0`
}

/** Of `people`, how many the condition would bring in and how many it would take out; who was added by hand stays. */
export async function countMoves(
  db: Db,
  { workspaceId, segmentId, condition, excluded }: Pick<Evaluated, 'workspaceId' | 'segmentId' | 'condition' | 'excluded'>,
  people: People,
): Promise<{ gaining: number; losing: number }> {
  const stored = (which: RawBuilder<unknown>) => sql`(select count(*) from segment_members m where m.workspace_id = ${workspaceId}
    and m.segment_id = ${segmentId} and m.profile_id = p.id and ${which}) > 0`
  const { rows } = await sql<{ gaining: number; losing: number }>`
    with judged as materialized (
      select (coalesce(${condition}, false) or ${stored(sql`m.is_manual`)}) and not ${isMemberOf(workspaceId, excluded, sql`p.id`)} as is_in,
        ${stored(sql`m.is_member`)} as is_member
      from profiles p where ${whereOf(people)})
    select count(*) filter (where is_in and not is_member) as gaining, count(*) filter (where is_member and not is_in) as losing
    from judged`.execute(db)
  return rows[0] ?? { gaining: 0, losing: 0 }
}

export type SampleRow = { id: string; user_id: string | null; device_id: string | null; name: string | null }

/** How many of `people` meet the condition and are in no excluded segment; the first of them as a sample. */
export async function countMatches(
  db: Db,
  { workspaceId, condition, excluded }: Pick<Evaluated, 'workspaceId' | 'condition' | 'excluded'>,
  people: People,
  sampleSize: number,
): Promise<{ count: number; sample: SampleRow[] }> {
  const { rows } = await sql<{ count: number; sample: SampleRow[] | null }>`
    with matched as materialized (
      select p.id, p.user_id, p.device_id, p.name from profiles p
      where ${whereOf(people)} and ${condition} and not ${isMemberOf(workspaceId, excluded, sql`p.id`)})
    select count(*) as count, (select jsonb_agg(jsonb_build_object('id', id, 'user_id', user_id, 'device_id', device_id, 'name', name)) from (
        select * from matched order by id limit ${sampleSize}) first) as sample
    from matched`.execute(db)
  return { count: rows[0]?.count ?? 0, sample: rows[0]?.sample ?? [] }
}

/** True when the workspace has more people than `limit`, both environments together. */
export async function hasMoreProfiles(db: Db, workspaceId: string, limit: number): Promise<boolean> {
  const { rows } = await sql`select 1 from profiles where workspace_id = ${workspaceId} offset ${limit} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Stores that the person is a member of exactly these segments, in one statement. Who was added by hand keeps the
 * row, so that they are in again as soon as no excluded segment keeps them out.
 */
export async function saveMembership(
  db: Db,
  workspaceId: string,
  profileId: string,
  memberIds: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const ids = sql`${[...memberIds]}::text[]`
  await sql`
    with removed as (
      delete from segment_members where workspace_id = ${workspaceId} and profile_id = ${profileId}
        and not is_manual and not segment_id = any(${ids})),
    changed as (
      update segment_members set is_member = segment_id = any(${ids}), since = ${now}
      where workspace_id = ${workspaceId} and profile_id = ${profileId}
        and is_member <> (segment_id = any(${ids})) and (is_manual or segment_id = any(${ids})))
    insert into segment_members (workspace_id, segment_id, profile_id, is_manual, is_member, since)
    select ${workspaceId}, id, ${profileId}, false, true, ${now}::timestamptz from segments where workspace_id = ${workspaceId} and id = any(${ids})
    on conflict do nothing`.execute(db)
}

export type Membership = { profile_id: string; segment_id: string; is_manual: boolean; is_member: boolean }

export async function listMemberships(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select profile_id, segment_id, is_manual, is_member from segment_members
    where workspace_id = ${workspaceId} and profile_id = any(${[...profileIds]}::text[])`.execute(db)
  return rows
}

type Pair = { profile: string; segment: string }

/** Takes people into segments and out of them. Whoever was added by hand keeps the row. */
export async function moveMembers(
  tx: Db,
  workspaceId: string,
  { added, removed }: { added: readonly Pair[]; removed: readonly Pair[] },
  now: Date,
): Promise<void> {
  if (removed.length > 0) {
    const pairs = sql`unnest(${removed.map(({ profile }) => profile)}::text[], ${removed.map(({ segment }) => segment)}::text[]) as t (profile, segment)`
    const ofPair = sql`m.workspace_id = ${workspaceId} and m.profile_id = t.profile and m.segment_id = t.segment`
    await sql`update segment_members m set is_member = false, since = ${now}::timestamptz from ${pairs} where ${ofPair} and m.is_manual`.execute(
      tx,
    )
    await sql`delete from segment_members m using ${pairs} where ${ofPair} and not m.is_manual`.execute(tx)
  }
  if (added.length === 0) return
  await sql`
    insert into segment_members as m (workspace_id, segment_id, profile_id, is_manual, is_member, since)
    select ${workspaceId}::text, t.segment, t.profile, false, true, ${now}::timestamptz
    from unnest(${added.map(({ profile }) => profile)}::text[], ${added.map(({ segment }) => segment)}::text[]) as t (profile, segment)
    join segments s on s.workspace_id = ${workspaceId} and s.id = t.segment order by t.profile, t.segment
    on conflict (workspace_id, segment_id, profile_id) do update set is_member = true, since = excluded.since`.execute(tx)
}

/** What these people did, of those who did anything that a rule asks about. */
export async function listStates(db: Db, people: People): Promise<{ id: string; state: Histories }[]> {
  const { rows } = await sql<{ id: string; state: Histories }>`
    select b.id, b.state from person_behaviour b join profiles p on p.workspace_id = ${people.workspaceId} and p.id = b.id
    where b.workspace_id = ${people.workspaceId} and ${whereOf(people)}`.execute(db)
  return rows
}

/** The segments that any of these people was added to by hand. */
export async function listManualSegments(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('segment_members')
    .select('segment_id')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', sql<string>`any(${[...profileIds]}::text[])`)
    .where('is_manual', '=', true)
    .execute()
  return rows.map((row) => row.segment_id)
}

/** Those who write many members of one segment come after each other. False when the segment is gone. */
export async function lockSegment(tx: Db, workspaceId: string, segmentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('segments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', segmentId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Those of these people who are still there; none of them can be erased until the transaction ends. */
export async function holdProfiles(tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

/** Adds these people, who must be held, by hand: how many rows that changed. */
export async function addByHand(tx: Db, workspaceId: string, segmentId: string, profileIds: readonly string[], now: Date): Promise<number> {
  // Whether an excluded segment keeps them out is worked out afterwards; until then they are no members.
  const { rows } = await sql`
    insert into segment_members (workspace_id, segment_id, profile_id, is_manual, is_member, since)
    select ${workspaceId}, ${segmentId}, id, true, false, ${now}::timestamptz from unnest(${[...profileIds]}::text[]) as id
    on conflict (workspace_id, segment_id, profile_id) do update set is_manual = true where not segment_members.is_manual
    returning 1`.execute(tx)
  return rows.length
}

/** Takes these people out altogether: how many rows that changed. */
export async function takeOut(tx: Db, workspaceId: string, segmentId: string, profileIds: readonly string[]): Promise<number> {
  const { rows } = await sql`
    delete from segment_members where workspace_id = ${workspaceId} and segment_id = ${segmentId}
      and profile_id = any(${[...profileIds]}::text[]) returning 1`.execute(tx)
  return rows.length
}

/** Profile of each of these people: by user id, else by the id of an anonymous device (G-45). */
export async function findProfileIds(
  db: Db,
  workspaceId: string,
  environment: Environment,
  people: readonly string[],
): Promise<Map<string, string>> {
  const ids = sql`${[...people]}::text[]`
  const { rows } = await sql<{ person: string; id: string }>`
    select coalesce(user_id, device_id) as person, id from profiles
    where workspace_id = ${workspaceId} and environment = ${environment} and (user_id = any(${ids}) or device_id = any(${ids}))
    order by user_id is not null`.execute(db)
  // Later entries win, and known users come last.
  return new Map(rows.map(({ person, id }) => [person, id]))
}
