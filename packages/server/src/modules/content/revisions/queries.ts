import { sql, type Selectable } from 'kysely'
import type { Definition, DesignType } from '@contentflow/core/blocks/definition.ts'
import type { Field, JsonObject } from '@contentflow/core/blocks/field.ts'
import { pageFrom, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import { readPage } from '../../../db/pages.ts'
import type { BlockDefinitions } from '../../../db/schema.ts'
import { failWith } from '../../../errors.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

export type StoredDefinition = Definition & { revision: number; archivedAt: Date | null; createdAt: Date; updatedAt: Date }
// --- heads: the revision number of what clients of an environment see ---

export async function insertHeads(db: Db, workspaceId: string, now: Date): Promise<void> {
  const heads = (['live', 'test'] as const).map((environment) => ({ workspace_id: workspaceId, environment, changed_at: now }))
  await db.insertInto('content_heads').values(heads).execute()
}

/** Taken first by every write of block types and instances. Live comes before test, as wherever heads are moved. */
export async function lockContent(tx: Db, workspaceId: string): Promise<void> {
  await tx
    .selectFrom('content_heads')
    .select('environment')
    .where('workspace_id', '=', workspaceId)
    .orderBy('environment')
    .forNoKeyUpdate()
    .execute()
}

/** Moves an environment on, by a revision for each signal, which is its id; the last one is kept. Without any the last signal stays. */
export async function moveHead(
  tx: Db,
  workspaceId: string,
  environment: Environment,
  signals: readonly string[],
  now: Date,
): Promise<number> {
  const steps = Math.max(signals.length, 1)
  const { revision } = await tx
    .updateTable('content_heads')
    .set({
      revision: sql<number>`revision + ${steps}::int`,
      changed_at: now,
      ...(signals.length > 0 && { signal: signals.at(-1) ?? null, signal_id: sql<number>`revision + ${steps}::int`, signalled_at: now }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** Never called for a sandbox, which is a test environment (G-11). */
export async function isTestRetired(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db.selectFrom('workspaces').select(['test_retired', 'is_sandbox']).where('id', '=', workspaceId).executeTakeFirst()
  return row !== undefined && row.test_retired && !row.is_sandbox
}

// --- block definitions ---

export async function findDefinition(db: Db, workspaceId: string, key: string): Promise<StoredDefinition | undefined> {
  const row = await db
    .selectFrom('block_definitions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && toDefinition(row)
}

/** 404 for an unknown and for an archived block type: the dashboard works on active ones. */
export async function getActiveDefinition(db: Db, workspaceId: string, key: string): Promise<StoredDefinition> {
  const definition = await findDefinition(db, workspaceId, key)
  return definition && !definition.archivedAt ? definition : failWith(404, 'unknown block')
}

export async function listDefinitions(db: Db, workspaceId: string): Promise<StoredDefinition[]> {
  const rows = await db.selectFrom('block_definitions').selectAll().where('workspace_id', '=', workspaceId).orderBy('key').execute()
  return rows.map(toDefinition)
}

type DefinitionFilter = { isArchived: boolean; after: string | undefined; limit: number }

export async function pageDefinitions(
  db: Db,
  workspaceId: string,
  { isArchived, after, limit }: DefinitionFilter,
): Promise<Paged<StoredDefinition>> {
  const all = db
    .selectFrom('block_definitions')
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', isArchived ? 'is not' : 'is', null)
  const page = all
    .selectAll()
    .select(sql<number>`octet_length(fields::text) + octet_length(blank::text)`.as('bytes'))
    .$if(after !== undefined, (query) => query.where('key', '>', after ?? ''))
    .orderBy('key')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  return pageFrom({ rows: rows.map(toDefinition), isLast }, await countOf(all), ({ key }) => key)
}

export async function insertDefinition(db: Db, workspaceId: string, definition: Definition, now: Date): Promise<void> {
  await db
    .insertInto('block_definitions')
    .values({ workspace_id: workspaceId, ...definitionColumns(definition), created_at: now, updated_at: now })
    .execute()
}

/** Updates a definition; an archived one becomes active again. */
export async function updateDefinition(db: Db, workspaceId: string, definition: Definition, now: Date): Promise<void> {
  await db
    .updateTable('block_definitions')
    .set({ ...definitionColumns(definition), revision: sql`revision + 1`, archived_at: null, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', definition.key)
    .execute()
}

export async function archiveDefinitions(db: Db, workspaceId: string, keys: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('block_definitions')
    .set({ archived_at: now, revision: sql`revision + 1`, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', 'in', keys)
    .execute()
}

export async function copyDefinitions(db: Db, from: string, to: string, now: Date): Promise<void> {
  await sql`
    insert into block_definitions (workspace_id, key, name, screen, crumb, fields, blank, in_campaigns, interruptive, design_type, created_at, updated_at)
    select ${to}, key, name, screen, crumb, fields, blank, in_campaigns, interruptive, design_type, ${now}, ${now}
    from block_definitions where workspace_id = ${from} and archived_at is null`.execute(db)
}

type Countable = { select(selection: unknown): { executeTakeFirstOrThrow(): Promise<unknown> } }

/** How many rows a filtered query has in all, for paging. */
export async function countOf(query: object): Promise<number> {
  const row = await (query as Countable).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return (row as { total: number }).total
}

function definitionColumns(definition: Definition) {
  return {
    key: definition.key,
    name: definition.name,
    screen: definition.screen,
    crumb: definition.crumb,
    fields: JSON.stringify(definition.fields),
    blank: JSON.stringify(definition.blank),
    in_campaigns: definition.inCampaigns,
    interruptive: definition.interruptive,
    design_type: definition.designType,
  }
}

function toDefinition(row: Selectable<BlockDefinitions>): StoredDefinition {
  return {
    key: row.key,
    name: row.name,
    screen: row.screen,
    crumb: row.crumb,
    fields: row.fields as Field[],
    blank: row.blank as JsonObject,
    inCampaigns: row.in_campaigns,
    interruptive: row.interruptive,
    designType: row.design_type as DesignType | null,
    revision: row.revision,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Screens on which these types stand, archived ones too. */
export async function listScreensOf(db: Db, workspaceId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('block_definitions')
    .select('screen')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('key', 'in', keys)
    .execute()
  return rows.map(({ screen }) => screen)
}
