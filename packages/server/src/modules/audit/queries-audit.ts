import { sql, type RawBuilder } from 'kysely'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'

/** An entry as it is stored: its text, and what binds it. */
export type StoredEntry = { seq: number; entry: string; prev: Buffer; hash: Buffer }
/** What entries are searched by; what is undefined does not matter. */
export type Search = {
  from?: Date | undefined
  to?: Date | undefined
  actor?: string | undefined
  action?: string | undefined
  objectKind?: string | undefined
  objectId?: string | undefined
  outcome?: string | undefined
  text?: string | undefined
}

/** Newest first. `before`: the number of the entry at which the page before ended. */
export async function pageEntries(
  db: Db,
  workspaceId: string,
  search: Search,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Paged<StoredEntry>> {
  const matching = sql.join(conditionsOf(search), sql` `)
  const { rows } = await sql<StoredEntry>`
    select seq, entry, prev, hash from audit_entries where workspace_id = ${workspaceId} ${matching}
      ${before === undefined ? sql`` : sql`and seq < ${Number(before)}`}
    order by seq desc limit ${limit + 1}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from (
      select from audit_entries where workspace_id = ${workspaceId} ${matching} limit ${MOST_COUNTED}) found`.execute(db)
  return paged(rows, limit, counted[0]?.total ?? 0, ({ seq }) => String(seq))
}

/** Beyond that a search says only that there are more. */
export const MOST_COUNTED = 10_000

function conditionsOf(search: Search): RawBuilder<unknown>[] {
  const { from, to, actor, action, objectKind, objectId, outcome, text } = search
  const conditions = [
    from && sql`and at >= ${from.toISOString()}`,
    to && sql`and at <= ${to.toISOString()}`,
    actor !== undefined && sql`and actor_id = ${actor}`,
    action !== undefined && sql`and action = ${action}`,
    objectKind !== undefined && sql`and object_kind = ${objectKind}`,
    objectId !== undefined && sql`and object_id = ${objectId}`,
    outcome !== undefined && sql`and outcome = ${outcome}`,
    text !== undefined && sql`and strpos(lower(entry), lower(${text})) > 0`,
  ]
  return conditions.filter((condition) => typeof condition === 'object')
}

export async function getEntry(db: Db, workspaceId: string, seq: number): Promise<StoredEntry> {
  const [found] = await listEntries(db, workspaceId, { after: seq - 1, upTo: seq, limit: 1 })
  return found ?? failWith(404, 'entry not found')
}

/** In their order. */
export async function listEntries(
  db: Db,
  workspaceId: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select seq, entry, prev, hash from audit_entries
    where workspace_id = ${workspaceId} and seq > ${after} and seq <= ${upTo} order by seq limit ${limit}`.execute(db)
  return rows
}

/** Names of accounts, for entries that hold only their ids. */
export async function listAccountNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Names of keys, of one workspace. */
export async function listKeyNames(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('keys').select(['id', 'name']).where('workspace_id', '=', workspaceId).where('id', 'in', ids).execute()
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}

/** The workspaces in which an account is a member. */
export async function listWorkspacesOf(db: Db, accountId: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('workspace_id')
    .where('account_id', '=', accountId)
    .orderBy('workspace_id')
    .limit(most)
    .execute()
  return rows.map((row) => row.workspace_id)
}
