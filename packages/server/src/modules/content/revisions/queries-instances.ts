import { sql, type Selectable } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Frequency, InstanceContent, Schedule, Translations, Variant } from '@contentflow/core/blocks/instance.ts'
import { pageFrom, type Paged } from '@contentflow/core/paging.ts'
import { holdsText } from '../../../db/fold-text.ts'
import type { Db } from '../../../db/open.ts'
import { readPage } from '../../../db/pages.ts'
import type { BlockInstances } from '../../../db/schema.ts'
import { failWith } from '../../../errors.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { countOf } from './queries.ts'

export type Instance = InstanceContent & {
  id: string
  blockKey: string
  externalId: string | null
  /** The number of the newest revision, whose content this is. */
  version: number
  /** The revision that live keys get, and since when there is one. */
  liveRevision: number | null
  livePublishedAt: Date | null
  /** The revision that test keys get instead of the live one. */
  testRevision: number | null
  testPublishedAt: Date | null
  deletedAt: Date | null
  deletedBy: string | null
  createdAt: Date
  updatedAt: Date
}
export const REVISION_SOURCES = ['create', 'edit', 'manifest', 'rollback'] as const
type RevisionSource = (typeof REVISION_SOURCES)[number]
export type Revision = {
  number: number
  content: InstanceContent
  source: RevisionSource
  restoredFrom: number | null
  madeBy: string
  createdAt: Date
}

// --- instances; those that were deleted are found by name alone ---

const existing = (db: Db, workspaceId: string) =>
  db.selectFrom('block_instances').where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null)

export async function listAllInstances(db: Db, workspaceId: string): Promise<Instance[]> {
  const rows = await existing(db, workspaceId).selectAll().orderBy('id').execute()
  return rows.map(toInstance)
}

/** All of one type, drafts included, oldest first. */
export async function listTypeInstances(db: Db, workspaceId: string, blockKey: string): Promise<Instance[]> {
  const rows = await existing(db, workspaceId).selectAll().where('block_key', '=', blockKey).orderBy('id').execute()
  return rows.map(toInstance)
}

/** The titles of these instances, by id. */
export async function listTitles(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('block_instances')
    .select(['id', 'title'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Lists those of these instances that are of this type. */
export async function listInstances(db: Db, workspaceId: string, blockKey: string, ids: readonly string[]): Promise<Instance[]> {
  const rows = await existing(db, workspaceId)
    .selectAll()
    .where('block_key', '=', blockKey)
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
  return rows.map(toInstance)
}

/** Bytes of the columns that can be large. */
export const INSTANCE_BYTES = sql<number>`octet_length("values"::text) + octet_length(variants::text) + octet_length(translations::text)`

type InstancePage = { after: string | undefined; limit: number; search: string | undefined; ids: string[] | undefined }

export async function pageInstances(
  db: Db,
  workspaceId: string,
  blockKey: string,
  { after, limit, search, ids }: InstancePage,
): Promise<Paged<Instance>> {
  const all = existing(db, workspaceId)
    .where('block_key', '=', blockKey)
    .$if(search !== undefined, (query) => query.where(holdsText(sql`title`, search ?? '')))
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`any(${ids}::text[])`))
  const page = all
    .selectAll()
    .select(INSTANCE_BYTES.as('bytes'))
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  return pageFrom({ rows: rows.map(toInstance), isLast }, await countOf(all), ({ id }) => id)
}

export async function getInstance(db: Db, workspaceId: string, blockKey: string, id: string): Promise<Instance> {
  const row = await existing(db, workspaceId).selectAll().where('block_key', '=', blockKey).where('id', '=', id).executeTakeFirst()
  return row ? toInstance(row) : failWith(404, 'instance not found')
}

/** Finds an instance of any type. */
export async function findInstance(db: Db, workspaceId: string, id: string): Promise<Instance | undefined> {
  const row = await existing(db, workspaceId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toInstance(row)
}

/** The first instance of a type, oldest first. */
export async function findFirstInstanceId(db: Db, workspaceId: string, blockKey: string): Promise<string | undefined> {
  const row = await existing(db, workspaceId).select('id').where('block_key', '=', blockKey).orderBy('id').limit(1).executeTakeFirst()
  return row?.id
}

/** Drafts without a title that no manifest made, and that nobody has touched since. */
export async function listBlankDrafts(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await existing(db, workspaceId)
    .select('id')
    .where('title', '=', '')
    .where('external_id', 'is', null)
    .where('version', '=', 1)
    .where('live_revision', 'is', null)
    .where('test_revision', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('instance_revisions')
          .whereRef('instance_revisions.instance_id', '=', 'block_instances.id')
          .where('instance_revisions.workspace_id', '=', workspaceId)
          .where('source', '=', 'create'),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** The environments in which a type has something published. */
export async function findPublishedEnvironments(db: Db, workspaceId: string, blockKeys: readonly string[]): Promise<Environment[]> {
  const row = await db
    .selectFrom('block_instances')
    .select([
      sql<boolean | null>`bool_or(live_revision is not null)`.as('live'),
      sql<boolean | null>`bool_or(test_revision is not null)`.as('test'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('block_key', 'in', blockKeys)
    .executeTakeFirstOrThrow()
  return row.live ? ['live', 'test'] : row.test ? ['test'] : []
}

/** Block key of each of the named instances that exist. */
export async function findBlockKeys(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await existing(db, workspaceId).select(['id', 'block_key']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row.block_key]))
}

export async function insertInstance(db: Db, workspaceId: string, instance: Instance): Promise<void> {
  await db
    .insertInto('block_instances')
    .values({
      workspace_id: workspaceId,
      id: instance.id,
      block_key: instance.blockKey,
      ...contentColumns(instance),
      ...stateColumns(instance),
      created_at: instance.createdAt,
    })
    .execute()
}

export async function updateInstance(db: Db, workspaceId: string, instance: Instance): Promise<void> {
  await db
    .updateTable('block_instances')
    .set({
      ...contentColumns(instance),
      ...stateColumns(instance),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', instance.id)
    .execute()
}

// --- deleted ones, which can be brought back for a while ---

export async function findDeletedInstance(db: Db, workspaceId: string, blockKey: string, id: string): Promise<Instance | undefined> {
  const row = await db
    .selectFrom('block_instances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('block_key', '=', blockKey)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row && toInstance(row)
}

export async function isExternalIdTaken(db: Db, workspaceId: string, blockKey: string, externalId: string): Promise<boolean> {
  const row = await existing(db, workspaceId)
    .select('id')
    .where('block_key', '=', blockKey)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the workspaces that have an instance deleted before this time. */
export async function listWorkspacesWithDeleted(db: Db, before: Date): Promise<string[]> {
  const rows = await db.selectFrom('block_instances').select('workspace_id').distinct().where('deleted_at', '<', before).execute()
  return rows.map((row) => row.workspace_id)
}

/** Deletes instances with their revisions and their history. */
export async function purgeDeleted(db: Db, workspaceId: string, before: Date): Promise<void> {
  await db.deleteFrom('block_instances').where('workspace_id', '=', workspaceId).where('deleted_at', '<', before).execute()
}

// --- revisions: rows are added, never changed ---

export async function insertRevision(db: Db, workspaceId: string, instanceId: string, revision: Revision): Promise<void> {
  await db
    .insertInto('instance_revisions')
    .values({
      workspace_id: workspaceId,
      instance_id: instanceId,
      number: revision.number,
      content: JSON.stringify(revision.content),
      source: revision.source,
      restored_from: revision.restoredFrom,
      made_by: revision.madeBy,
      created_at: revision.createdAt,
    })
    .execute()
}

export async function pageRevisions(
  db: Db,
  workspaceId: string,
  instanceId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Paged<Revision>> {
  const all = db.selectFrom('instance_revisions').where('workspace_id', '=', workspaceId).where('instance_id', '=', instanceId)
  const page = all
    .selectAll()
    .select(sql<number>`octet_length(content::text)`.as('bytes'))
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  return pageFrom({ rows: rows.map(toRevision), isLast }, await countOf(all), (last) => String(last.number))
}

export async function getRevision(db: Db, workspaceId: string, instanceId: string, number: number): Promise<Revision> {
  const row = await db
    .selectFrom('instance_revisions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('instance_id', '=', instanceId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row ? toRevision(row) : failWith(404, 'revision not found')
}

function stateColumns(instance: Instance) {
  return {
    external_id: instance.externalId,
    version: instance.version,
    live_revision: instance.liveRevision,
    live_published_at: instance.livePublishedAt,
    test_revision: instance.testRevision,
    test_published_at: instance.testPublishedAt,
    deleted_at: instance.deletedAt,
    deleted_by: instance.deletedBy,
    updated_at: instance.updatedAt,
  }
}

function contentColumns(content: InstanceContent) {
  return {
    title: content.title,
    values: JSON.stringify(content.values),
    seg: content.seg,
    priority: content.priority,
    schedule: content.schedule && JSON.stringify(content.schedule),
    variants: JSON.stringify(content.variants),
    translations: JSON.stringify(content.translations),
    frequency: content.frequency && JSON.stringify(content.frequency),
  }
}

/** Everything a save can change, without identity and publication. */
export function contentOf(instance: InstanceContent): InstanceContent {
  const { title, values, seg, priority, schedule, variants, translations, frequency } = instance
  return { title, values, seg, priority, schedule, variants, translations, frequency }
}

export function toInstance(row: Selectable<BlockInstances>): Instance {
  return {
    id: row.id,
    blockKey: row.block_key,
    externalId: row.external_id,
    title: row.title,
    values: row.values as JsonObject,
    seg: row.seg,
    priority: row.priority,
    schedule: row.schedule as Schedule | null,
    variants: row.variants as Variant[],
    translations: row.translations as Translations,
    frequency: row.frequency as Frequency | null,
    version: row.version,
    liveRevision: row.live_revision,
    livePublishedAt: row.live_published_at,
    testRevision: row.test_revision,
    testPublishedAt: row.test_published_at,
    deletedAt: row.deleted_at,
    deletedBy: row.deleted_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toRevision(row: {
  number: number
  content: unknown
  source: string
  restored_from: number | null
  made_by: string
  created_at: Date
}): Revision {
  return {
    number: row.number,
    content: row.content as InstanceContent,
    source: row.source as RevisionSource,
    restoredFrom: row.restored_from,
    madeBy: row.made_by,
    createdAt: row.created_at,
  }
}
