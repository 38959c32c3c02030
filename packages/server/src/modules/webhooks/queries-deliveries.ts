import { sql, type RawBuilder, type Selectable } from 'kysely'
import { waitsUntil, type DeliveryStatus, type AttemptOutcome } from '@contentflow/core/webhooks/attempts.ts'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { WebhookDeliveries } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import { dueTable, type DueRow, type DueRows } from '../../infra/due/queries-due.ts'

/** One attempt. `status`: of the answer; null without one, and then `error` says why. `answer`: how its body began. */
export type Attempt = { at: string; ms: number; status: number | null; error?: string; answer?: string }
export type WebhookDelivery = Omit<Selectable<WebhookDeliveries>, 'log'> & { log: Attempt[] }

const of = (db: Db, workspaceId: string) => db.selectFrom('webhook_deliveries').where('workspace_id', '=', workspaceId)

// --- for people ---

export type DeliveryFilter = { status: DeliveryStatus | undefined }

/** Newest first. */
export async function pageDeliveries(
  db: Db,
  workspaceId: string,
  endpointId: string,
  { status }: DeliveryFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<WebhookDelivery>> {
  const all = of(db, workspaceId)
    .where('endpoint_id', '=', endpointId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll()
    .$if(after !== undefined, (query) => query.where(isBehind(after ?? '')))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(rows as WebhookDelivery[], limit, total, ({ created_at, id }) => cursorOf(created_at.getTime(), id))
}

function isBehind(cursor: string): RawBuilder<boolean> {
  const [at, id] = cursorParts(cursor) as [number, string]
  return sql`(created_at, id) < (${new Date(at)}::timestamptz, ${id}::text)`
}

export async function getDelivery(db: Db, workspaceId: string, endpointId: string, id: string): Promise<WebhookDelivery> {
  const row = await of(db, workspaceId).selectAll().where('endpoint_id', '=', endpointId).where('id', '=', id).executeTakeFirst()
  return (row as WebhookDelivery | undefined) ?? failWith(404, 'delivery not found')
}

/** Due at once, with all its attempts before it. One that is being attempted is attempted once more afterwards. */
export async function sendAgain(tx: Db, workspaceId: string, endpointId: string, id: string, now: Date): Promise<WebhookDelivery> {
  const row = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', tries: 0, due_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return (row as WebhookDelivery | undefined) ?? failWith(404, 'delivery not found')
}

// --- what is to be told ---

export type NewDelivery = Pick<WebhookDelivery, 'endpoint_id' | 'id' | 'event' | 'body'>

export async function insertDeliveries(
  tx: Db,
  workspaceId: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<WebhookDelivery[]> {
  const rows = await tx
    .insertInto('webhook_deliveries')
    .values(
      deliveries.map((delivery) => ({ ...delivery, workspace_id: workspaceId, status: 'pending' as const, created_at: now, due_at: now })),
    )
    .returningAll()
    .execute()
  return rows as WebhookDelivery[]
}

/** One that is there already stays as it is. `profileId`: whom it is about. */
export async function insertAboutPeople(
  tx: Db,
  workspaceId: string,
  { endpointId, event }: { endpointId: string; event: string },
  deliveries: readonly { id: string; profileId: string; body: string }[],
  now: Date,
): Promise<void> {
  await sql`
    insert into webhook_deliveries (workspace_id, endpoint_id, id, event, body, status, created_at, due_at, profile_id)
    select ${workspaceId}, ${endpointId}, id, ${event}, body, 'pending', ${now}::timestamptz, ${now}::timestamptz, profile_id
    from unnest(${deliveries.map(({ id }) => id)}::text[], ${deliveries.map(({ body }) => body)}::text[],
      ${deliveries.map(({ profileId }) => profileId)}::text[]) as told (id, body, profile_id)
    order by id on conflict (workspace_id, id) do nothing`.execute(tx)
}

/** What waited for an endpoint that is on again: it was put off until then. */
export async function sendWaiting(tx: Db, workspaceId: string, endpointId: string, until: Date, now: Date): Promise<void> {
  await pending(tx, workspaceId, endpointId).set({ due_at: now }).where('due_at', '=', until).execute()
}

function pending(db: Db, workspaceId: string, endpointId: string) {
  return db
    .updateTable('webhook_deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
}

const OFF = 'The endpoint was switched off, and not on again within 24 hours'

/** What falls due of endpoints that are off: it waits, for a day in which they may be on again, then it has failed. */
async function putOff(db: Db, workspaceId: string, isFree: RawBuilder<boolean>, now: Date): Promise<void> {
  const endpoints = await db
    .selectFrom('webhook_endpoints as endpoint')
    .select(['id', 'off_since'])
    .where('workspace_id', '=', workspaceId)
    .where('is_active', '=', false)
    .where(
      sql<boolean>`exists (select from webhook_deliveries where workspace_id = ${workspaceId} and endpoint_id = endpoint.id and ${isFree})`,
    )
    .execute()
  for (const { id, off_since: since } of endpoints)
    await db.transaction().execute(async (tx) => {
      // The lock orders this and a change that switches the endpoint on: one waits for the other.
      const isOff = await tx
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('is_active', '=', false)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (isOff) await putOffOf(pending(tx, workspaceId, id).where(isFree), since === null ? now : waitsUntil(since), now)
    })
}

async function putOffOf(theirs: ReturnType<typeof pending>, until: Date, now: Date): Promise<void> {
  const free = theirs.set({ lease: null, lease_until: null })
  if (until > now) return void (await free.set({ due_at: until }).execute())
  const entry = JSON.stringify([{ at: now.toISOString(), ms: 0, status: null, error: OFF } satisfies Attempt])
  await free.set({ status: 'failed', due_at: null, log: sql`log || ${entry}::jsonb` }).execute()
}

// --- attempts ---

/** A delivery with what it takes to send it. */
export type DueDelivery = DueRow &
  Pick<WebhookDelivery, 'endpoint_id' | 'event' | 'body' | 'tries' | 'log' | 'created_at'> & { url: string; secret: string }

/** `roomsFor`: how many more may be sent to each of these addresses just now. What has no room is left to who finds it later. */
export function dueDeliveries(db: Db, roomsFor: (workspaceId: string, urls: string[]) => number[]): DueRows<DueDelivery> {
  const table = dueTable<DueDelivery>(db, 'webhook_deliveries')
  return {
    ...table,
    claim: async ({ workspaceId, token, now, dueBy, until }) => {
      const isFree = sql<boolean>`due_at <= ${dueBy} and (lease_until is null or lease_until <= ${now})`
      await putOff(db, workspaceId, isFree, now)
      const endpoints = await db
        .selectFrom('webhook_endpoints as endpoint')
        .select(['id', 'url', 'secret'])
        .where('workspace_id', '=', workspaceId)
        .where('is_active', '=', true)
        .where(
          sql<boolean>`exists (select from webhook_deliveries where workspace_id = ${workspaceId} and endpoint_id = endpoint.id and ${isFree})`,
        )
        // Where there is not room for all, each has its turn.
        .orderBy(sql`random()`)
        .execute()
      const rooms = roomsFor(
        workspaceId,
        endpoints.map(({ url }) => url),
      )
      const free = endpoints.map((endpoint, index) => ({ ...endpoint, room: rooms[index] ?? 0 })).filter(({ room }) => room > 0)
      if (free.length === 0) return []
      const { rows } = await sql<Omit<DueDelivery, 'url' | 'secret'>>`
        update webhook_deliveries set lease = ${token}, lease_until = ${until}, due_at = ${until}, attempts = attempts + 1
        where workspace_id = ${workspaceId} and ${isFree} and id = any(array(
          select next.id from unnest(${free.map(({ id }) => id)}::text[], ${free.map(({ room }) => room)}::integer[]) as free(endpoint, room)
          cross join lateral (
            select id from webhook_deliveries where workspace_id = ${workspaceId} and endpoint_id = free.endpoint and ${isFree}
            order by due_at, id limit free.room for no key update skip locked) as next))
        returning id, endpoint_id, event, body, tries, log, created_at, attempts`.execute(db)
      // Of one endpoint they leave in the order in which they were made, though none waits for the one before.
      rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1))
      const byId = new Map(free.map((endpoint) => [endpoint.id, endpoint]))
      return rows.flatMap((row) => {
        const endpoint = byId.get(row.endpoint_id)
        return endpoint ? [{ ...row, url: endpoint.url, secret: endpoint.secret }] : []
      })
    },
  }
}

type DeliveryLease = { workspaceId: string; token: string; id: string }

/** False when the lease was lost: then somebody else attempts it, and nothing is written. Who sent it again meanwhile has it sent again. */
export async function finishAttempt(
  db: Db,
  { workspaceId, token, id }: DeliveryLease,
  { status, dueAt }: AttemptOutcome,
  tries: number,
  log: readonly Attempt[],
): Promise<boolean> {
  const isAskedAgain = sql`due_at <> lease_until`
  const result = await sql`
    update webhook_deliveries set
      status = case when ${isAskedAgain} then 'pending' else ${status}::text end,
      tries = case when ${isAskedAgain} then 0 else ${tries}::integer end,
      due_at = case when ${isAskedAgain} then due_at else ${dueAt}::timestamptz end,
      log = ${JSON.stringify(log)}::jsonb, lease = null, lease_until = null, attempts = 0
    where workspace_id = ${workspaceId} and id = ${id} and lease = ${token}::uuid`.execute(db)
  return Number(result.numAffectedRows) > 0
}

/** As it was before it was claimed: any process may attempt it. */
export async function releaseAttempt(db: Db, { workspaceId, token, id }: DeliveryLease, now: Date): Promise<void> {
  await sql`
    update webhook_deliveries set due_at = ${now}, lease = null, lease_until = null, attempts = attempts - 1
    where workspace_id = ${workspaceId} and id = ${id} and lease = ${token}::uuid`.execute(db)
}

// --- what is over ---

export async function listWorkspacesWithOld(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from webhook_deliveries where created_at < ${before} and status <> 'pending' group by workspace_id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function dropOld(db: Db, workspaceId: string, before: Date): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<', before)
    .where('status', '<>', 'pending')
    .execute()
}
