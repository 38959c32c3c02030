/** Which devices did what with a campaign, counted with the events that say so. */
import { sql } from 'kysely'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import { COUNTED_TYPES, COUNTS } from '@contentflow/core/events/counted-as.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { isCountedType, whereInBatches, type EventBatch } from './queries-counts.ts'

/** `isLive`: live apps reported something that counts. */
export type TouchedCampaign = { id: string; name: string; content: LocalizedContent; isLive: boolean }

/** The campaigns that events of these batches name; other names are nobody's. */
export async function listTouchedCampaigns(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<TouchedCampaign[]> {
  const counted = COUNTS.flatMap((count) => COUNTED_TYPES[count])
  const { rows } = await sql<TouchedCampaign>`
    with named as materialized (
      select campaign_id as id, bool_or(environment = 'live' and type = any(${counted}::text[])) as is_live from events
      where ${whereInBatches(workspaceId, batches)} and campaign_id is not null group by 1)
    select c.id, c.name, c.content, n.is_live as "isLive" from named n
    join campaigns c on c.workspace_id = ${workspaceId} and c.id = n.id`.execute(tx)
  return rows
}

/** Languages that are told apart; devices with others count as those that asked for none. */
const TAGS = 1_000

/** The languages that the devices of these events asked for last, and the one the workspace writes in. */
export async function listAskedLocales(
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
): Promise<{ asked: string[]; source: string | null }> {
  const { rows } = await sql<{ asked: string[]; source: string | null }>`
    select w.source_locale as source, array(
      select distinct (select locale from devices where workspace_id = ${workspaceId} and device_id = e.device_id) as tag
      from (select distinct device_id from events where ${whereInBatches(workspaceId, batches)} and campaign_id is not null) e
      order by 1 limit ${TAGS}) as asked
    from workspaces w where w.id = ${workspaceId}`.execute(tx)
  return { asked: (rows[0]?.asked ?? []).filter((tag) => tag !== null), source: rows[0]?.source ?? null }
}

/** What is shown to whom. `tag`: the language that was asked for, empty for none. */
export type TextPick = { campaign_id: string; tag: string; locale: string }
/** G-73: the variant of those whose bucket of `total` is from `low` to before `high`. */
export type Slice = { campaign_id: string; locale: string; variant_id: string; low: number; high: number; total: number }

/** The first four bytes of SHA-256 as a number from 0, as `hash32` reads them. */
const BUCKET = sql`('x' || encode(substring(sha256(convert_to(device_id || ':' || campaign_id, 'UTF8')) from 1 for 4), 'hex'))::bit(32)::bigint`

/**
 * Notes each device once for each campaign, with the first time it clicked and converted, and adds to the counts what is new
 * of that. Whoever counts is alone with it, so what is read here is still so when it is written.
 */
export async function addCampaignDevices(
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
  { picks, slices }: { picks: readonly TextPick[]; slices: readonly Slice[] },
): Promise<void> {
  const tags = [...new Set(picks.map(({ tag }) => tag))]
  const counted = COUNTS.flatMap((count) => COUNTED_TYPES[count])
  await sql`
    with acted as materialized (
      select campaign_id, environment, device_id, ${BUCKET} as bucket, min(received_at) as at,
        bool_or(${isCountedType(sql`type`, 'clicks')}) as clicks, bool_or(${isCountedType(sql`type`, 'conversions')}) as converts
      from events where ${whereInBatches(workspaceId, batches)}
        and campaign_id = any(${[...new Set(picks.map(({ campaign_id }) => campaign_id))]}::text[]) and type = any(${counted}::text[])
      group by 1, 2, 3),
    placed as materialized (
      select a.*, coalesce(p.locale, '') as locale, coalesce(v.variant_id, '') as variant_id, k.device_id is null as is_new,
        a.clicks and not coalesce(k.has_clicked, false) as is_click, a.converts and not coalesce(k.has_converted, false) as is_conversion
      from acted a
      left join lateral (
        select locale from devices where workspace_id = ${workspaceId} and device_id = a.device_id offset 0) d on true
      left join lateral (
        select device_id, has_clicked, has_converted from campaign_devices where workspace_id = ${workspaceId}
          and device_id = a.device_id and environment = a.environment and campaign_id = a.campaign_id offset 0) k on true
      left join jsonb_to_recordset(${JSON.stringify(picks)}::jsonb) as p (campaign_id text, tag text, locale text)
        on p.campaign_id = a.campaign_id and p.tag = case when d.locale = any(${tags}::text[]) then d.locale else '' end
      left join jsonb_to_recordset(${JSON.stringify(slices)}::jsonb)
          as v (campaign_id text, locale text, variant_id text, low bigint, high bigint, total bigint)
        on v.campaign_id = a.campaign_id and v.locale = p.locale and a.bucket % v.total >= v.low and a.bucket % v.total < v.high),
    written as (
      insert into campaign_devices as c (workspace_id, device_id, environment, campaign_id, day, has_clicked, has_converted)
      select ${workspaceId}, device_id, environment, campaign_id, (at at time zone 'UTC')::date, clicks, converts
      from placed where is_new or is_click or is_conversion order by device_id, environment, campaign_id
      on conflict (workspace_id, device_id, environment, campaign_id) do update
        set has_clicked = c.has_clicked or excluded.has_clicked, has_converted = c.has_converted or excluded.has_converted)
    insert into campaign_counts as c (workspace_id, campaign_id, environment, variant_id, locale, seen, clicked, converted)
    select ${workspaceId}::text, campaign_id, environment, variant_id, locale, count(*) filter (where is_new), count(*) filter (where is_click),
      count(*) filter (where is_conversion)
    from placed where is_new or is_click or is_conversion group by 2, 3, 4, 5 order by 2, 3, 4, 5
    on conflict (workspace_id, campaign_id, environment, variant_id, locale) do update
      set seen = c.seen + excluded.seen, clicked = c.clicked + excluded.clicked, converted = c.converted + excluded.converted`.execute(tx)
}

/** Not over: people may still get it. */
export const RUNS = sql`status in ('active', 'test', 'paused')`

/** Whether any campaign that is not over leaves some out. */
export async function hasControlGroups(tx: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from campaigns where workspace_id = ${workspaceId} and ${RUNS} and control_percent > 0 limit 1`.execute(tx)
  return rows.length > 0
}

/** Of campaigns with a control group that are not over: whoever converted after they were noted, in whichever group. */
export async function noteConversions(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<void> {
  const { rows } = await sql<{ profile_id: string; campaign_id: string }>`
    with converted as materialized (
      select coalesce((select into_id from absorbed_profiles where workspace_id = ${workspaceId} and profile_id = e.profile_id),
        e.profile_id) as profile_id, max(e.received_at) as at
      from events e where ${whereInBatches(workspaceId, batches)} and ${isCountedType(sql`e.type`, 'conversions')} group by 1)
    select c.profile_id, k.campaign_id from converted c
    cross join lateral (
      select campaign_id from campaign_people where workspace_id = ${workspaceId} and profile_id = c.profile_id
        and not has_converted and noted_at <= c.at offset 0) k
    where exists (select from campaigns where workspace_id = ${workspaceId} and id = k.campaign_id and ${RUNS} offset 0)
    order by 1, 2`.execute(tx)
  if (rows.length === 0) return
  await sql`
    update campaign_people set has_converted = true
    from unnest(${rows.map(({ profile_id }) => profile_id)}::text[], ${rows.map(({ campaign_id }) => campaign_id)}::text[])
      as done (profile_id, campaign_id)
    where campaign_people.workspace_id = ${workspaceId} and campaign_people.profile_id = done.profile_id
      and campaign_people.campaign_id = done.campaign_id`.execute(tx)
}

export type CampaignCounts = { variantId: string; locale: string; seen: number; clicked: number; converted: number }

/** Counts of a campaign by variant and language: few rows, however many devices. */
export async function listCampaignCounts(
  db: Db,
  workspaceId: string,
  campaignId: string,
  environment: Environment,
): Promise<CampaignCounts[]> {
  return db
    .selectFrom('campaign_counts')
    .select(['variant_id as variantId', 'locale', 'seen', 'clicked', 'converted'])
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', '=', campaignId)
    .where('environment', '=', environment)
    .orderBy('variant_id')
    .orderBy('locale')
    .execute()
}

/** Devices of the campaigns that went live since then, and `daily`: how many came to one of them on a day. */
export async function sumRecentCampaigns(
  db: Db,
  workspaceId: string,
  since: Date,
  now: Date,
): Promise<{ seen: number; clicked: number; converted: number; daily: number }> {
  const { rows } = await sql<{ seen: number; clicked: number; converted: number; daily: number }>`
    select coalesce(sum(seen), 0)::bigint as seen, coalesce(sum(clicked), 0)::bigint as clicked,
      coalesce(sum(converted), 0)::bigint as converted, coalesce(avg(seen / days), 0)::double precision as daily
    from (
      select greatest(extract(epoch from ${now}::timestamptz - c.live_since) / 86400, 1) as days,
        sum(k.seen) as seen, sum(k.clicked) as clicked, sum(k.converted) as converted
      from campaigns c join campaign_counts k on k.workspace_id = ${workspaceId} and k.campaign_id = c.id and k.environment = 'live'
      where c.workspace_id = ${workspaceId} and c.live_since >= ${since} group by c.id, c.live_since) as recent`.execute(db)
  return rows[0]!
}
