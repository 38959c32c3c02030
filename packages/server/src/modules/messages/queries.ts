import { sql } from 'kysely'
import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { CONTROL_SALT } from '@contentflow/core/campaigns/control-group.ts'
import { HELD_OUT } from '@contentflow/core/experiments/holdout.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import type { TokenValues } from '@contentflow/core/messages/tokens.ts'
import type { WaitingMessage } from '@contentflow/core/messages/waiting.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../db/open.ts'
import { findHoldout, isHeldOutNow } from '../holdout/index.ts'
import { raiseInboxes } from '../people/index.ts'

/** `occasion`: which time the person gets it; 0: the only one. `position`: of its step in the journey, which orders what is made at once. */
export type JourneyMessage = {
  journeyId: string
  stepId: string
  position: number
  occasion: number
  content: LocalizedContent
  expiresAt: Date
  /** What events said, by person. */
  values?: ReadonlyMap<string, object>
  /** For how many days it stays in the inbox; undefined: it does not go there. */
  inboxDays?: number | undefined
}

/** Those that are made at one moment are so far apart, so that the oldest of them is the first one. */
const APART = sql`interval '1 microsecond'`

/** Writes the messages that are not there yet; answers the devices of those people. Whoever is held out gets one that is ended already, so that it is counted and never comes later. The id follows from step, person and time, so that once is once. */
export async function insertMessages(
  tx: Db,
  workspaceId: string,
  { journeyId, stepId, position, occasion, content, expiresAt, values, inboxDays }: JourneyMessage,
  profileIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const held = isHeldOutNow(await findHoldout(tx, workspaceId), now)
  const said = [...(values ?? [])].map(([person, each]) => ({ person, values: each }))
  const again = occasion === 0 ? '' : `/${occasion}`
  const days = inboxDays ?? null
  const isInbox = sql`(${days}::int is not null and not ${held})`
  const ids = sql`${[...profileIds]}::text[]`
  const { rows } = await sql<{ device_id: string }>`
    with raised as (${raiseInboxes(workspaceId, sql`id = any(${ids}) and ${isInbox}`)}),
    written as (
      insert into in_app_messages (workspace_id, id, profile_id, journey_id, step_id, content, created_at, expires_at, values, ended_at, ended_by,
        is_inbox, inbox_until, arrived)
      select ${workspaceId}, encode(sha256(convert_to(${`${journeyId}/${stepId}/`} || p.id || ${again}::text, 'UTF8')), 'hex'), p.id, ${journeyId}, ${stepId},
        ${JSON.stringify(content)}::jsonb, ${now}::timestamptz + ${position}::int * ${APART}, ${expiresAt}::timestamptz, said.values,
        case when ${held} then ${now}::timestamptz end, case when ${held} then ${HELD_OUT} end,
        ${isInbox}, case when ${isInbox} then ${now}::timestamptz + ${days}::int * interval '1 day' end, raised.inbox_revision
      from profiles p left join jsonb_to_recordset(${JSON.stringify(said)}::jsonb) as said (person text, values jsonb) on said.person = p.id
      left join raised on raised.id = p.id
      where p.workspace_id = ${workspaceId} and p.id = any(${ids})
      on conflict do nothing returning profile_id, ended_at)
    select device_id from devices where workspace_id = ${workspaceId} and profile_id in (select profile_id from written where ended_at is null)`.execute(
    tx,
  )
  return rows.map(({ device_id }) => device_id)
}

export type Audience = {
  live: number
  test: number
  hasCampaigns: boolean
  hasInApp: boolean
  /** Whether one of those has no end, and is older than its messages may become. */
  hasOldInApp: boolean
  hasMessages: boolean
  /** Whether any of the campaigns leaves some out. */
  hasControl: boolean
  /** What the campaigns say of whom they are shown to. */
  tokens: string[]
}

/** What there is in the workspace to be looked at for its people. */
export async function findAudience(db: Db, workspaceId: string, now: Date): Promise<Audience> {
  const shown = sql`c.workspace_id = ${workspaceId} and c.status in ('active', 'test')`
  const { rows } = await sql<Audience>`
    select
      coalesce((select revision from content_heads where workspace_id = ${workspaceId} and environment = 'live'), 0) as live,
      coalesce((select revision from content_heads where workspace_id = ${workspaceId} and environment = 'test'), 0) as test,
      exists(select from campaigns c where ${shown}) as "hasCampaigns",
      exists(select from campaigns c where ${shown} and 'in_app' = any(c.dispatch_channels)) as "hasInApp",
      exists(select from campaigns c where ${shown} and 'in_app' = any(c.dispatch_channels) and c.ends_at is null
        and c.live_since <= ${oldestOpen(now)}) as "hasOldInApp",
      exists(select from in_app_messages where workspace_id = ${workspaceId} and ended_at is null) as "hasMessages",
      exists(select from campaigns c where ${shown} and c.control_percent > 0) as "hasControl",
      array(select distinct unnest(c.tokens) from campaigns c where ${shown}) as tokens`.execute(db)
  return rows[0]!
}

/** Where a message of before is over when its campaign has no end (C-BLK-26). */
const oldestOpen = (now: Date) => new Date(now.getTime() - LIMITS.inAppDays * DAY_MS)

/** Somebody who may be shown messages, and since when they agreed; null: it does not matter. */
export type MessageAsked = { id: string; agreedAt: Date | null }

/**
 * A message of each in-app campaign that is live for each of these people it is for and who has none of it: exactly those
 * whose flag is true (A-41), by their stored membership. The id follows from campaign and person, so that once is once.
 * It is as old as if it had been written when the campaign went live, or when the campaign became one for this person (A-65);
 * of several at once the one of the highest priority is the oldest, then the one that was made first (G-97).
 */
export async function insertCampaignMessages(
  db: Db,
  workspaceId: string,
  people: readonly MessageAsked[],
  now: Date,
): Promise<{ withNewInbox: string[] }> {
  const held = isHeldOutNow(await findHoldout(db, workspaceId), now)
  const { rows } = await sql<{ profileId: string }>`
    with made as materialized (
      select encode(sha256(convert_to(c.id || '/' || p.id, 'UTF8')), 'hex') as id, p.id as profile_id, c.id as campaign_id, c.inbox_days,
        begun.at + row_number() over (partition by p.id order by c.priority desc, c.id) * ${APART} as created_at
      from unnest(${people.map(({ id }) => id)}::text[], ${people.map(({ agreedAt }) => agreedAt)}::timestamptz[]) as asked (id, agreed_at)
      cross join lateral (
        select id, environment, created_at from profiles
        where workspace_id = ${workspaceId} and id = asked.id and channels -> 'inApp' = 'true'::jsonb and not personal_opt_out offset 0) p
      cross join lateral (
        select id, segments, control_percent, live_since, ends_at, priority, inbox_days from campaigns
        where workspace_id = ${workspaceId} and ${isShownTo(now)} and 'in_app' = any(dispatch_channels) offset 0) c
      cross join lateral (
        select least(${now}::timestamptz, greatest(c.live_since, p.created_at, asked.agreed_at,
          case when not 'All users' = any(c.segments) then (select min(m.since) ${membershipIn(workspaceId)}) end)) as at offset 0) begun
      where ${isIn(workspaceId)} and not ${isHeldBack} and not ${held} and (c.ends_at is not null or begun.at > ${oldestOpen(now)})
        and not exists (select from in_app_messages o where o.workspace_id = ${workspaceId} and o.profile_id = p.id and o.campaign_id = c.id)),
    raised as (${raiseInboxes(workspaceId, sql`id in (select profile_id from made where inbox_days is not null)`)}),
    written as (
      insert into in_app_messages (workspace_id, id, profile_id, campaign_id, created_at, is_inbox, inbox_until, arrived)
      select ${workspaceId}, made.id, made.profile_id, made.campaign_id, made.created_at, made.inbox_days is not null,
        ${now}::timestamptz + made.inbox_days * interval '1 day', raised.inbox_revision
      from made left join raised on raised.id = made.profile_id
      order by made.campaign_id, made.profile_id
      on conflict do nothing returning profile_id, is_inbox)
    select distinct profile_id as "profileId" from written where is_inbox`.execute(db)
  return { withNewInbox: rows.map(({ profileId }) => profileId) }
}

/** Whether a campaign is shown in the environment of the person `p`. */
const isShownTo = (now: Date) =>
  sql`((status = 'active' or (status = 'test' and p.environment = 'test')) and (ends_at is null or ends_at > ${now}))`

/** Whether the person `p` is of the audience of the campaign `c`, by their stored membership. */
const isIn = (workspaceId: string) => sql`('All users' = any(c.segments) or exists (select ${membershipIn(workspaceId)}))`

/** The memberships of `p` in segments that `c` is for. */
const membershipIn = (workspaceId: string) => sql`from segment_members m
  where m.workspace_id = ${workspaceId} and m.profile_id = p.id and m.is_member and exists (
    select from segments s where s.workspace_id = ${workspaceId} and s.id = m.segment_id
      and (s.name = any(c.segments) or s.former_names && c.segments))`

/** As core says of one person (campaigns/control-group.ts): the first four bytes of SHA-256 as a number from 0. */
const isHeldBack = sql`(c.control_percent > 0 and ('x' || encode(substring(sha256(convert_to(
  p.id || ':' || c.id || ${sql.lit(CONTROL_SALT)}, 'UTF8')) from 1 for 4), 'hex'))::bit(32)::bigint % 100 < c.control_percent)`

/**
 * Of each campaign with a control group that is shown in apps, those of these people it is for: whoever is left out would
 * have seen it from now on as well. Whoever the workspace holds out is in neither group. One that only sends messages, and names no placement, notes people when they are written to.
 */
export async function noteCampaignPeople(db: Db, workspaceId: string, profileIds: readonly string[], now: Date): Promise<void> {
  const held = isHeldOutNow(await findHoldout(db, workspaceId), now)
  await sql`
    insert into campaign_people (workspace_id, profile_id, campaign_id, environment, is_control, noted_at)
    select ${workspaceId}, p.id, c.id, p.environment, ${isHeldBack}, ${now}::timestamptz
    from unnest(${[...profileIds]}::text[]) as asked (id)
    cross join lateral (
      select id, environment from profiles where workspace_id = ${workspaceId} and id = asked.id offset 0) p
    cross join lateral (
      select id, segments, control_percent from campaigns
      where workspace_id = ${workspaceId} and control_percent > 0 and ${isShownTo(now)}
        and (not dispatch_channels <@ ${[...SEND_CHANNELS]}::text[] or dispatch_channels = '{}'
          or jsonb_path_exists(content, '$.*.placementIds[*]')) offset 0) c
    where ${isIn(workspaceId)} and not ${held} and not exists (
      select from campaign_people k where k.workspace_id = ${workspaceId} and k.profile_id = p.id and k.campaign_id = c.id)
    order by c.id, p.id
    on conflict do nothing`.execute(db)
}

/** Of one person, the oldest; nobody reads more. */
const MESSAGES = 50

export type PersonRow = { id: string; memberOf: string[]; messages: WaitingMessage[] }

/**
 * What these people are members of, and what waits for them: of a campaign only what it shows now, and where two people
 * became one, one message of it, unless either of them ended theirs.
 */
export async function listPeople(db: Db, workspaceId: string, profileIds: readonly string[], now: Date): Promise<PersonRow[]> {
  const milliseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`
  const { rows } = await sql<PersonRow>`
    select p.id, p.member_of as "memberOf", coalesce(p.messages, '[]'::jsonb) as messages
    from unnest(${[...profileIds]}::text[]) as asked (id)
    cross join lateral (
      select id,
        array(select s.name from segment_members m join segments s on s.workspace_id = ${workspaceId} and s.id = m.segment_id
          where m.workspace_id = ${workspaceId} and m.profile_id = asked.id and m.is_member) as member_of,
        case when channels -> 'inApp' = 'true'::jsonb and not personal_opt_out then (
          select jsonb_agg(jsonb_build_object('id', w.id, 'campaignId', w.campaign_id, 'journeyId', w.journey_id, 'content', w.content, 'values', w.values,
            'createdAt', ${milliseconds('w.created_at')}, 'expiresAt', ${milliseconds('w.expires_at')}) order by w.created_at, w.id)
          from (
            select * from in_app_messages o
            where o.workspace_id = ${workspaceId} and o.profile_id = asked.id and o.ended_at is null
              and (o.expires_at is null or o.expires_at > ${now}) and ${isShown(workspaceId)}
              and not exists (
                select from in_app_messages e where e.workspace_id = ${workspaceId} and e.profile_id = asked.id
                  and e.campaign_id = o.campaign_id and (e.ended_at is not null or (e.created_at, e.id) < (o.created_at, o.id)))
            order by o.created_at, o.id limit ${MESSAGES}) w) end as messages
      from profiles where workspace_id = ${workspaceId} and id = asked.id
      offset 0) p`.execute(db)
  return rows
}

/** Whether the message `o` is one of a journey, or of a campaign that shows it now. */
const isShown = (workspaceId: string) => sql`(o.campaign_id is null or exists (
  select from campaigns c where c.workspace_id = ${workspaceId} and c.id = o.campaign_id and c.status in ('active', 'test')))`

export type ValuesRow = TokenValues & { id: string }

export async function listValues(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<ValuesRow[]> {
  const { rows } = await sql<ValuesRow>`
    select id, name, email, phone, user_id as "userId", traits as "customAttributes", enrichment from profiles
    where workspace_id = ${workspaceId} and id = any(${[...profileIds]}::text[])`.execute(db)
  return rows
}

/** An event that ends a message: by its id, else the person's oldest open one, of a campaign when one is named. */
export type MessageEnd = { profileId: string; messageId: string | null; campaignId: string | null; type: string }

/** Those of these people who have an open message. */
export async function listPeopleWithMessages(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct profile_id as id from in_app_messages
    where workspace_id = ${workspaceId} and profile_id = any(${[...profileIds]}::text[]) and ended_at is null`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Locks those of these people who have an open message that is in their inbox: its end is a change of the inbox. */
export async function lockInboxesToEnd(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<void> {
  await sql`
    select id from profiles where workspace_id = ${workspaceId} and id = any(${[...profileIds]}::text[]) and exists (
      select from in_app_messages o where o.workspace_id = ${workspaceId} and o.profile_id = profiles.id and o.ended_at is null and o.is_inbox)
    order by id for no key update`.execute(tx)
}

/** What ended: `read`, a message that was unread in the inbox until then. */
type Ended = 'display' | 'read'

/** G-33. Of several that it could be, one that the person can see comes first. In the inbox it stays, as read. Undefined: there was none. */
export async function endMessage(
  tx: Db,
  workspaceId: string,
  { profileId, messageId, campaignId, type }: MessageEnd,
  now: Date,
): Promise<Ended | undefined> {
  const { rows } = await sql<{ wasUnread: boolean }>`
    with found as materialized (
      select o.id, o.is_inbox and o.read_at is null as was_unread from in_app_messages o
      where o.workspace_id = ${workspaceId} and o.profile_id = ${profileId} and o.ended_at is null
        and case when ${messageId}::text is not null then o.id = ${messageId}::text
          when ${campaignId}::text is not null then o.campaign_id = ${campaignId}::text else true end
      order by ${isShown(workspaceId)} and (o.expires_at is null or o.expires_at > ${now}) desc, o.created_at, o.id
      limit 1 for update of o),
    ended as (
      update in_app_messages m set ended_at = ${now}, ended_by = ${type}, read_at = case when was_unread then ${now} else read_at end
      from found where m.workspace_id = ${workspaceId} and m.id = found.id returning was_unread),
    raised as (${raiseInboxes(workspaceId, sql`id = ${profileId} and exists (select from ended where was_unread)`)})
    select was_unread as "wasUnread" from ended`.execute(tx)
  const [ended] = rows
  return ended && (ended.wasUnread ? 'read' : 'display')
}

/** Whose messages may go: of a campaign that is over since before that moment, or of a draft, which is about to be deleted. `now`: what is in an inbox until later stays. */
export type Droppable = { overBefore: Date; now: Date } | 'draft'

/** Of a campaign, as long as it is what they may go of: at most `limit`, in no order, or all; says how many went. */
export async function dropMessagesOf(db: Db, workspaceId: string, campaignId: string, of: Droppable, limit?: number): Promise<number> {
  const mayGo = of === 'draft' ? sql`status = 'draft'` : sql`status in ('completed', 'expired') and updated_at <= ${of.overBefore}`
  const isKept = of === 'draft' ? sql`false` : sql`(is_inbox and inbox_until > ${of.now})`
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from in_app_messages where workspace_id = ${workspaceId} and id in (
        select id from in_app_messages where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and not ${isKept}
        limit ${limit ?? null}::bigint)
      and exists (select from campaigns where workspace_id = ${workspaceId} and id = ${campaignId} and ${mayGo})
      returning profile_id, is_inbox),
    raised as (${raiseInboxes(workspaceId, sql`id in (select profile_id from gone where is_inbox)`)})
    select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

export async function listDevicesOf(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    select device_id from devices where workspace_id = ${workspaceId} and profile_id = any(${[...profileIds]}::text[])`.execute(tx)
  return rows.map(({ device_id }) => device_id)
}
