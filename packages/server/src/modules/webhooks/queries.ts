import { sql, type Selectable, type Updateable } from 'kysely'
import type { WebhookEvent } from '@contentflow/core/webhooks/events.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { WebhookEndpoints } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'

export type Endpoint = Selectable<WebhookEndpoints>

const of = (db: Db, workspaceId: string) => db.selectFrom('webhook_endpoints').where('workspace_id', '=', workspaceId)

/** In the order they were made; `after` is an id. */
export async function pageEndpoints(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<Endpoint>> {
  const rows = await of(db, workspaceId)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return paged(rows, limit, await countEndpoints(db, workspaceId), ({ id }) => id)
}

export async function listEndpoints(db: Db, workspaceId: string): Promise<Endpoint[]> {
  return of(db, workspaceId).selectAll().orderBy('id').execute()
}

export async function countEndpoints(db: Db, workspaceId: string): Promise<number> {
  const { total } = await of(db, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function getEndpoint(db: Db, workspaceId: string, id: string): Promise<Endpoint> {
  return (await of(db, workspaceId).selectAll().where('id', '=', id).executeTakeFirst()) ?? failWith(404, 'webhook not found')
}

/** The same, held until the transaction ends. */
export async function lockEndpoint(tx: Db, workspaceId: string, id: string): Promise<Endpoint> {
  return (
    (await of(tx, workspaceId).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()) ?? failWith(404, 'webhook not found')
  )
}

export async function insertEndpoint(
  db: Db,
  endpoint: Pick<Endpoint, 'workspace_id' | 'id' | 'url' | 'events' | 'description' | 'secret'>,
  now: Date,
): Promise<Endpoint> {
  return db
    .insertInto('webhook_endpoints')
    .values({ ...endpoint, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateEndpoint(tx: Db, workspaceId: string, id: string, change: Updateable<WebhookEndpoints>): Promise<Endpoint> {
  const row = await tx
    .updateTable('webhook_endpoints')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row ?? failWith(404, 'webhook not found')
}

/** Its deliveries go with it. */
export async function deleteEndpoint(tx: Db, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Held until the transaction ends: who would name it waits, and finds it gone. */
export async function lockForDelete(tx: Db, workspaceId: string, id: string): Promise<void> {
  const row = await of(tx, workspaceId).select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) failWith(404, 'webhook not found')
}

/** The endpoints that get this event. None of them can be deleted until the transaction ends. */
export async function listSubscribed(tx: Db, workspaceId: string, event: WebhookEvent): Promise<string[]> {
  const rows = await of(tx, workspaceId)
    .select('id')
    .where('is_active', '=', true)
    .where(sql<boolean>`events @> array[${event}::text]`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

/** Which of these endpoints are there, and whether each is on. */
export async function findEndpoints(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  { isHeld = false } = {},
): Promise<Map<string, boolean>> {
  const rows = await of(db, workspaceId)
    .select(['id', 'is_active'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('id')
    .$if(isHeld, (query) => query.forKeyShare())
    .execute()
  return new Map(rows.map(({ id, is_active }) => [id, is_active]))
}

/** The same; none of them can be deleted until the transaction ends. */
export async function holdEndpoints(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, boolean>> {
  return findEndpoints(tx, workspaceId, ids, { isHeld: true })
}

/** Journeys with a step that tells this endpoint, by name. */
export async function listJourneysTelling(tx: Db, workspaceId: string, id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from journeys where workspace_id = ${workspaceId}
      and jsonb_path_exists(steps, '$.** ? (@.type == "webhook" && @.endpoint == $id)', ${JSON.stringify({ id })}::jsonb)
    order by name, id limit ${limit}`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Undefined for whoever is no account: a key, the scheduler. */
export async function findAccountName(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('accounts').select('name').where('id', '=', id).executeTakeFirst())?.name
}

// --- how an endpoint does ---

export async function noteSuccess(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Since when it fails. Undefined when it is gone. */
export async function noteFailure(db: Db, workspaceId: string, id: string, now: Date): Promise<Date | undefined> {
  const row = await db
    .updateTable('webhook_endpoints')
    .set({ failing_since: sql<Date>`coalesce(failing_since, ${now}::timestamptz)` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('failing_since')
    .executeTakeFirst()
  return row?.failing_since ?? undefined
}

/** False when it was off already. */
export async function giveUp(tx: Db, workspaceId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_endpoints')
    .set({ is_active: false, given_up_at: now, off_since: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

// --- secrets after a change of the key ---
