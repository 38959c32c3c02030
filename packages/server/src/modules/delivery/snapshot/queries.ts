import { sql } from 'kysely'
import type { Field, JsonObject } from '@contentflow/core/blocks/field.ts'
import type { LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import type { Frequency, InstanceContent, Schedule, Translations, Variant } from '@contentflow/core/blocks/instance.ts'
import type { Holdout } from '@contentflow/core/experiments/holdout.ts'
import type { Features } from '@contentflow/core/features.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment, SignalOf } from '../../../infra/signals/signals.ts'
import { listCampaigns, shownIn, stampOf, type CampaignRow, type Stamped } from './queries-campaigns.ts'

/** The rows one snapshot is built from. A row that has not changed is the same object in the next snapshot's rows. */
export type SnapshotRows = {
  revision: number
  features: Partial<Features>
  sourceLocale: string | null
  linkSchemes: LinkSchemes
  holdout: Holdout | null
  /** Former names of segments, to their current names. */
  formerNames: { [former: string]: string }
  /** Block types by key. */
  definitions: StampedRows<DefinitionRow>
  instances: StampedRows<InstanceRow>
  /** The campaigns that clients of this view are shown. */
  campaigns: StampedRows<CampaignRow>
}
/** Rows by name and version, as `stampOf` writes them. */
type StampedRows<Row> = Map<string, Row>
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
  /** Bytes of the content. */
  bytes: number
}

/** Rows read at a time: a large answer would be taken in at one go, and everybody else would wait for it. */
const ROWS_AT_ONCE = 200

/**
 * Everything of one moment, in several statements: which rows there are in which version, then those that `known`
 * does not hold. A save among thousands of instances reads one.
 */
export async function loadSnapshotRows(
  db: Db,
  workspaceId: string,
  view: Environment,
  known?: SnapshotRows,
): Promise<SnapshotRows | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const found = await findStamps(tx, workspaceId, view)
      if (!found) return undefined
      const { revision, features, sourceLocale, linkSchemes, holdout, formerNames } = found
      return {
        revision,
        features,
        sourceLocale,
        linkSchemes,
        holdout,
        formerNames: formerNames ?? {},
        definitions: await fill(found.definitions, known?.definitions, (keys) => listDefinitions(tx, workspaceId, keys)),
        instances: await fill(found.instances, known?.instances, (ids) => listInstances(tx, workspaceId, view, ids)),
        campaigns: await fill(found.campaigns, known?.campaigns, (ids) => listCampaigns(tx, workspaceId, ids)),
      }
    })
}

async function fill<Row>(
  stamps: readonly string[],
  known: StampedRows<Row> | undefined,
  read: (names: string[]) => Promise<Stamped<Row>[]>,
): Promise<StampedRows<Row>> {
  const missing = known ? stamps.filter((stamp) => !known.has(stamp)) : stamps
  const fresh = new Map<string, Row>()
  for (let i = 0; i < missing.length; i += ROWS_AT_ONCE) {
    const names = missing.slice(i, i + ROWS_AT_ONCE).map((stamp) => stamp.slice(0, stamp.indexOf(' ')))
    for (const { stamp, row } of await read(names)) fresh.set(stamp, row)
  }
  const rows: StampedRows<Row> = new Map()
  for (const stamp of stamps) {
    const row = known?.get(stamp) ?? fresh.get(stamp)
    if (row !== undefined) rows.set(stamp, row)
  }
  return rows
}

/** The revision that clients of this view get. */
const servedOf = (view: Environment) => (view === 'live' ? sql<number>`live_revision` : sql<number>`coalesce(test_revision, live_revision)`)
/** When it was first published; where live content is also set for test alone, when it went live. */
const publishedAtOf = (view: Environment) =>
  view === 'live' ? sql<Date>`live_published_at` : sql<Date>`coalesce(live_published_at, test_published_at)`

/** Stamps come as one text each: thousands of small rows cost the driver ten times as much. */
async function findStamps(db: Db, workspaceId: string, view: Environment) {
  const row = await db
    .selectFrom('content_heads')
    .innerJoin('workspaces', 'workspaces.id', 'content_heads.workspace_id')
    .select(['content_heads.revision', 'workspaces.features'])
    .select(['workspaces.source_locale as sourceLocale', 'workspaces.link_schemes as linkSchemes', 'workspaces.holdout'])
    .select((eb) => [
      eb
        .selectFrom('block_definitions')
        .select(sql<string | null>`string_agg(${stampOf('key')}, ',' order by key)`.as('stamps'))
        .where('workspace_id', '=', workspaceId)
        .where('archived_at', 'is', null)
        .as('definitions'),
      eb
        .selectFrom('block_instances')
        .select(sql<string | null>`string_agg(${stampOf('id')}, ',')`.as('stamps'))
        .where('workspace_id', '=', workspaceId)
        .where(servedOf(view), 'is not', null)
        .as('instances'),
      eb
        .selectFrom('campaigns')
        .select(sql<string | null>`string_agg(${stampOf('id')}, ',')`.as('stamps'))
        .where('workspace_id', '=', workspaceId)
        .where('status', 'in', shownIn(view))
        .as('campaigns'),
      sql<{ [former: string]: string } | null>`(select jsonb_object_agg(f.name, s.name) from segments s, unnest(s.former_names) as f (name)
        where s.workspace_id = ${workspaceId})`.as('formerNames'),
    ])
    .where('content_heads.workspace_id', '=', workspaceId)
    .where('environment', '=', view)
    .executeTakeFirst()
  if (!row) return undefined
  const listed = (stamps: string | null) => (stamps === null ? [] : stamps.split(','))
  const features = row.features as Partial<Features>
  const linkSchemes = row.linkSchemes as LinkSchemes
  const holdout = row.holdout as Holdout | null
  const { definitions, instances, campaigns } = row
  return {
    ...row,
    features,
    linkSchemes,
    holdout,
    definitions: listed(definitions),
    instances: listed(instances),
    campaigns: listed(campaigns),
  }
}

async function listDefinitions(db: Db, workspaceId: string, keys: string[]): Promise<Stamped<DefinitionRow>[]> {
  const rows = await db
    .selectFrom('block_definitions')
    .select(['key', 'name', 'screen', 'fields', 'interruptive', 'design_type as designType', 'revision', stampOf('key').as('stamp')])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .execute()
  return rows.map(({ stamp, ...row }) => ({ stamp, row: row as DefinitionRow }))
}

async function listInstances(db: Db, workspaceId: string, view: Environment, ids: string[]): Promise<Stamped<InstanceRow>[]> {
  const { rows } = await sql<Served>`
    select i.id, i.block_key as "blockKey", r.number as version, ${publishedAtOf(view)} as "publishedAt", r.content,
      octet_length(r.content::text) as bytes, ${stampOf('id', 'i')} as stamp
    from block_instances i
    join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = ${servedOf(view)}
    where i.workspace_id = ${workspaceId} and i.id = any(${ids}::text[])`.execute(db)
  return rows.map(({ stamp, content, ...row }) => ({ stamp, row: { ...content, ...row } }))
}
type Served = Pick<InstanceRow, 'id' | 'blockKey' | 'version' | 'publishedAt' | 'bytes'> & { content: InstanceContent; stamp: string }

/** Lists the heads of every workspace whose content moved after `since`. */
export async function listMovedHeads(db: Db, since: Date): Promise<SignalOf<'content'>[]> {
  const rows = await db.selectFrom('content_heads').selectAll().where('changed_at', '>', since).execute()
  return rows.map((row) => ({
    kind: 'content',
    workspaceId: row.workspace_id,
    environment: row.environment,
    revision: row.revision,
    name: row.signal,
    signalId: row.signal_id,
  }))
}

/** The newest signal of an environment. */
export async function findHead(
  db: Db,
  workspaceId: string,
  view: Environment,
): Promise<{ signal: string | null; signalId: number; revision: number } | undefined> {
  const row = await db
    .selectFrom('content_heads')
    .select(['signal', 'signal_id', 'revision'])
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', view)
    .executeTakeFirst()
  return row && { signal: row.signal, signalId: row.signal_id, revision: row.revision }
}

export type DeviceRow = {
  environment: Environment
  consent: string
  segments: string[]
  expiresAt: Date
  /** When `segments` was computed. */
  evaluatedAt: Date | null
  profileId: string | null
  userId: string | null
  /** The epoch that its token was made with; null while it has none. */
  boundEpoch: number | null
  /** In-app messages are refused: by the person's choice, or with an opt-out of everything. */
  isInAppRefused: boolean
}

/** Reads devices, by device id. */
export async function listDevices(db: Db, workspaceId: string, deviceIds: readonly string[]): Promise<Map<string, DeviceRow>> {
  const { rows } = await sql<DeviceRow & { device_id: string }>`
    select d.* from unnest(${[...deviceIds]}::text[]) as asked (device_id)
    cross join lateral (
      select device_id, environment, consent, segments, expires_at as "expiresAt", evaluated_at as "evaluatedAt", profile_id as "profileId", p.user_id as "userId",
        (select epoch from device_bindings b where b.workspace_id = ${workspaceId} and b.device_id = asked.device_id and b.environment = devices.environment) as "boundEpoch",
        coalesce(p.is_refused, personal_opt_out or channels @> '{"inApp": false}') as "isInAppRefused" from devices
      left join lateral (
        select user_id, personal_opt_out or channels @> '{"inApp": false}' as is_refused from profiles
        where workspace_id = ${workspaceId} and id = devices.profile_id) p on true
      where workspace_id = ${workspaceId} and device_id = asked.device_id offset 0) d`.execute(db)
  return new Map(rows.map(({ device_id, ...row }) => [device_id, row]))
}
