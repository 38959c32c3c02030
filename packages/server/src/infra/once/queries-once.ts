/** Keys of requests that are done once. Only `listWorkspacesWithOldKeys` looks over all workspaces. */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Whose key it is, and which. */
export type KeyPlace = { workspaceId: string; caller: string; keyHash: string }
/** What the first request with a key says of itself. */
type FirstUse = { route: string; requestHash: string; rights: readonly string[]; token: string; leaseUntil: Date; expiresAt: Date }

/** Keeps a key, unless it is there or the workspace has `most` of them. True when it is kept. */
export async function insertKey(db: Db, place: KeyPlace, use: FirstUse, { now, most }: { now: Date; most: number }): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (workspace_id, caller, key_hash, route, request_hash, rights, token, lease_until, expires_at)
    select ${place.workspaceId}, ${place.caller}, ${place.keyHash}, ${use.route}, ${use.requestHash}, ${[...use.rights]}::text[],
      ${use.token}::uuid, ${use.leaseUntil}::timestamptz, ${use.expiresAt}::timestamptz
    where (select count(*) from (select from idempotency_keys
      where workspace_id = ${place.workspaceId} and expires_at > ${now} limit ${most}) as kept) < ${most}
    on conflict do nothing returning token`.execute(db)
  return rows.length > 0
}

/** How many keys a workspace has, counted up to `most`. */
export async function countKeys(db: Db, workspaceId: string, now: Date, most: number): Promise<number> {
  const { rows } =
    await sql`select from idempotency_keys where workspace_id = ${workspaceId} and expires_at > ${now} limit ${most}`.execute(db)
  return rows.length
}

export async function findKey(db: Db, { workspaceId, caller, keyHash }: KeyPlace) {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
}
export type KeyRow = NonNullable<Awaited<ReturnType<typeof findKey>>>

/** Takes over what another process left unanswered; undefined when somebody else was faster. Returns the results so far. */
export async function takeOver(
  db: Db,
  { workspaceId, caller, keyHash }: KeyPlace,
  { before, token, now, leaseUntil }: { before: string; token: string; now: Date; leaseUntil: Date },
): Promise<string[] | undefined> {
  const row = await db
    .updateTable('idempotency_keys')
    .set({ token, lease_until: leaseUntil })
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('key_hash', '=', keyHash)
    .where('token', '=', before)
    .where('lease_until', '<=', now)
    .where('status', 'is', null)
    .returning('results')
    .executeTakeFirst()
  return row?.results
}

type Held = KeyPlace & { token: string }

/** False when another process took it over. */
export async function keepResult(db: Db, { workspaceId, caller, keyHash, token }: Held, result: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ results: sql`array_append(results, ${result}::text)` })
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('key_hash', '=', keyHash)
    .where('token', '=', token)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type Answer = { status: number; headers: Record<string, string>; body: string }

export async function keepAnswer(db: Db, { workspaceId, caller, keyHash, token }: Held, answer: Answer): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, headers: JSON.stringify(answer.headers), body: answer.body, results: [] })
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('key_hash', '=', keyHash)
    .where('token', '=', token)
    .execute()
}

/** Moves the end of the lease while it is held. */
export async function setLease(db: Db, { workspaceId, caller, keyHash, token }: Held, until: Date): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ lease_until: until })
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('key_hash', '=', keyHash)
    .where('token', '=', token)
    .where('status', 'is', null)
    .execute()
}

/** Forgets a key of a request that did nothing. */
export async function deleteKey(db: Db, { workspaceId, caller, keyHash, token }: Held): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('workspace_id', '=', workspaceId)
    .where('caller', '=', caller)
    .where('key_hash', '=', keyHash)
    .where('token', '=', token)
    .execute()
}

export async function listWorkspacesWithOldKeys(db: Db, now: Date): Promise<string[]> {
  const rows = await db.selectFrom('idempotency_keys').select('workspace_id').distinct().where('expires_at', '<=', now).execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Some of the keys that are over; says how many. */
export async function deleteOldKeys(db: Db, workspaceId: string, now: Date, most: number): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where workspace_id = ${workspaceId} and (caller, key_hash) in (
      select caller, key_hash from idempotency_keys where workspace_id = ${workspaceId} and expires_at <= ${now} limit ${most})
    returning token`.execute(db)
  return rows.length
}
