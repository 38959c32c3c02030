import { sql } from 'kysely'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import { PREPARED, type Db } from '../../../db/open.ts'

/** Those of `keys` whose signals are accepted: visible strings with the sensor on. */
export async function listSensors(db: Db, workspaceId: string, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`${sql.raw(PREPARED)}
    select key from strings
    where workspace_id = ${workspaceId} and key = any(${[...keys]}::text[]) and is_sensor and not is_hidden`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Whether the sensor is on, for each of the keys that are in the catalog. */
export async function findSensorStates(db: Db, workspaceId: string, keys: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await db
    .selectFrom('strings')
    .select(['key', 'is_sensor'])
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.key, row.is_sensor]))
}

export async function setSensors(
  tx: Db,
  workspaceId: string,
  keys: readonly string[],
  { isSensor, revision, now }: { isSensor: boolean; revision: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('strings')
    .set({ is_sensor: isSensor, revision, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute()
}

// --- sensors that wait for approval ---

export type SensorRequest = { id: string; key: string; requestedBy: string; createdAt: Date }

export async function findSensorRequest(db: Db, workspaceId: string, key: string): Promise<SensorRequest | undefined> {
  return selectRequests(db, workspaceId).where('key', '=', key).executeTakeFirst()
}

export async function findSensorRequestById(db: Db, workspaceId: string, id: string): Promise<SensorRequest | undefined> {
  return selectRequests(db, workspaceId).where('id', '=', id).executeTakeFirst()
}

/** Oldest first. */
export async function pageSensorRequests(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<SensorRequest>> {
  const { total } = await db
    .selectFrom('sensor_requests')
    .select(sql<number>`count(*)`.as('total'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const rows = await selectRequests(db, workspaceId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return paged(rows, limit, total, ({ id }) => id)
}

export async function insertSensorRequest(tx: Db, workspaceId: string, { id, key, requestedBy, createdAt }: SensorRequest): Promise<void> {
  await tx
    .insertInto('sensor_requests')
    .values({ workspace_id: workspaceId, id, key, requested_by: requestedBy, created_at: createdAt })
    .execute()
}

export async function deleteSensorRequest(tx: Db, workspaceId: string, key: string): Promise<void> {
  await tx.deleteFrom('sensor_requests').where('workspace_id', '=', workspaceId).where('key', '=', key).execute()
}

export async function needsSensorApproval(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db.selectFrom('workspaces').select('sensor_approval').where('id', '=', workspaceId).executeTakeFirst()
  return row?.sensor_approval ?? false
}

export async function setSensorApproval(db: Db, workspaceId: string, isRequired: boolean, now: Date): Promise<void> {
  await db.updateTable('workspaces').set({ sensor_approval: isRequired, updated_at: now }).where('id', '=', workspaceId).execute()
}

function selectRequests(db: Db, workspaceId: string) {
  return db
    .selectFrom('sensor_requests')
    .select(['id', 'key', 'requested_by as requestedBy', 'created_at as createdAt'])
    .where('workspace_id', '=', workspaceId)
}
