import { sql, type Selectable } from 'kysely'
import type { Entry, Goal, Journey, JourneyStatus, KeyedPattern, Step, Trigger } from '@contentflow/core/journeys/journey.ts'
import { pageFrom, type Paged } from '@contentflow/core/paging.ts'
import { holdsText } from '../../db/fold-text.ts'
import type { Db } from '../../db/open.ts'
import { readPage } from '../../db/pages.ts'
import type { Journeys } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'

export type StoredJourney = Journey & {
  id: string
  status: JourneyStatus
  /** The segment of a trigger `segment_entry`. */
  segmentId: string | null
  /** Types of events that may be about it; empty: it listens to none. */
  listens: readonly string[]
  /** Something is missing, so it stays a draft until it is complete. */
  isIncomplete: boolean
  createdBy: string
  version: number
  activeSince: Date | null
  readUntil: Date | null
  /** Events of batches up to this one are not read again. */
  readBatch: number | null
  /** Up to when events were read for its goal; null: since it was created. */
  goalUntil: Date | null
  goalBatch: number | null
  createdAt: Date
  updatedAt: Date
}

const of = (db: Db, workspaceId: string) => db.selectFrom('journeys').where('workspace_id', '=', workspaceId)

export async function getJourney(db: Db, workspaceId: string, id: string): Promise<StoredJourney> {
  const row = await of(db, workspaceId).selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toJourney(row) : failWith(404, 'journey not found')
}

/** Locks a journey: whoever changes it, or moves people in it, waits for the others; adding people takes no exclusive lock. */
export async function lockJourney(tx: Db, workspaceId: string, id: string): Promise<StoredJourney | undefined> {
  const row = await of(tx, workspaceId).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row && toJourney(row)
}

/** Keeps the journey active until the transaction ends; undefined: it is not active. */
export async function holdActive(tx: Db, workspaceId: string, id: string): Promise<StoredJourney | undefined> {
  const row = await of(tx, workspaceId).selectAll().where('id', '=', id).where('status', '=', 'active').forShare().executeTakeFirst()
  return row && toJourney(row)
}

/** Active journeys, and paused ones with a goal, which people who entered before can still reach. */
export async function listChecked(db: Db, workspaceId: string): Promise<StoredJourney[]> {
  const rows = await of(db, workspaceId)
    .selectAll()
    .where(({ or, and, eb }) => or([eb('status', '=', 'active'), and([eb('status', '=', 'paused'), eb('goal', 'is not', null)])]))
    .orderBy('id')
    .execute()
  return rows.map(toJourney)
}

/** Those that events may be about: active ones, and paused ones for who is in them. */
export async function listListening(db: Db, workspaceId: string): Promise<StoredJourney[]> {
  const rows = await of(db, workspaceId)
    .selectAll()
    .where(sql<boolean>`listens <> '{}'`)
    .where('status', 'in', ['active', 'paused'])
    .orderBy('id')
    .execute()
  return rows.map(toJourney)
}

export async function listJourneys(db: Db, workspaceId: string): Promise<StoredJourney[]> {
  const rows = await of(db, workspaceId).selectAll().orderBy('id').execute()
  return rows.map(toJourney)
}

export type JourneyFilter = { status: JourneyStatus | undefined; search: string | undefined; after: string | undefined; limit: number }

/** The newest first. */
export async function pageJourneys(
  db: Db,
  workspaceId: string,
  { status, search = '', after, limit }: JourneyFilter,
): Promise<Paged<StoredJourney>> {
  const all = of(db, workspaceId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'draft'))
    .$if(search !== '', (query) => query.where(holdsText(sql`name`, search)))
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const page = all
    .selectAll()
    .select(sql<number>`octet_length(steps::text)`.as('bytes'))
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  return pageFrom({ rows: rows.map(toJourney), isLast }, total, ({ id }) => id)
}

export async function countJourneys(db: Db, workspaceId: string): Promise<number> {
  const { total } = await of(db, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function insertJourney(tx: Db, workspaceId: string, journey: StoredJourney): Promise<void> {
  const { id, createdBy, createdAt } = journey
  await tx
    .insertInto('journeys')
    .values({ workspace_id: workspaceId, id, created_by: createdBy, created_at: createdAt, ...columnsOf(journey) })
    .execute()
}

export async function updateJourney(tx: Db, workspaceId: string, journey: StoredJourney): Promise<void> {
  await tx.updateTable('journeys').set(columnsOf(journey)).where('workspace_id', '=', workspaceId).where('id', '=', journey.id).execute()
}

export async function deleteJourney(tx: Db, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('journeys').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

function columnsOf(journey: StoredJourney) {
  return {
    name: journey.name,
    trigger: JSON.stringify(journey.trigger),
    segment_id: journey.segmentId,
    steps: JSON.stringify(journey.steps),
    status: journey.status,
    incomplete: journey.isIncomplete,
    version: journey.version,
    active_since: journey.activeSince,
    read_until: journey.readUntil,
    read_batch: journey.readBatch,
    goal: journey.goal && JSON.stringify(journey.goal),
    entry: journey.entry ? JSON.stringify(journey.entry) : null,
    exit_on: journey.exitOn?.length ? JSON.stringify(journey.exitOn) : null,
    listens: [...journey.listens],
    goal_until: journey.goalUntil,
    goal_batch: journey.goalBatch,
    updated_at: journey.updatedAt,
  }
}

function toJourney(row: Selectable<Journeys>): StoredJourney {
  return {
    id: row.id,
    name: row.name,
    trigger: row.trigger as Trigger,
    segmentId: row.segment_id,
    steps: row.steps as Step[],
    status: row.status,
    isIncomplete: row.incomplete,
    createdBy: row.created_by,
    version: row.version,
    activeSince: row.active_since,
    readUntil: row.read_until,
    readBatch: row.read_batch,
    goal: row.goal as Goal | null,
    ...(row.entry !== null && { entry: row.entry as Entry }),
    ...(row.exit_on !== null && { exitOn: row.exit_on as KeyedPattern[] }),
    listens: row.listens,
    goalUntil: row.goal_until,
    goalBatch: row.goal_batch,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Finds the segment of this id, or else of this name. */
export async function findSegmentId(db: Db, workspaceId: string, idOrName: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('segments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(({ or, eb }) => or([eb('id', '=', idOrName), eb('name', '=', idOrName)]))
    .orderBy(sql`id = ${idOrName}`, 'desc')
    .executeTakeFirst()
  return row?.id
}
