import { sql, type Selectable } from 'kysely'
import type { Paged } from '@contentflow/core/paging.ts'
import { hasCitus, isShared } from '../../db/distribute.ts'
import type { Db } from '../../db/open.ts'
import type { WorkspaceEndings } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import { dueTable } from '../../infra/due/queries-due.ts'

export type Ending = Selectable<WorkspaceEndings>
const TABLE = 'workspace_endings'

export function endingsTable(db: Db) {
  return dueTable<Ending>(db, TABLE)
}

type NewEnding = { workspaceId: string; name: string; sandboxId: string | null; askedBy: string; askedAt: Date; endsAt: Date }

export async function insertEnding(tx: Db, { workspaceId, name, sandboxId, askedBy, askedAt, endsAt }: NewEnding): Promise<void> {
  await tx
    .insertInto('workspace_endings')
    .values({
      workspace_id: workspaceId,
      id: workspaceId,
      name,
      sandbox_id: sandboxId,
      asked_by: askedBy,
      asked_at: askedAt,
      ends_at: endsAt,
      due_at: endsAt,
    })
    .execute()
}

/** Held until the transaction ends. */
export async function lockEnding(tx: Db, workspaceId: string): Promise<Ending | undefined> {
  return tx
    .selectFrom('workspace_endings')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function deleteEnding(tx: Db, workspaceId: string): Promise<void> {
  await tx.deleteFrom('workspace_endings').where('workspace_id', '=', workspaceId).where('id', '=', workspaceId).execute()
}

export async function noteBegun(tx: Db, workspaceId: string, now: Date): Promise<void> {
  await tx
    .updateTable('workspace_endings')
    .set({ began_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', workspaceId)
    .execute()
}

/** Adds to what the receipt counts. */
export async function addDeleted(tx: Db, workspaceId: string, { rows = 0, files = 0 }: { rows?: number; files?: number }): Promise<void> {
  await tx
    .updateTable('workspace_endings')
    .set({ deleted_rows: sql`deleted_rows + ${rows}::bigint`, deleted_files: sql`deleted_files + ${files}::integer` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', workspaceId)
    .execute()
}

export async function noteFinished(tx: Db, workspaceId: string, now: Date): Promise<void> {
  await tx
    .updateTable('workspace_endings')
    .set({ finished_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', workspaceId)
    .execute()
}

/** All workspaces that end or did, of the whole installation, newest first. */
export async function pageEndings(db: Db, { before, limit }: { before: string | undefined; limit: number }): Promise<Paged<Ending>> {
  const [time, id] = before === undefined ? [] : (JSON.parse(before) as [string, string])
  const { rows } = await sql<Ending>`
    select * from workspace_endings where ${time === undefined ? sql`true` : sql`(asked_at, id) < (${time}::timestamptz, ${id ?? ''})`}
    order by asked_at desc, id desc limit ${limit + 1}`.execute(db)
  const total = await sql<{ n: number }>`select count(*)::integer as n from workspace_endings`.execute(db)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? JSON.stringify([last.asked_at, last.id]) : null, total: total.rows[0]?.n ?? 0 }
}

export async function getEnding(db: Db, workspaceId: string): Promise<Ending> {
  const row = await db.selectFrom('workspace_endings').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()
  return row ?? failWith(404, 'there is no such ending')
}

/** The workspace whose sandbox this is. */
export async function findParent(db: Db, workspaceId: string): Promise<string | undefined> {
  return (await db.selectFrom('workspaces').select('id').where('sandbox_id', '=', workspaceId).executeTakeFirst())?.id
}

/**
 * Every table with rows of workspaces but the receipts, whose rows others refer to last. Read from the database itself, so that no
 * table is forgotten.
 */
export async function listTablesInOrder(db: Db): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> ${TABLE}
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped)
    order by relname`.execute(db)
  const references = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and conparentid = 0 and conrelid <> confrelid`.execute(db)
  return inOrder(
    tables.rows.map(({ name }) => name),
    references.rows,
  )
}

/** Of tables that refer to each other in a circle any comes first: deleting their rows takes, or frees, those of the others. */
function inOrder(tables: readonly string[], references: readonly { from: string; to: string }[]): string[] {
  const left = new Set(tables)
  const ordered: string[] = []
  while (left.size > 0) {
    const isFree = (table: string) => !references.some(({ from, to }) => to === table && left.has(from))
    const next = [...left].find(isFree) ?? [...left][0]!
    left.delete(next)
    ordered.push(next)
  }
  return ordered
}

/**
 * Deletes up to `most` rows of a workspace, and says how many. Rows are named by where they lie: a row of another part of a
 * divided table may lie at the same place, and is of this workspace all the same.
 */
export async function deleteSome(tx: Db, table: string, workspaceId: string, most: number): Promise<number> {
  const some = isShared(table)
    ? // Each machine has these tables whole, and their rows at places of its own.
      sql`true`
    : sql`ctid = any(array(select ctid from ${sql.table(table)} where workspace_id = ${workspaceId} limit ${most}))`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId} and ${some}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Says, until the transaction ends, which workspace is deleted: only then the ledger of consents gives its rows up. */
export async function nameEnding(tx: Db, workspaceId: string): Promise<void> {
  if (!/^[a-z0-9]+$/.test(workspaceId)) throw new Error('this is no id of a workspace')
  // On a cluster the machines that hold the rows are told too.
  if (await hasCitus(tx)) await sql`set local citus.propagate_set_commands = 'local'`.execute(tx)
  await sql`set local contentflow.ending = ${sql.lit(workspaceId)}`.execute(tx)
}

/** The last of a workspace: its own row. */
export async function deleteWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await tx.updateTable('workspaces').set({ sandbox_id: null }).where('sandbox_id', '=', workspaceId).execute()
  await tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
}
