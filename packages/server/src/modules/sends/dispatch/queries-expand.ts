/** The audience of a dispatch written into the ledger, some thousands at a time, by the order of people's ids. */
import { sql, type RawBuilder } from 'kysely'
import { NO_PROVIDER, type ChannelType } from '@contentflow/core/channels/channel.ts'
import { answerOf, type JudgedTopic } from '@contentflow/core/identity/consent/topics.ts'
import type { Recipient } from '@contentflow/core/messages/judge.ts'
import type { Db } from '../../../db/open.ts'
import { CARRIER } from './queries-ledger.ts'
import { isUnconfirmed, recipientOf, toRecipient, type RecipientRow } from '../queries-recipients.ts'

/** Ids of the segments of these names, also of former ones; null: everybody. */
export async function findAudience(db: Db, workspaceId: string, names: readonly string[]): Promise<string[] | null> {
  if (names.includes('All users')) return null
  const { rows } = await sql<{ id: string }>`
    select id from segments where workspace_id = ${workspaceId}
      and (name = any(${[...names]}::text[]) or former_names && ${[...names]}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whom a message is for, over which channel, and what it is about; undefined: nothing that people decide about by itself. */
export type Asked = { channel: ChannelType; audience: string[] | null; topic: JudgedTopic | undefined }

type Step = {
  dispatchId: string
  channel: ChannelType
  topic: JudgedTopic | undefined
  audience: string[] | null
  cursor: string | null
  taken: number
  most: number
  limit: number
  /** Whether anybody can be written to; else whoever is in reach failed. */
  hasProvider: boolean
  now: Date
}
/** `cursor`: null when nobody is left. */
export type Stepped = { cursor: string | null; taken: number }

/**
 * Judges what SQL can (core/messages/judge.ts says the same of one person) and writes who gets the message and who does not,
 * and why. Whoever was skipped before, or failed for want of a provider, is judged anew; whoever was reached stays reached.
 */
export async function expandStep(tx: Db, workspaceId: string, step: Step): Promise<Stepped> {
  const { dispatchId, channel, topic, audience, cursor, taken, most, limit, hasProvider, now } = step
  const failure = hasProvider ? null : NO_PROVIDER
  const { rows } = await sql<{ last: string | null; read: number; taken: number }>`
    with page as materialized (${pageOf(workspaceId, { channel, topic, audience }, { after: cursor ?? '', limit })}),
    judged as materialized (
      select page.id, page.reason, case when s.state = 'failed' and s.reason = ${NO_PROVIDER} then 'skipped' else s.state end as before
      from page
      left join lateral (
        select state, reason from sends
        where workspace_id = ${workspaceId} and dispatch_id = ${dispatchId} and profile_id = page.id and ${hasLines(workspaceId, dispatchId, cursor ?? '')}
        offset 0) s on true
      where page.environment = 'live'),
    counted as materialized (
      select id, reason, count(*) filter (where reason is null and before is distinct from 'due') over (order by id) + ${taken} as place
      from judged where before is null or before = 'skipped'),
    written as (
      insert into sends (workspace_id, dispatch_id, profile_id, state, reason, due_at, created_at, updated_at)
      select ${workspaceId}, ${dispatchId}, id, case when verdict is not null then 'skipped' when ${failure}::text is null then 'due' else 'failed' end,
        coalesce(verdict, ${failure}::text), case when verdict is null and ${failure}::text is null then ${now}::timestamptz end, ${now}::timestamptz, ${now}::timestamptz
      from (select id, case when reason is not null then reason when place > ${most} then 'capped' end as verdict from counted) as v
      on conflict (workspace_id, dispatch_id, profile_id) do update set state = excluded.state, reason = excluded.reason,
        due_at = excluded.due_at, updated_at = excluded.updated_at
        where sends.state = 'skipped' or (sends.state = 'failed' and sends.reason = ${NO_PROVIDER})
      returning state)
    select (select max(id) from page) as last, (select count(*) from page)::integer as read,
      ${taken} + (select count(*) from written where state <> 'skipped')::integer as taken`.execute(tx)
  const { last, read, taken: now_taken } = rows[0]!
  return { cursor: read < limit ? null : last, taken: now_taken }
}

/** Why nothing is sent to the person `p`, as far as SQL knows; null: nothing is in the way. */
function barOf(workspaceId: string, { channel, topic }: Omit<Asked, 'audience'>): RawBuilder<unknown> {
  return sql`case
    when p.personal_opt_out then 'pdpl_opt_out'
    when p.channels -> ${channel} is distinct from 'true'::jsonb then 'noConsent'
    when ${topic ? isUnwanted(topic, channel) : sql`false`} then 'topicOptOut'
    when not ${hasContact(workspaceId, channel)} then 'noContact'
    when ${channel === 'email' ? isUnconfirmed(workspaceId) : sql`false`} then 'emailNotConfirmed' end`
}

/** Of `p`: whether they do not want messages about it over this channel (`wantsTopic`). */
function isUnwanted({ id, mode }: JudgedTopic, channel: ChannelType): RawBuilder<boolean> {
  return sql`coalesce(p.consent_topics -> ${answerOf(id, channel)}::text, p.consent_topics -> ${id}::text,
    ${mode === 'opt_out' ? sql`'true'::jsonb` : sql`'false'::jsonb`}) <> 'true'::jsonb`
}

/** How many of an audience nothing bars, and how many what does. */
export async function countBars(db: Db, workspaceId: string, asked: Asked): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ reason: string | null; count: number }>`
    select ${barOf(workspaceId, asked)} as reason, count(*)::integer as count from profiles p
    where p.workspace_id = ${workspaceId} and p.environment = 'live' and ${isIn(workspaceId, asked.audience)} group by 1`.execute(db)
  return new Map(rows.map(({ reason, count }) => [reason, count]))
}

/** Those that nothing bars, in the order in which they are written to. */
export async function listReachable(
  db: Db,
  workspaceId: string,
  asked: Asked,
  { after, limit }: { after: string; limit: number },
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select ${recipientOf(workspaceId)} from profiles p
    where p.workspace_id = ${workspaceId} and p.environment = 'live' and p.id > ${after} and ${isIn(workspaceId, asked.audience)}
      and ${barOf(workspaceId, asked)} is null
    order by p.id limit ${limit}`.execute(db)
  return rows
}

function isIn(workspaceId: string, audience: string[] | null): RawBuilder<unknown> {
  return audience === null
    ? sql`true`
    : sql`exists (select from segment_members m where m.workspace_id = ${workspaceId} and m.segment_id = any(${audience}::text[])
        and m.profile_id = p.id and m.is_member)`
}

type Page = { after: string; limit: number }

/**
 * The next people of an audience, and what bars them. Each by its key, whatever the planner believes: of tables that grew a
 * moment ago it knows nothing, and would compare everybody with everybody.
 */
function pageOf(workspaceId: string, asked: Asked, { after, limit }: Page): RawBuilder<unknown> {
  const { audience } = asked
  const judged = sql`select p.id, p.environment, ${barOf(workspaceId, asked)} as reason from profiles p where p.workspace_id = ${workspaceId}`
  if (audience === null) return sql`${judged} and p.id > ${after} order by p.id limit ${limit}`
  // Members are read by the key of each segment: the planner would otherwise look for a small segment among all people.
  return sql`
    select p.* from (
      select distinct m.profile_id as id from unnest(${audience}::text[]) as wanted (segment)
      cross join lateral (
        select profile_id from segment_members
        where workspace_id = ${workspaceId} and segment_id = wanted.segment and is_member and profile_id > ${after}
        order by profile_id limit ${limit}) as m
      order by id limit ${limit}) as member
    cross join lateral (${judged} and p.id = member.id offset 0) as p`
}

/** Whether the dispatch has lines of people from here on: the first time it has none, and nobody has to be looked for. */
function hasLines(workspaceId: string, dispatchId: string, after: string): RawBuilder<unknown> {
  return sql`(select exists(select from sends where workspace_id = ${workspaceId} and dispatch_id = ${dispatchId} and profile_id > ${after}))`
}

function hasContact(workspaceId: string, channel: ChannelType): RawBuilder<unknown> {
  if (channel === 'email') return sql`(coalesce(p.email, '') <> '' and p.closed_contacts #>> '{email,contact}' is distinct from p.email)`
  if (channel !== 'push')
    return sql`(coalesce(p.phone, '') <> '' and p.closed_contacts #>> array[${channel}::text, 'contact'] is distinct from p.phone)`
  return sql`exists (select from push_registrations r
    where r.workspace_id = ${workspaceId} and r.profile_id = p.id and ${isCarried(workspaceId)})`
}

/** Of `r`, a token: whether an active channel is of its provider (G-87). Where there is no channel at all it is for want of one that nothing leaves. */
function isCarried(workspaceId: string): RawBuilder<unknown> {
  const active = sql`array(select provider from channels where workspace_id = ${workspaceId} and type = 'push' and is_active)`
  return sql`(${CARRIER} = any(${active}) or cardinality(${active}) = 0)`
}

/** These people, as far as they are live, as they would be judged now. */
export async function listRecipients(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<Recipient[]> {
  const { rows } = await sql<RecipientRow & { hasPush: boolean }>`
    select ${recipientOf(workspaceId)}, ${hasContact(workspaceId, 'push')} as "hasPush" from profiles p
    where p.workspace_id = ${workspaceId} and p.id = any(${[...profileIds]}::text[]) and p.environment = 'live'`.execute(db)
  return rows.map((row) => toRecipient(row, row.hasPush))
}
