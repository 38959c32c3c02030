/** The rows of staged imports: taken in by chunks, matched and written in steps, always in the order of their numbers. */
import { sql, type RawBuilder } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { IdentityType } from '@contentflow/core/imports/mapping.ts'
import type { Db } from '../../db/open.ts'
import type { IdArray } from '../people/index.ts'
import type { Found, Import } from './queries-imports.ts'
import type { ValueLoad } from './queries-values.ts'

export type StagedRow = { row: number; identity: string | null; mask: string; values: JsonObject; fault: string | null }

/** A row that is there already stays as it is (M-ENR-31); numbers of those that are new. They go as one text: of each alone the pieces are more than the row. */
export async function insertRows(tx: Db, workspaceId: string, importId: string, rows: readonly StagedRow[]): Promise<Set<number>> {
  const found = await sql<{ count: number; some: number[] | null }>`
    with added as (
      insert into import_rows (workspace_id, import_id, row, identity, mask, values, fault)
      select ${workspaceId}, ${importId}, row, identity, mask, values, fault
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as item (row integer, identity text, mask text, values jsonb, fault text)
      on conflict do nothing returning row)
    select case when count(*) < ${rows.length} then array_agg(row) end as some, count(*) as count from added`.execute(tx)
  const { count, some } = found.rows[0]!
  return new Set(count === rows.length ? rows.map(({ row }) => row) : some)
}

/** Rows of one import behind `after`, up to `upTo`. */
export type RowSpan = { workspaceId: string; importId: string; after: number; upTo: number }

/** The number of the last of the next `count` rows; undefined when there are none. */
export async function findSpanEnd(
  db: Db,
  workspaceId: string,
  importId: string,
  after: number,
  count: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select max(row) as last from (
      select row from import_rows where workspace_id = ${workspaceId} and import_id = ${importId} and row > ${after} order by row limit ${count}) next`.execute(
    db,
  )
  return rows[0]?.last ?? undefined
}

function whereInSpan({ workspaceId, importId, after, upTo }: RowSpan): RawBuilder<unknown> {
  return sql`r.workspace_id = ${workspaceId} and r.import_id = ${importId} and r.row > ${after} and r.row <= ${upTo}`
}

/** How a row names somebody, beside the person `p`. */
const NAMED: Record<IdentityType, RawBuilder<unknown>> = {
  userId: sql`p.user_id = r.identity`,
  email: sql`p.email_hash = r.identity`,
  email_sha256: sql`p.email_hash = r.identity`,
  phone: sql`p.phone_hash = r.identity`,
  phone_sha256: sql`p.phone_hash = r.identity`,
}

/**
 * Judges rows beside the others of the file, of which the last counts, and beside the people of their environment. Each
 * row asks for itself: of a join, a planner that has not counted the rows of a new file makes a comparison of each with each.
 * Both columns stand in the order of the table: Citus 13 puts their names into it, but not what they are set to.
 */
export async function matchRows(tx: Db, { environment, mapping }: Import, span: RowSpan): Promise<void> {
  const { workspaceId, importId } = span
  await sql`
    update import_rows r set (verdict, profile_id) = (
      select case when is_repeated then 'duplicate_identity' when cardinality(people) > 1 then 'ambiguous_identity'
          when cardinality(people) = 1 then 'matched' else 'unmatched' end,
        case when cardinality(people) = 1 and not is_repeated then people[1] end
      from (
        select
          (select count(*) from (
            select from import_rows later where later.workspace_id = ${workspaceId} and later.import_id = ${importId}
              and later.identity = r.identity and later.row > r.row and later.fault is null limit 1) one) > 0 as is_repeated,
          array(
            select p.id from profiles p
            where p.workspace_id = ${workspaceId} and p.environment = ${environment} and ${NAMED[mapping.identity.type]} limit 2) as people
        offset 0) judged)
    where ${whereInSpan(span)} and r.fault is null`.execute(tx)
}

export async function countVerdicts(db: Db, workspaceId: string, importId: string): Promise<Found> {
  const { rows } = await sql<{ verdict: keyof Found; count: number }>`
    select verdict, count(*) as count from import_rows
    where workspace_id = ${workspaceId} and import_id = ${importId} and verdict is not null and fault is null group by verdict`.execute(db)
  const counts = new Map(rows.map(({ verdict, count }) => [verdict, count]))
  const of = (verdict: keyof Found) => counts.get(verdict) ?? 0
  return {
    matched: of('matched'),
    unmatched: of('unmatched'),
    duplicate_identity: of('duplicate_identity'),
    ambiguous_identity: of('ambiguous_identity'),
  }
}

/** User ids of the span that name nobody. */
export async function listUnmatched(db: Db, span: RowSpan): Promise<string[]> {
  const { rows } = await sql<{ identity: string }>`
    select r.identity from import_rows r where ${whereInSpan(span)} and r.verdict = 'unmatched' and r.identity is not null`.execute(db)
  return rows.map(({ identity }) => identity)
}

/** Rows that name one of these users, by their user id, are theirs. Looked up in an object, which no planner makes a join of. */
export async function assignRows(tx: Db, span: RowSpan, users: ReadonlyMap<string, string>): Promise<void> {
  const ids = sql`${JSON.stringify(Object.fromEntries(users))}::jsonb`
  await sql`
    update import_rows r set profile_id = ${ids} ->> r.identity
    where ${whereInSpan(span)} and r.verdict = 'unmatched' and ${ids} ? r.identity`.execute(tx)
}

/** Somebody who was anonymous when the row was matched may have signed in since: then it is about whom they became. */
const person = (workspaceId: string) =>
  sql`coalesce((select a.into_id from absorbed_profiles a where a.workspace_id = ${workspaceId} and a.profile_id = r.profile_id limit 1), r.profile_id)`

/** The people that the rows of the span are about. */
export async function listPeopleOf(db: Db, span: RowSpan): Promise<IdArray> {
  const { rows } = await sql<{ ids: IdArray }>`
    select coalesce(array_agg(distinct ${person(span.workspaceId)}), '{}')::text as ids
    from import_rows r where ${whereInSpan(span)} and r.profile_id is not null`.execute(db)
  return rows[0]!.ids
}

/** What the rows of the span say of these people, who are held, becomes theirs; of how many, how many values, and how many rows name nobody. */
export async function saveRows(
  tx: Db,
  span: RowSpan,
  { uploadId, source, loadedAt, expiresAt }: Omit<ValueLoad, 'workspaceId'>,
  people: IdArray,
): Promise<{ written: number; values: number; notFound: number }> {
  const { rows } = await sql<{ written: number; values: number; notFound: number }>`
    with said as materialized (
      select distinct on (id) id, values from (
        select ${person(span.workspaceId)} as id, r.values, r.row from import_rows r where ${whereInSpan(span)} and r.profile_id is not null) named
      where id = any(${people}::text[]) order by id, row desc),
    saved as (
      insert into enrichment_values (workspace_id, profile_id, upload_id, source, values, loaded_at, expires_at)
      select ${span.workspaceId}, id, ${uploadId}, ${source}, values, ${loadedAt}::timestamptz, ${expiresAt}::timestamptz from said
      on conflict (workspace_id, profile_id, upload_id) do update set values = enrichment_values.values || excluded.values)
    select (select count(*) from said) as written, (select count(*) from said, jsonb_object_keys(said.values)) as values,
      (select count(*) from import_rows r where ${whereInSpan(span)} and r.verdict = 'unmatched' and r.profile_id is null) as "notFound"`.execute(
    tx,
  )
  return rows[0]!
}

export type SampleRow = { row: number; mask: string; values: JsonObject; reason: string | null; verdict: string | null }

/** In the order of the file. `isRejected`: only those that count for nothing. */
export async function listRows(
  db: Db,
  workspaceId: string,
  importId: string,
  { after, limit, isRejected }: { after: number; limit: number; isRejected: boolean },
): Promise<SampleRow[]> {
  const { rows } = await sql<SampleRow>`
    select row, mask, values, verdict,
      coalesce(fault, case when verdict in ('duplicate_identity', 'ambiguous_identity') then verdict end) as reason
    from import_rows where workspace_id = ${workspaceId} and import_id = ${importId} and row > ${after}
      ${isRejected ? sql`and (fault is not null or verdict in ('duplicate_identity', 'ambiguous_identity'))` : sql``}
    order by row limit ${limit}`.execute(db)
  return rows
}

/** The first of what is left; how many went. */
export async function deleteRows(tx: Db, workspaceId: string, importId: string, count: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from import_rows where workspace_id = ${workspaceId} and import_id = ${importId} and row = any(array(
        select row from import_rows where workspace_id = ${workspaceId} and import_id = ${importId} order by row limit ${count})) returning 1)
    select count(*) as count from gone`.execute(tx)
  return rows[0]?.count ?? 0
}
