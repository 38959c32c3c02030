/**
 * The statements of work that is due, for a table with the columns workspace_id, id, due_at, lease, lease_until and
 * attempts. Only `listWorkspaces` looks over all workspaces.
 *
 * A claimed row is due when its lease ends. What makes it due while it is worked on sets `due_at` and leaves the lease
 * alone: then it differs from `lease_until`, and whoever finishes the row leaves it due.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/open.ts'

/** `until`: when the lease ends; `dueBy`: rows that are due by then are taken. */
type Claim = { workspaceId: string; token: string; now: Date; dueBy: Date; until: Date; limit: number }
/** What is held under one claim. */
export type LeasedRows<Row> = { workspaceId: string; token: string; rows: readonly Row[] }

export type Waiting = { rows: number; oldest: Date | null }
/** Rows of a backlog that are counted. */
export const BACKLOG = 10_000

/** The table that holds the rows of one kind, and how rows are claimed. */
export type DueRows<Row> = {
  /** What could be claimed now, of all workspaces, up to 10,000 rows; `oldest`: since when the longest of it is due. */
  countWaiting(now: Date, except: readonly string[]): Promise<Waiting>
  /** Longest waiting first, without these. */
  listWorkspaces(dueBy: Date, now: Date, limit: number, except: readonly string[]): Promise<string[]>
  /** Longest due first, and of one moment in the order in which they were made. */
  claim(claim: Claim): Promise<Row[]>
  /** False when nothing is held any more. */
  renew(held: LeasedRows<Row>, until: Date): Promise<boolean>
  /** Rows that are still held are due at once, for any process. */
  handBack(held: LeasedRows<Row>, now: Date): Promise<void>
}
export type DueRow = { id: string; attempts: number }
/** `dueAt`: when it is due next; null: not by itself. */
type WorkOutcome = { dueAt: Date | null; isDone: boolean }
export type DueTable<Row extends DueRow> = DueRows<Row> & {
  /** False when the lease was lost: then nothing is written. */
  finish(held: Pick<LeasedRows<Row>, 'workspaceId' | 'token'>, row: Row, outcome: WorkOutcome): Promise<boolean>
}

/** Most often there are none, and the statement stays as short as it was. */
function isNoneOf(workspaceIds: readonly string[]): RawBuilder<unknown> {
  return workspaceIds.length === 0 ? sql`true` : sql`workspace_id <> all(${[...workspaceIds]}::text[])`
}

/** Of a statement that reads `workspaces`: whether nothing of it is sent or changed, because it is suspended or ends, or whose sandbox it is (G-93). */
export const IS_RESTING = sql<boolean>`(workspaces.suspended or workspaces.ends_at is not null or exists (
  select from workspaces as parent where parent.sandbox_id = workspaces.id and (parent.suspended or parent.ends_at is not null)))`

/** The suspended workspaces of the whole installation. */
export async function listResting(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('workspaces').select('id').where(IS_RESTING).execute()
  return rows.map(({ id }) => id)
}

export async function isResting(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db.selectFrom('workspaces').select('id').where('id', '=', workspaceId).where(IS_RESTING).executeTakeFirst()
  return row !== undefined
}

/** `of`: which rows of the table are of this kind. */
export function dueTable<Row extends DueRow>(db: Db, name: string, of: RawBuilder<unknown> = sql`true`): DueTable<Row> {
  const table = sql.table(name)
  const held = ({ workspaceId, token, rows }: LeasedRows<Row>) =>
    sql`workspace_id = ${workspaceId} and id = any(${rows.map(({ id }) => id)}) and lease = ${token}::uuid`
  /** Unless it became due again meanwhile. */
  const unlessDue = (next: Date | null) => sql`case when due_at = lease_until then ${next}::timestamptz else due_at end`
  return {
    listWorkspaces: async (dueBy, now, limit, except) => {
      const { rows } = await sql<{ id: string }>`
        select workspace_id as id from ${table} where due_at <= ${dueBy} and (lease_until is null or lease_until <= ${now}) and ${of}
          and ${isNoneOf(except)}
        group by workspace_id order by min(due_at) limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    countWaiting: async (now, except) => {
      const { rows } = await sql<Waiting>`
        select count(*)::integer as rows, min(due_at) as oldest from (
          select due_at from ${table} where due_at <= ${now} and (lease_until is null or lease_until <= ${now}) and ${of}
            and ${isNoneOf(except)}
          order by due_at limit ${BACKLOG}) as waiting`.execute(db)
      return rows[0]!
    },
    claim: async ({ workspaceId, token, now, dueBy, until, limit }) => {
      // Each is what it is after the update, in the order in which they were due: an update returns them in any.
      const { rows } = await sql<Row>`
        with next as materialized (
          select id, due_at from ${table}
          where workspace_id = ${workspaceId} and due_at <= ${dueBy} and (lease_until is null or lease_until <= ${now}) and ${of}
          order by due_at, id limit ${limit} for no key update skip locked),
        taken as (
          update ${table} set lease = ${token}, lease_until = ${until}, due_at = ${until}, attempts = attempts + 1
          where workspace_id = ${workspaceId} and id = any(array(select id from next))
          returning *)
        select taken.* from taken join next using (id) order by next.due_at, next.id`.execute(db)
      return rows
    },
    renew: async (batch, until) => {
      const result = await sql`
        update ${table} set due_at = ${unlessDue(until)}, lease_until = ${until} where ${held(batch)}`.execute(db)
      return Number(result.numAffectedRows) > 0
    },
    handBack: async (batch, now) => {
      await sql`
        update ${table} set due_at = ${unlessDue(now)}, lease = null, lease_until = null, attempts = attempts - 1
        where ${held(batch)}`.execute(db)
    },
    finish: async ({ workspaceId, token }, row, { dueAt, isDone }) => {
      const result = await sql`
        update ${table} set due_at = ${unlessDue(dueAt)}, lease = null, lease_until = null, attempts = ${isDone ? 0 : row.attempts}
        where ${held({ workspaceId, token, rows: [row] })}`.execute(db)
      return Number(result.numAffectedRows) > 0
    },
  }
}
