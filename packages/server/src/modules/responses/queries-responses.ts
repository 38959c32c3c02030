/** What people and machines did with messages, and its sums. */
import { sql } from 'kysely'
import type { Hit, HitClass } from '@contentflow/core/messages/responses/hit.ts'
import type { Counted, NodeCount } from '@contentflow/core/messages/responses/count-responses.ts'
import type { TrackedContent } from '@contentflow/core/messages/responses/tracked-nodes.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { dueTable, type DueRow, type DueTable } from '../../infra/due/queries-due.ts'
import type { FollowedLink } from './tracked-links.ts'

/** A verdict waits so long for what follows a hit, and so long at most. Milliseconds. */
const [SETTLE_MS, SETTLE_WITHIN_MS] = [30_000, 120_000]
/** Hits of one message to one person that are kept: more is a machine. */
const MOST_HITS = 100

export type DueResponses = DueRow & { profile_id: string; hits: Hit[] }
export type HeldResponses = {
  id: string
  dispatchId: string
  profileId: string
  environment: Environment
  variantId: string
  sentAt: Date
  hits: Hit[]
  counted: Counted | null
}

export function responsesTable(db: Db): DueTable<DueResponses> {
  return dueTable<DueResponses>(db, 'send_responses')
}

/** A hit that nobody has written yet. `at`: milliseconds. */
export type NewHit = Omit<FollowedLink, 'url'> & { at: number; class: HitClass }

/**
 * Of people who are there, and of messages that are. Of who was merged since, the person they are now. Bounds stand in the text of
 * the statement: Citus sends `do update` to its machines without the parameters before them.
 */
export async function insertHits(db: Db, workspaceId: string, hits: readonly NewHit[], now: Date): Promise<void> {
  const rows = hits.map(({ dispatchId, profileId, variantId, sentAt, node, at, class: kind }) => ({
    dispatch: dispatchId,
    person: profileId,
    variant: variantId,
    sent: sentAt,
    hit: {
      node,
      at,
      class: kind,
    },
  }))
  const dueAt = new Date(now.getTime() + SETTLE_MS)
  await sql`
    with h as materialized (
      select h.dispatch, coalesce(a.into_id, h.person) as person, min(h.variant) as variant, to_timestamp(min(h.sent) / 1000.0) as sent, jsonb_agg(h.hit) as hits
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as h (dispatch text, person text, variant text, sent bigint, hit jsonb)
      left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = h.person
      group by 1, 2)
    insert into send_responses as r (workspace_id, id, dispatch_id, profile_id, variant_id, sent_at, hits, open_since, due_at)
    select ${workspaceId}, h.dispatch || '.' || h.person, h.dispatch, h.person, h.variant, h.sent, h.hits, ${now}::timestamptz, ${dueAt}::timestamptz
    from h
    join sends s on s.workspace_id = ${workspaceId} and s.dispatch_id = h.dispatch and s.profile_id = h.person
    join profiles p on p.workspace_id = ${workspaceId} and p.id = h.person
    order by h.person, h.dispatch
    on conflict (workspace_id, dispatch_id, profile_id) do update set
      hits = case when jsonb_array_length(r.hits) < ${sql.lit(MOST_HITS)} then r.hits || excluded.hits else r.hits end,
      open_since = coalesce(r.open_since, excluded.open_since),
      due_at = case when excluded.due_at - r.open_since > ${sql.lit(`${SETTLE_WITHIN_MS} milliseconds`)}::interval then r.due_at else excluded.due_at end`.execute(
    db,
  )
}

/** The people of these rows first, because whoever erases one holds them in that order; they cannot be erased before the transaction ends. */
export async function holdResponses(tx: Db, workspaceId: string, token: string, rows: readonly DueResponses[]): Promise<HeldResponses[]> {
  const people = await sql<{ id: string; environment: Environment }>`
    select id, environment from profiles
    where workspace_id = ${workspaceId} and id = any(${rows.map((row) => row.profile_id)}::text[]) order by id for key share`.execute(tx)
  const environments = new Map(people.rows.map(({ id, environment }) => [id, environment]))
  const held = await sql<Omit<HeldResponses, 'environment'>>`
    select id, dispatch_id as "dispatchId", profile_id as "profileId", variant_id as "variantId", sent_at as "sentAt", hits, counted
    from send_responses
    where workspace_id = ${workspaceId} and id = any(${rows.map(({ id }) => id)}::text[]) and lease = ${token}::uuid
    order by id for no key update`.execute(tx)
  return held.rows.flatMap((row) => {
    const environment = environments.get(row.profileId)
    return environment === undefined ? [] : [{ ...row, environment }]
  })
}

/** Nothing of them waits any more; a hit that comes later makes them due again. */
export async function saveCounted(tx: Db, workspaceId: string, rows: readonly { id: string; counted: Counted }[]): Promise<void> {
  await sql`
    update send_responses r set counted = c.counted, open_since = null, due_at = null, lease = null, lease_until = null, attempts = 0
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (id text, counted jsonb)
    where r.workspace_id = ${workspaceId} and r.id = c.id`.execute(tx)
}

/** What sums grow by; a verdict that was another before may make them smaller. */
export type CountChange = NodeCount & { dispatch: string; variant: string }

export async function addResponseCounts(tx: Db, workspaceId: string, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into response_counts as c (workspace_id, dispatch_id, variant_id, node, people, times, unknown, machines, machine_times)
    select ${workspaceId}, n.dispatch, n.variant, n.node, n.people, n.times, n.unknown, n.machines, n."machineTimes"
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as n (dispatch text, variant text, node text, people integer, times integer, unknown integer, machines integer, "machineTimes" integer)
    join dispatches d on d.workspace_id = ${workspaceId} and d.id = n.dispatch
    order by n.dispatch, n.variant, n.node
    on conflict (workspace_id, dispatch_id, variant_id, node) do update set people = c.people + excluded.people,
      times = c.times + excluded.times, unknown = c.unknown + excluded.unknown, machines = c.machines + excluded.machines,
      machine_times = c.machine_times + excluded.machine_times`.execute(tx)
}

/** What a dispatch is of, and says. */
export type RespondedDispatch = TrackedContent & { id: string; source: string; sourceId: string; step: string; channel: string }

export async function listRespondedDispatches(db: Db, workspaceId: string, ids: readonly string[]): Promise<RespondedDispatch[]> {
  const { rows } = await sql<RespondedDispatch>`
    select id, source, source_id as "sourceId", step, channel, message -> 'content' as content, message -> 'mail' as mail from dispatches
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])`.execute(db)
  return rows
}

// --- reports ---

export type ResponseSource = {
  source: 'campaign' | 'journey'
  sourceId: string
  step: string | undefined
  channel: 'email' | 'sms' | 'whatsapp'
}

const isOf = ({ source, sourceId, step, channel }: ResponseSource) =>
  sql`d.source = ${source} and d.source_id = ${sourceId} and d.channel = ${channel} and (${step ?? null}::text is null or d.step = ${step ?? null}::text)`

/** `variantId`: '' without variants, null of those that are not counted. */
export type SentMails = { variantId: string | null; sent: number }

/** Mails that a provider took and that did not come back. */
export async function countMails(db: Db, workspaceId: string, of: ResponseSource): Promise<SentMails[]> {
  const { rows } = await sql<SentMails>`
    select s.tracked_variant as "variantId", count(*)::integer as sent
    from sends s join dispatches d on d.workspace_id = ${workspaceId} and d.id = s.dispatch_id
    where s.workspace_id = ${workspaceId} and ${isOf(of)}
      and s.state = 'sent' and s.told is distinct from 'bounced' and s.told is distinct from 'failed'
    group by 1 order by 1`.execute(db)
  return rows
}

/** What the mails say, as they went out last. */
export async function listMailContents(db: Db, workspaceId: string, of: ResponseSource): Promise<TrackedContent[]> {
  const { rows } = await sql<TrackedContent>`
    select d.message -> 'content' as content, d.message -> 'mail' as mail from dispatches d
    where d.workspace_id = ${workspaceId} and ${isOf(of)} order by d.id limit 50`.execute(db)
  return rows
}

/** Whether the campaign or journey is there. */
export async function hasSource(db: Db, workspaceId: string, { source, sourceId }: ResponseSource): Promise<boolean> {
  const table = source === 'campaign' ? 'campaigns' : 'journeys'
  const row = await db.selectFrom(table).select('id').where('workspace_id', '=', workspaceId).where('id', '=', sourceId).executeTakeFirst()
  return row !== undefined
}

export type ResponseSum = NodeCount & { variantId: string }

export async function listResponseSums(db: Db, workspaceId: string, of: ResponseSource): Promise<ResponseSum[]> {
  const { rows } = await sql<ResponseSum>`
    select c.variant_id as "variantId", c.node, sum(c.people)::integer as people, sum(c.times)::integer as times,
      sum(c.unknown)::integer as unknown, sum(c.machines)::integer as machines, sum(c.machine_times)::integer as "machineTimes"
    from response_counts c join dispatches d on d.workspace_id = ${workspaceId} and d.id = c.dispatch_id
    where c.workspace_id = ${workspaceId} and ${isOf(of)} group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
