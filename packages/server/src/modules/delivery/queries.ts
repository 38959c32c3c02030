import { sql } from 'kysely'
import type { Field, JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Frequency, Schedule, Translations, Variant } from '@contentflow/core/blocks/instance.ts'
import type { Features } from '@contentflow/core/features.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals.ts'

/** The rows one snapshot is built from. */
export type SnapshotRows = {
  revision: number
  features: Partial<Features>
  sourceLocale: string | null
  definitions: DefinitionRow[]
  instances: InstanceRow[]
}
export type DefinitionRow = {
  key: string
  name: string
  screen: string
  fields: Field[]
  interruptive: boolean | null
  designType: string | null
  revision: number
}
export type InstanceRow = {
  id: string
  blockKey: string
  values: JsonObject
  seg: string | null
  priority: number
  schedule: Schedule | null
  variants: Variant[]
  translations: Translations
  frequency: Frequency | null
  version: number
  publishedAt: Date
}

/** The head is read first: rows newer than the revision they are filed under are read again at its signal; older ones would stay. */
export async function loadSnapshotRows(db: Db, workspaceId: string, view: Environment): Promise<SnapshotRows | undefined> {
  const head = await db
    .selectFrom('content_heads')
    .innerJoin('workspaces', 'workspaces.id', 'content_heads.workspace_id')
    .select(['content_heads.revision', 'workspaces.features', 'workspaces.source_locale'])
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', view)
    .executeTakeFirst()
  if (!head) return undefined
  const definitions = await db
    .selectFrom('block_definitions')
    .select(['key', 'name', 'screen', 'fields', 'interruptive', 'design_type as designType', 'revision'])
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('key')
    .execute()
  const publishedAt = view === 'live' ? sql<Date>`live_published_at` : sql<Date>`coalesce(live_published_at, test_published_at)`
  const instances = await db
    .selectFrom('block_instances')
    .select([
      'id',
      'block_key as blockKey',
      'values',
      'seg',
      'priority',
      'schedule',
      'variants',
      'translations',
      'frequency',
      'version',
      publishedAt.as('publishedAt'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where(publishedAt, 'is not', null)
    .execute()
  return {
    revision: head.revision,
    features: head.features as Partial<Features>,
    sourceLocale: head.source_locale,
    definitions: definitions as DefinitionRow[],
    instances: instances as InstanceRow[],
  }
}

/** The newest signal of an environment. */
export async function findHead(
  db: Db,
  workspaceId: string,
  view: Environment,
): Promise<{ signal: string | null; signalId: number } | undefined> {
  const row = await db
    .selectFrom('content_heads')
    .select(['signal', 'signal_id'])
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', view)
    .executeTakeFirst()
  return row && { signal: row.signal, signalId: row.signal_id }
}

export type DeviceRow = { environment: Environment; consent: string; segments: string[]; expiresAt: Date }

export async function findDevice(db: Db, workspaceId: string, deviceId: string): Promise<DeviceRow | undefined> {
  const row = await db
    .selectFrom('devices')
    .select(['environment', 'consent', 'segments', 'expires_at as expiresAt'])
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return row as DeviceRow | undefined
}
