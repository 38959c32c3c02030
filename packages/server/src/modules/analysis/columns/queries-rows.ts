/** Rows that are there: made one for each day, rewritten without somebody, and deleted when they are old. */
import { sql } from 'kysely'
import type { ColumnsMeta } from '@contentflow/core/analysis/columns.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

export type StoredRow = {
  environment: Environment
  typeId: number
  day: string
  part: number
  chunk: number
  body: Buffer
  meta: ColumnsMeta
}
/** The rows of one type, day and part. */
export type RowGroup = Pick<StoredRow, 'environment' | 'typeId' | 'day' | 'part'>

const GROUP = sql`environment, type_id as "typeId", day::text as day, part`

/** Groups of days before `day` that have several rows. */
export async function listScattered(db: Db, workspaceId: string, day: string, limit: number): Promise<RowGroup[]> {
  const { rows } = await sql<RowGroup>`
    select ${GROUP} from event_columns where workspace_id = ${workspaceId} and day < ${day}::date
    group by environment, type_id, event_columns.day, part having count(*) > 1 limit ${limit}`.execute(db)
  return rows
}

export async function readGroup(tx: Db, workspaceId: string, { environment, typeId, day, part }: RowGroup): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select ${GROUP}, chunk, body, meta from event_columns where workspace_id = ${workspaceId} and environment = ${environment}
      and type_id = ${typeId} and day = ${day}::date and part = ${part} order by chunk`.execute(tx)
  return rows
}

/** The rows of a day in which these parts of the people are. */
export async function readParts(
  tx: Db,
  workspaceId: string,
  { environment, day, parts }: { environment: Environment; day: string; parts: readonly number[] },
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select ${GROUP}, chunk, body, meta from event_columns where workspace_id = ${workspaceId} and environment = ${environment}
      and day = ${day}::date and part = any(${[...parts]}::smallint[])`.execute(tx)
  return rows
}

export async function deleteRow(tx: Db, workspaceId: string, { environment, typeId, day, part, chunk }: Omit<StoredRow, 'body' | 'meta'>) {
  await sql`
    delete from event_columns where workspace_id = ${workspaceId} and environment = ${environment} and type_id = ${typeId}
      and day = ${day}::date and part = ${part} and chunk = ${chunk}::bigint`.execute(tx)
}

type NewContent = { people: number; events: number; body: Uint8Array; meta: ColumnsMeta }

export async function updateRow(
  tx: Db,
  workspaceId: string,
  { environment, typeId, day, part, chunk }: Omit<StoredRow, 'body' | 'meta'>,
  { people, events, body, meta }: NewContent,
): Promise<void> {
  await sql`
    update event_columns set people = ${people}, events = ${events}, body = ${Buffer.from(body)}, meta = ${JSON.stringify(meta)}::jsonb
    where workspace_id = ${workspaceId} and environment = ${environment} and type_id = ${typeId} and day = ${day}::date and part = ${part}
      and chunk = ${chunk}::bigint`.execute(tx)
}

/** The days (UTC) on which these people did something that was counted or is stored still, and those whose events are not added to their people yet. */
export async function listDaysOf(tx: Db, workspaceId: string, people: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text as day from person_days where workspace_id = ${workspaceId} and profile_id = any(${[...people]}::text[])
    union
    select (received_at at time zone 'UTC')::date::text from events where workspace_id = ${workspaceId}
      and (profile_id = any(${[...people]}::text[]) or profile_id = any(array(
        select profile_id from absorbed_profiles where workspace_id = ${workspaceId} and into_id = any(${[...people]}::text[]))))
    order by 1`.execute(tx)
  return rows.map(({ day }) => day)
}

/** The numbers that these people have. */
export async function listNumbers(
  tx: Db,
  workspaceId: string,
  people: readonly string[],
): Promise<{ environment: Environment; no: number }[]> {
  return tx
    .selectFrom('people_numbers')
    .select(['environment', 'no'])
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', sql<string>`any(${[...people]}::text[])`)
    .execute()
}

export async function deleteNumbers(tx: Db, workspaceId: string, people: readonly string[]): Promise<void> {
  await sql`delete from people_numbers where workspace_id = ${workspaceId} and profile_id = any(${[...people]}::text[])`.execute(tx)
}

/** Types of which nothing is kept any more, so that they leave room for others. The caller holds the lock of counting. */
export async function deleteIdleTypes(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    delete from column_types where workspace_id = ${workspaceId} and id not in (
      select type_id from event_columns where workspace_id = ${workspaceId})`.execute(tx)
}

/** Rows of days that are kept no longer; at most `limit`, and says how many. */
export async function deleteOld(
  db: Db,
  workspaceId: string,
  { now, most, limit }: { now: Date; most: number; limit: number },
): Promise<number> {
  const result = await sql`
    delete from event_columns where workspace_id = ${workspaceId} and (environment, type_id, day, part, chunk) in (
      select environment, type_id, day, part, chunk from event_columns where workspace_id = ${workspaceId}
        and day < (${now}::timestamptz at time zone 'UTC')::date - least(${most}::integer, (
          select event_retention_days from workspaces where id = ${workspaceId}))
      limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Days for which the workspace keeps events. */
export async function findKeptDays(db: Db, workspaceId: string): Promise<number> {
  const row = await db.selectFrom('workspaces').select('event_retention_days').where('id', '=', workspaceId).executeTakeFirstOrThrow()
  return row.event_retention_days
}
