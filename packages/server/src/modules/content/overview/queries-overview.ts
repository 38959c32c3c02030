/** Queries instances of all block types at once. Archived types and their instances are left out: the dashboard works on active ones. */
import { spellingsOf } from '@contentflow/core/locale/language-tag.ts'
import { sql, type RawBuilder } from 'kysely'
import type { DesignType } from '@contentflow/core/blocks/definition.ts'
import type { Field, JsonObject } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent, Translations } from '@contentflow/core/blocks/instance.ts'
import type { InstanceState } from '@contentflow/core/blocks/instance-state.ts'
import { EVERYONE } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { cursorOf, cursorParts, pageFrom, type Paged } from '@contentflow/core/paging.ts'
import { holdsText } from '../../../db/fold-text.ts'
import type { Db } from '../../../db/open.ts'
import { readPage } from '../../../db/pages.ts'
import { failWith } from '../../../errors.ts'
import { countOf } from '../revisions/queries.ts'
import { INSTANCE_BYTES, toInstance, type Instance } from '../revisions/queries-instances.ts'

/** A block type as a list shows it. */
export type TypeRow = { key: string; name: string; screen: string; designType: DesignType | null; fields: Field[] }

export type InstanceFilter = {
  screen?: string
  /** Only instances of block types that belong to no screen. */
  screenless?: boolean
  blockKey?: string
  /** Only the first so many of each block type. */
  perType?: number
  /** `changed`: the live revision has newer changes that are not published. `deleted` instances are in no other list. */
  state?: InstanceState | 'changed' | 'deleted'
  /** A segment's name; `All users` stands for none. */
  segment?: string
  /** Languages that must be complete, or must not be. */
  locale?: string
  missingLocale?: string
  /** Part of the title, the type's name or any text. */
  search?: string
  ids?: string[] | undefined
  /** A schedule that is not over before, and that begins before; or a publication that is planned between. */
  from?: Date | undefined
  to?: Date | undefined
}

/** The revision that clients get: the live one, else the one set for test, else the newest. */
const COUNTING = sql<number>`coalesce(i.live_revision, i.test_revision, i.version)`

const active = (db: Db, workspaceId: string) =>
  db
    .selectFrom('block_instances as i')
    .innerJoin('block_definitions as d', 'd.key', 'i.block_key')
    .innerJoin('instance_revisions as r', (join) => join.onRef('r.instance_id', '=', 'i.id').on('r.number', '=', COUNTING))
    .where('i.workspace_id', '=', workspaceId)
    .where('d.workspace_id', '=', workspaceId)
    .where('r.workspace_id', '=', workspaceId)
    .where('d.archived_at', 'is', null)

/** An instance as it was saved last, its content as clients get it, and when a revision of it is published next. */
export type Listed = { instance: Instance; served: InstanceContent; publishAt: Date | null }

/** Pages in the order of delivery: by block key, then priority, then publication. Unpublished instances come last in their priority. */
export async function pageAllInstances(
  db: Db,
  workspaceId: string,
  filter: InstanceFilter,
  { after, limit, now }: { after: string | undefined; limit: number; now: Date },
): Promise<Paged<Listed>> {
  const all = active(db, workspaceId).where(matches(workspaceId, filter, now))
  const page = all
    .selectAll('i')
    .select(['r.content as served', plannedFor(workspaceId).as('publishAt')])
    .select(sql<number>`octet_length(r.content::text) + ${INSTANCE_BYTES}`.as('bytes'))
    .$if(after !== undefined, (query) => query.where(isBehind(after ?? '')))
    .orderBy('i.block_key')
    .orderBy('i.priority', 'desc')
    .orderBy(PUBLISHED)
    .orderBy('i.id')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  const listed = rows.map(({ served, publishAt, ...row }): Listed => ({
    instance: toInstance(row),
    served: served as InstanceContent,
    publishAt,
  }))
  return pageFrom({ rows: listed, isLast }, await countOf(all), ({ instance }) => cursorOfInstance(instance))
}

const PUBLISHED = sql`coalesce(i.live_published_at, i.test_published_at, 'infinity')`

/** The place of an instance in the order above; with priority and time of the last item of the page, so that a save meanwhile loses nothing after it. */
function cursorOfInstance({ blockKey, priority, livePublishedAt, testPublishedAt, id }: Instance): string {
  return cursorOf(blockKey, priority, (livePublishedAt ?? testPublishedAt)?.toISOString() ?? 'infinity', id)
}

function isBehind(cursor: string): RawBuilder<boolean> {
  const [key, priority, published, id] = cursorParts(cursor) as [string, number, string, string]
  return sql<boolean>`(i.block_key, -i.priority, ${PUBLISHED}, i.id) > (${key}, ${-priority}::integer, ${published}::timestamptz, ${id})`
}

function matches(workspaceId: string, filter: InstanceFilter, now: Date): RawBuilder<boolean> {
  const conditions = [
    filter.screen !== undefined && sql`d.screen = ${filter.screen}`,
    filter.screenless === true && sql`d.screen = ''`,
    filter.blockKey !== undefined && sql`i.block_key = ${filter.blockKey}`,
    filter.state === 'deleted' ? sql`i.deleted_at is not null` : sql`i.deleted_at is null`,
    filter.state === 'changed' && sql`i.live_revision <> i.version`,
    filter.state !== undefined &&
      filter.state !== 'changed' &&
      filter.state !== 'deleted' &&
      sql`${stateOf(workspaceId, now)} = ${filter.state}`,
    filter.perType !== undefined && isAmongFirst(workspaceId, filter.perType),
    filter.segment !== undefined && isFor(filter.segment),
    filter.locale !== undefined && sql`not ${lacks(workspaceId, filter.locale)}`,
    filter.missingLocale !== undefined && lacks(workspaceId, filter.missingLocale),
    filter.search !== undefined && contains(filter.search),
    filter.ids !== undefined && sql`i.id = any(${filter.ids}::text[])`,
    (filter.from !== undefined || filter.to !== undefined) && touches(workspaceId, filter.from, filter.to),
  ]
  return sql<boolean>`(${sql.join([sql`true`, ...conditions.filter((each) => each !== false)], sql` and `)})`
}

/** `instanceState` in SQL. Times of schedules are ISO 8601 in UTC with milliseconds, so they compare as text. */
function stateOf(workspaceId: string, now: Date): RawBuilder<unknown> {
  const at = sql`${now.toISOString()}::text collate "C"`
  return sql`case when i.live_revision is null and i.test_revision is null 
      then case when ${plannedFor(workspaceId)} is null then 'draft' else 'scheduled' end
    when ${START} > ${at} then 'scheduled' when ${END} <= ${at} then 'ended'
    when i.live_revision is not null then 'live' else 'test' end`
}

/** When a revision is published next; null: none is planned. A publication that failed at its moment no longer counts. */
function plannedFor(workspaceId: string): RawBuilder<Date | null> {
  return sql<Date | null>`(select min(p.publish_at) from publications p
    where p.workspace_id = ${workspaceId} and p.instance_id = i.id and p.fault is null)`
}

/** The list is made once, as an array: it must not be made again for each row. */
function isAmongFirst(workspaceId: string, count: number): RawBuilder<unknown> {
  return sql`i.id = any(array(select id from (
    select i.id, row_number() over (partition by i.block_key order by i.priority desc, ${PUBLISHED}, i.id) as place
    from block_instances i where i.workspace_id = ${workspaceId} and i.deleted_at is null) placed where place <= ${count}))`
}

const START = sql`r.content -> 'schedule' ->> 'startTime'`
const END = sql`r.content -> 'schedule' ->> 'endTime'`
const SEG = sql`r.content ->> 'seg'`

/** Whether there is a schedule that reaches into this time, or a publication planned in it. */
function touches(workspaceId: string, from: Date | undefined, to: Date | undefined): RawBuilder<unknown> {
  const planned = plannedFor(workspaceId)
  const conditions = [
    from && sql`coalesce(${END} >= ${from.toISOString()}::text collate "C", true)`,
    to && sql`coalesce(${START} < ${to.toISOString()}::text collate "C", true)`,
  ]
  const schedule = sql.join(
    [sql`jsonb_typeof(r.content -> 'schedule') = 'object'`, ...conditions.filter((each) => each !== undefined)],
    sql` and `,
  )
  return sql`(${schedule} or ${planned} >= ${from ?? '-infinity'}::timestamptz and ${planned} < ${to ?? 'infinity'}::timestamptz)`
}

function isFor(segment: string): RawBuilder<unknown> {
  return segment === EVERYONE ? sql`(${SEG} is null or ${SEG} in ('', ${EVERYONE}))` : sql`${SEG} = ${segment}`
}

/** Whether a text of the base values has no translation. In the source language the base values are the texts. */
function lacks(workspaceId: string, locale: string): RawBuilder<unknown> {
  const spellings = spellingsOf(locale)
  const isEmpty = (value: RawBuilder<unknown>) => sql`coalesce(${value}, 'null') in ('null'::jsonb, '""'::jsonb, '[]'::jsonb)`
  const translated = sql`(select t.value from jsonb_each(i.translations) t where lower(t.key) = any(${spellings}::text[]) limit 1)`
  return sql`(not coalesce((select lower(source_locale) = any(${spellings}::text[]) from workspaces where id = ${workspaceId}), false) and exists (
    select from jsonb_array_elements(d.fields) f where f ->> 'type' in ('text', 'textarea')
      and not ${isEmpty(sql`i."values" -> (f ->> 'id')`)} and ${isEmpty(sql`${translated} -> (f ->> 'id')`)}))`
}

function contains(search: string): RawBuilder<unknown> {
  const found = (text: RawBuilder<unknown>) => holdsText(text, search)
  return sql`(${found(sql`i.title`)} or ${found(sql`d.name`)}
    or exists (select from jsonb_each_text(i."values") v where ${found(sql`v.value`)})
    or exists (select from jsonb_each(i.translations) t, jsonb_each_text(t.value) v where ${found(sql`v.value`)}))`
}

/** Block types by key. */
export async function findTypes(db: Db, workspaceId: string, keys: readonly string[]): Promise<Map<string, TypeRow>> {
  const rows = await db
    .selectFrom('block_definitions')
    .select(['key', 'name', 'screen', 'design_type as designType', 'fields'])
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...new Set(keys)]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.key, row as TypeRow]))
}

// --- what there is now, and what comes ---

export type ScreenRow = {
  screen: string
  /** Block types, and those of them that show something. */
  blockTypes: number
  liveBlockTypes: number
  /** Instances that live keys get now, for all segments and for everyone. */
  liveInstances: number
  forEveryone: number
  /** Names of the segments that the other instances target. */
  segments: string[]
}

/** Every screen that a block type names, by name. */
export async function listScreens(db: Db, workspaceId: string, now: Date): Promise<ScreenRow[]> {
  const { rows } = await sql<ScreenRow>`
    select d.screen, count(distinct d.key) as "blockTypes", count(distinct i.block_key) as "liveBlockTypes", count(i.id) as "liveInstances",
      count(i.id) filter (where ${isFor(EVERYONE)}) as "forEveryone",
      coalesce(array_agg(distinct ${SEG} order by ${SEG}) filter (where i.id is not null and not ${isFor(EVERYONE)}), '{}') as segments
    from block_definitions d
    left join (block_instances i
      join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = i.live_revision)
      on i.workspace_id = ${workspaceId} and i.block_key = d.key and ${stateOf(workspaceId, now)} = 'live'
    where d.workspace_id = ${workspaceId} and d.archived_at is null
    group by d.screen order by d.screen`.execute(db)
  return rows
}

export type CountsRow = { blockKey: string; screen: string; instances: number; live: number; changed: number }

/** Counts the instances of each block type, how many of them live keys get now, and how many have unpublished changes; by key. */
export async function countInstances(db: Db, workspaceId: string, now: Date): Promise<CountsRow[]> {
  const { rows } = await sql<CountsRow>`
    select d.key as "blockKey", d.screen, count(i.id) as instances, count(i.id) filter (where ${stateOf(workspaceId, now)} = 'live') as live,
      count(i.id) filter (where i.live_revision <> i.version) as changed
    from block_definitions d
    left join (block_instances i
      join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = ${COUNTING})
      on i.workspace_id = ${workspaceId} and i.block_key = d.key and i.deleted_at is null
    where d.workspace_id = ${workspaceId} and d.archived_at is null
    group by d.key, d.screen order by d.key`.execute(db)
  return rows
}

export type TurnRow = {
  at: string
  change: 'starts' | 'ends' | 'publishes'
  instanceId: string
  title: string
  blockKey: string
  blockName: string
  screen: string
  seg: string | null
  isLive: boolean
  fields: Field[]
  values: JsonObject
  translations: Translations
}

/** Lists the starts and ends of published instances, and planned publications, after `now` and at most at `until`; the soonest first. */
export async function listTurns(db: Db, workspaceId: string, now: Date, until: Date, limit: number): Promise<TurnRow[]> {
  const { rows } = await sql<TurnRow>`
    select turn.at, turn.change, i.id as "instanceId", i.title, i.block_key as "blockKey", d.name as "blockName", d.screen, ${SEG} as seg,
      i.live_revision is not null as "isLive", d.fields,
      r.content -> 'values' as "values", r.content -> 'translations' as translations
    from block_instances i
    join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = coalesce(i.live_revision, i.test_revision)
    join block_definitions d on d.workspace_id = ${workspaceId} and d.key = i.block_key
    cross join lateral (values (${START}, 'starts'), (${END}, 'ends')) as turn (at, change)
    where i.workspace_id = ${workspaceId} and d.archived_at is null
      and turn.at > ${now.toISOString()}::text collate "C" and turn.at <= ${until.toISOString()}::text collate "C"
    union all
    select to_char(p.publish_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'publishes', i.id, i.title, i.block_key, d.name, d.screen,
      ${SEG}, 'live' = any(p.environments), d.fields, r.content -> 'values', r.content -> 'translations'
    from publications p
    join block_instances i on i.workspace_id = ${workspaceId} and i.id = p.instance_id
    join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = p.instance_id and r.number = p.revision
    join block_definitions d on d.workspace_id = ${workspaceId} and d.key = i.block_key
    where p.workspace_id = ${workspaceId} and p.fault is null and d.archived_at is null and p.publish_at > ${now} and p.publish_at <= ${until}
    order by 1, 3, 2 limit ${limit}`.execute(db)
  return rows
}

type Waiting = {
  stringsInReview: number
  sensorRequests: number
  drafts: number
  changes: number
  reviews: number
  campaignReviews: number
  scheduledCampaigns: number
  subjectRequests: number
}

/** Counts what waits for a member: translations in review, requested sensors, instances that are published nowhere, unpublished changes of live ones, requests to publish, and campaigns that were submitted or have a requested change; campaigns that start before `soon`; and requests of people about their data. */
export async function countWaiting(db: Db, workspaceId: string, soon: Date): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select
      (select count(*) from translations t
        where t.workspace_id = ${workspaceId} and t.status = 'review' and t.locale <> coalesce(w.source_locale, '')
          and not (select is_hidden from strings s where s.workspace_id = ${workspaceId} and s.key = t.key)) as "stringsInReview",
      (select count(*) from sensor_requests where workspace_id = ${workspaceId}) as "sensorRequests",
      (select count(*) from block_instances i join block_definitions d on d.workspace_id = ${workspaceId} and d.key = i.block_key
        where i.workspace_id = ${workspaceId} and d.archived_at is null and i.deleted_at is null
          and i.live_revision is null and i.test_revision is null and ${plannedFor(workspaceId)} is null) as drafts,
      (select count(*) from block_instances i join block_definitions d on d.workspace_id = ${workspaceId} and d.key = i.block_key
        where i.workspace_id = ${workspaceId} and d.archived_at is null and i.live_revision <> i.version) as changes,
      (select count(*) from reviews where workspace_id = ${workspaceId} and status = 'pending') as reviews,
      (select count(*) from campaigns where workspace_id = ${workspaceId} and status = 'pending_review')
        + (select count(*) from campaign_edits where workspace_id = ${workspaceId} and status = 'pending') as "campaignReviews",
      (select count(*) from campaigns where workspace_id = ${workspaceId} and status = 'scheduled' and starts_at < ${soon}::timestamptz)
        as "scheduledCampaigns",
      (select count(*) from subject_requests where workspace_id = ${workspaceId} and state in ('open', 'verifying')) as "subjectRequests"
    from workspaces w where w.id = ${workspaceId}`.execute(db)
  return rows[0] ?? failWith(404, 'workspace not found')
}
