import { sql } from 'kysely'
import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import type { Db } from '../../../db/open.ts'
import { dueTable, type DueRow } from '../../../infra/due/queries-due.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

/** A planned publication of a revision. `fault`: why it failed when it was due. */
export type Publication = {
  id: string
  instanceId: string
  revision: number
  targets: Environment[]
  at: Date
  madeBy: string
  madeAt: Date
  fault: string | null
}

const COLUMNS = [
  'id',
  'instance_id as instanceId',
  'revision',
  sql<Environment[]>`environments`.as('targets'),
  'publish_at as at',
  'made_by as madeBy',
  'made_at as madeAt',
  'fault',
] as const

const of = (db: Db, workspaceId: string) => db.selectFrom('publications').where('workspace_id', '=', workspaceId)

/** The soonest first. */
export async function listPublications(db: Db, workspaceId: string, instanceId: string): Promise<Publication[]> {
  return of(db, workspaceId).select(COLUMNS).where('instance_id', '=', instanceId).orderBy('publish_at').orderBy('id').execute()
}

/** Lists planned publications of some revisions of one instance, by their numbers. */
export async function listSchedules(
  db: Db,
  workspaceId: string,
  instanceId: string,
  numbers: readonly number[],
): Promise<Map<number, Schedule | null>> {
  if (numbers.length === 0) return new Map()
  const rows = await db
    .selectFrom('instance_revisions')
    .select(['number', sql<Schedule | null>`content -> 'schedule'`.as('schedule')])
    .where('workspace_id', '=', workspaceId)
    .where('instance_id', '=', instanceId)
    .where('number', '=', sql<number>`any(${[...numbers]}::integer[])`)
    .execute()
  return new Map(rows.map(({ number, schedule }) => [number, schedule]))
}

/** Locks the row until the transaction ends: another process that carries it out waits. */
export async function lockPublication(tx: Db, workspaceId: string, id: string): Promise<Publication | undefined> {
  return of(tx, workspaceId).select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function insertPublication(tx: Db, workspaceId: string, publication: Publication): Promise<void> {
  const { id, instanceId, revision, targets, at, madeBy, madeAt, fault } = publication
  await tx
    .insertInto('publications')
    .values({
      workspace_id: workspaceId,
      id,
      instance_id: instanceId,
      revision,
      environments: targets,
      publish_at: at,
      due_at: at,
      made_by: madeBy,
      made_at: madeAt,
      fault,
    })
    .execute()
}

export async function movePublication(tx: Db, workspaceId: string, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('publications')
    .set({ publish_at: at, due_at: at, fault: null, lease: null, lease_until: null, attempts: 0 })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Locks the publications of an instance that were due before a moment and are still open, the soonest first; at the same moment those planned before `id`. */
export async function lockEarlier(
  tx: Db,
  workspaceId: string,
  instanceId: string,
  { id, at }: { id: string | null; at: Date },
): Promise<Publication[]> {
  return of(tx, workspaceId)
    .select(COLUMNS)
    .where('instance_id', '=', instanceId)
    .where('fault', 'is', null)
    .where(sql<boolean>`(publish_at < ${at} or (publish_at = ${at} and (${id}::text is null or id < ${id}::text)))`)
    .orderBy('publish_at')
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function keepTargets(tx: Db, workspaceId: string, id: string, targets: Environment[]): Promise<void> {
  await tx.updateTable('publications').set({ environments: targets }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** It stays in the list, to be moved or cancelled by a member, and is not tried again by itself. */
export async function failPublication(tx: Db, workspaceId: string, id: string, fault: string): Promise<void> {
  await tx.updateTable('publications').set({ fault }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function deletePublication(tx: Db, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('publications').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function deletePublicationsOf(tx: Db, workspaceId: string, instanceId: string): Promise<void> {
  await tx.deleteFrom('publications').where('workspace_id', '=', workspaceId).where('instance_id', '=', instanceId).execute()
}

export const duePublications = (db: Db) => dueTable<DueRow>(db, 'publications')
