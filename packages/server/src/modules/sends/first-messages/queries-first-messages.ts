/** Messages to addresses that only an app named and where nothing of the workspace went yet: counted by the clock hour. */
import { HOUR_MS } from '@contentflow/core/units.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { DispatchLease } from '../queries.ts'
import { isUnderWay, listUnderWay } from '../queries-under-way.ts'

/** Why a line of the ledger is due later. */
const FIRST_MESSAGE_LIMIT = 'firstMessageLimit'
/** Counts of hours that are over; nobody asks for them. */
const KEPT_HOURS = 24

function hourOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
}

export function nextHour(now: Date): Date {
  return new Date(hourOf(now).getTime() + HOUR_MS)
}

export async function findPerHour(db: Db, workspaceId: string): Promise<number | null> {
  const row = await db.selectFrom('workspaces').select('first_messages_per_hour').where('id', '=', workspaceId).executeTakeFirst()
  return row?.first_messages_per_hour ?? null
}

export async function setPerHour(tx: Db, workspaceId: string, perHour: number | null): Promise<void> {
  await tx.updateTable('workspaces').set({ first_messages_per_hour: perHour }).where('id', '=', workspaceId).execute()
}

/** How many of `wanted` may leave in this hour; they are counted. Takers of one workspace come after each other. */
export async function takeFirstMessages(tx: Db, workspaceId: string, wanted: number, now: Date): Promise<number> {
  const hour = hourOf(now)
  await tx
    .insertInto('first_messages')
    .values({ workspace_id: workspaceId, hour, sent: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { sent } = await tx
    .selectFrom('first_messages')
    .select('sent')
    .where('workspace_id', '=', workspaceId)
    .where('hour', '=', hour)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const most = await findPerHour(tx, workspaceId)
  const granted = most === null ? wanted : Math.max(0, Math.min(wanted, most - sent))
  await tx
    .updateTable('first_messages')
    .set({ sent: sent + granted })
    .where('workspace_id', '=', workspaceId)
    .where('hour', '=', hour)
    .execute()
  await tx
    .deleteFrom('first_messages')
    .where('workspace_id', '=', workspaceId)
    .where('hour', '<', new Date(hour.getTime() - KEPT_HOURS * HOUR_MS))
    .execute()
  return granted
}

/** Gives back first messages that were reserved in this hour and did not leave. */
export async function returnFirstMessages(db: Db, workspaceId: string, count: number, now: Date): Promise<void> {
  if (count === 0) return
  await sql`
    update first_messages set sent = greatest(0, sent - ${count}::integer)
    where workspace_id = ${workspaceId} and hour = ${hourOf(now)}`.execute(db)
}

/** Due later, and why. */
export async function holdSends(
  tx: Db,
  { workspaceId, id }: DispatchLease,
  profileIds: readonly string[],
  dueAt: Date,
  now: Date,
): Promise<void> {
  await sql`
    update sends set due_at = ${dueAt}, reason = ${FIRST_MESSAGE_LIMIT}, updated_at = ${now}
    where workspace_id = ${workspaceId} and dispatch_id = ${id} and profile_id = any(${[...profileIds]}::text[]) and state = 'due'`.execute(
    tx,
  )
}

/** Whether a dispatch is late for nothing but this. */
export async function isHeld(db: Db, { workspaceId, id }: DispatchLease): Promise<boolean> {
  const { rows } = await sql`
    select from sends where workspace_id = ${workspaceId} and dispatch_id = ${id} and due_at is not null and state = 'due'
      and reason = ${FIRST_MESSAGE_LIMIT} and profile_id not in ${listUnderWay(workspaceId, id)} limit 1`.execute(db)
  return rows.length > 0
}

/** The limit is another: what is held is looked at again, unless its source pauses. False: nothing is. */
export async function releaseHeld(tx: Db, workspaceId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update sends set due_at = ${now}, updated_at = ${now}
    where workspace_id = ${workspaceId} and due_at is not null and state = 'due' and reason = ${FIRST_MESSAGE_LIMIT}
      and not ${isUnderWay(workspaceId)}
    returning dispatch_id as id`.execute(tx)
  const ids = [...new Set(rows.map(({ id }) => id))]
  await sql`
    update dispatches set due_at = ${now}
    where workspace_id = ${workspaceId} and id = any(${ids}::text[]) and due_at is not null`.execute(tx)
  return ids.length > 0
}

/** `lastHour`: those of this clock hour that left; `heldNow`: those that wait for a later one. */
export async function countFirstMessages(db: Db, workspaceId: string, now: Date): Promise<{ lastHour: number; heldNow: number }> {
  const { rows } = await sql<{ lastHour: number; heldNow: number }>`
    select coalesce((select sent from first_messages where workspace_id = ${workspaceId} and hour = ${hourOf(now)}), 0) as "lastHour",
      (select count(*)::integer from sends where workspace_id = ${workspaceId} and due_at is not null and state = 'due'
        and reason = ${FIRST_MESSAGE_LIMIT} and not ${isUnderWay(workspaceId)}) as "heldNow"`.execute(db)
  return rows[0]!
}
