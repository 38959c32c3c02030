/** Reads everything of one person, a page at a time: each statement is of one table and at most a page. */
import { sql, type RawBuilder } from 'kysely'
import { DAY_MS } from '@contentflow/core/units.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Selectable } from 'kysely'
import type { Db } from '../../../db/open.ts'
import { readPage } from '../../../db/pages.ts'
import type { PersonExports } from '../../../db/schema.ts'
import { failWith } from '../../../errors.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import type { ExportPart, Owner } from './export-parts.ts'

export type Row = Record<string, unknown>
/** One page, and where the next one goes on; undefined after the last. */
export type RowPage = { rows: Row[]; next: string[] | undefined }

/** Whose rows are read: for each way of naming people, the names that this one has. */
export type ExportTarget = { workspaceId: string; environment: Environment; names: Record<Owner, readonly string[]> }

const ROWS_AT_ONCE = 1_000
const EVENTS_AT_ONCE = 5_000

/** `cursor`: the texts of the key of the last row before; a text, because a time of JavaScript has no microseconds. */
type Found = Row & { bytes: number; cursor: string[] }

/** The next rows of a part, in the order of its key. */
export async function readPart(db: Db, part: ExportPart, target: ExportTarget, after: readonly string[] | undefined): Promise<RowPage> {
  const { table, column, of, key, environment, load, names = [] } = part
  const { workspaceId } = target
  const keys = sql.join(key.map((each) => sql.ref(`t.${each}`)))
  const named = names.map(
    ({ as, table: other, column: id, member = 'name' }) =>
      sql`, (select o.${sql.ref(member)} from ${sql.table(other)} o where o.workspace_id = ${workspaceId} and o.id = t.${sql.ref(id)}) as ${sql.ref(as)}`,
  )
  const isOfLoad =
    load &&
    sql`and t.${sql.ref(load.column)} = any(array(select id from ${sql.table(load.table)}
      where workspace_id = ${workspaceId} and environment = ${target.environment}))`
  // What is said of each row is worked out for those of the page alone.
  const page = sql<Found>`
    select t.* ${sql.join(named, sql``)}, array[${sql.join(key.map((each) => sql`t.${sql.ref(each)}::text`))}] as cursor,
      octet_length(t::text) as bytes
    from (select * from ${sql.table(table)} t
      where t.workspace_id = ${workspaceId} and t.${sql.ref(column)} = any(${[...target.names[of]]}::text[])
        ${environment === 'column' ? sql`and t.environment = ${target.environment}` : sql``} ${isOfLoad ?? sql``}
        ${after ? sql`and (${keys}) > (${sql.join(after)})` : sql``}
      order by ${keys} limit ${ROWS_AT_ONCE + 1}) t
    order by ${keys}`
  return readRows(db, page)
}

/** The next events of a day (UTC) that the person caused, also while they were somebody anonymous. */
export async function readEvents(
  db: Db,
  { workspaceId, environment }: ExportTarget,
  profileIds: readonly string[],
  { day, after }: { day: Date; after: readonly string[] | undefined },
): Promise<RowPage> {
  const until = new Date(day.getTime() + DAY_MS)
  const [at, place] = after ?? []
  // The first condition is for the planner, which looks into one day by it. That day's events of the person are sorted for each
  // page, so a page is long.
  const page = sql<Found>`
    select t.*, array[t.received_at::text, t.tid::text] as cursor, octet_length(t::text) as bytes
    from (select *, ctid as tid from events
      where workspace_id = ${workspaceId} and environment = ${environment} and profile_id = any(${[...profileIds]}::text[])
        and received_at >= ${day} and received_at < ${until}
        ${at === undefined ? sql`` : sql`and (received_at, ctid) > (${at}::timestamptz, ${place}::tid)`}
      order by received_at, ctid limit ${EVENTS_AT_ONCE + 1}) t
    order by t.received_at, t.tid`
  return readRows(db, page, EVENTS_AT_ONCE)
}

/** What uploads say was wrong about the person; at most a few each. */
export async function readLoadingErrors(db: Db, { workspaceId, environment, names }: ExportTarget): Promise<RowPage> {
  const [userId] = names.user
  if (userId === undefined) return { rows: [], next: undefined }
  const { rows } = await sql<Row>`
    select u.id as upload_id, u.created_at, e.value as error from uploads u cross join lateral jsonb_array_elements(u.errors) e
    where u.workspace_id = ${workspaceId} and u.environment = ${environment} and e.value ->> 'userId' = ${userId}
      and u.errors @> jsonb_build_array(jsonb_build_object('userId', ${userId}::text))
    order by u.id limit ${ROWS_AT_ONCE}`.execute(db)
  return { rows, next: undefined }
}

async function readRows(db: Db, page: RawBuilder<Found>, limit = ROWS_AT_ONCE): Promise<RowPage> {
  const { rows, isLast } = await readPage(db, page, limit)
  return { rows: rows.map(({ cursor: _cursor, bytes: _bytes, tid: _tid, ...row }) => row), next: isLast ? undefined : rows.at(-1)?.cursor }
}

/** The anonymous people that this one was before. */
export async function listFormerIds(db: Db, workspaceId: string, profileId: string): Promise<string[]> {
  const absorbed = db.selectFrom('absorbed_profiles').select('profile_id').where('workspace_id', '=', workspaceId)
  return (await absorbed.where('into_id', '=', profileId).execute()).map(({ profile_id: id }) => id)
}

// --- receipts ---

export type ExportedPart = { part: string; rows: number }
export type ExportRow = Omit<Selectable<PersonExports>, 'parts'> & { parts: ExportedPart[] }

const toExport = (row: Selectable<PersonExports>): ExportRow => ({ ...row, parts: row.parts as ExportedPart[] })

export async function insertExport(db: Db, row: Omit<ExportRow, 'finished_at' | 'parts' | 'sha256'>): Promise<void> {
  await db.insertInto('person_exports').values(row).execute()
}

export async function finishExport(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  { parts, sha256, at }: { parts: readonly ExportedPart[]; sha256: string; at: Date },
): Promise<void> {
  await db
    .updateTable('person_exports')
    .set({ parts: JSON.stringify(parts), sha256, finished_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** 404 for what is none of the workspace's. */
export async function getExport(db: Db, workspaceId: string, id: string): Promise<ExportRow> {
  const row = await db
    .selectFrom('person_exports')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? toExport(row) : failWith(404, 'export not found')
}

/** Newest first, from `before` on; of one person, or of everybody. */
export async function pageExports(
  db: Db,
  workspaceId: string,
  { subject, before, limit }: { subject: string | undefined; before: string | undefined; limit: number },
): Promise<Paged<ExportRow>> {
  const all = db
    .selectFrom('person_exports')
    .where('workspace_id', '=', workspaceId)
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject ?? ''))
  const rows = await all
    .selectAll()
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await all.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return paged(rows.map(toExport), limit, total, ({ id }) => id)
}
