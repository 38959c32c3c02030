/**
 * Batches of messages that are being sent. A batch is committed before the first of its calls, by whoever holds the lease of the
 * dispatch, and goes with the last of its outcomes. What it names and has no outcome may have left: nobody else sends it, and
 * when another lease finds it, it is settled.
 */
import { sql, type RawBuilder } from 'kysely'
import { HOUR_MS } from '@contentflow/core/units.ts'
import { PREPARED, type Db } from '../../../db/open.ts'
import type { DispatchLease } from '../queries.ts'
import type { Sends } from '../../../db/schema.ts'

/** `number`: of no other batch of this lease. */
export async function insertBatch(
  tx: Db,
  { workspaceId, id, token }: DispatchLease,
  { number, channelId, profileIds }: { number: number; channelId: string | null; profileIds: readonly string[] },
  now: Date,
): Promise<void> {
  await sql`${sql.raw(PREPARED)}
    insert into send_batches (workspace_id, dispatch_id, lease, number, channel_id, profile_ids, made_at)
    values (${workspaceId}, ${id}, ${token}::uuid, ${number}::integer, ${channelId}, ${[...profileIds]}::text[], ${now}::timestamptz)`.execute(
    tx,
  )
}

/** Resend keeps a key for 24 hours; an hour of it is for what stands between. */
const REPEATABLE_MS = 23 * HOUR_MS

/**
 * What another lease left in the middle may have left the house, which is said. `repeatable`: the channel that takes the
 * same message once only, however often it is sent: what was on its way over this one is sent again. Lines that are marked
 * `sending` themselves are of a program that knew no batches.
 */
export async function settleInterrupted(
  tx: Db,
  { workspaceId, id, token }: DispatchLease,
  repeatable: string | undefined,
  now: Date,
): Promise<void> {
  const isRepeated = sql`coalesce(found.channel_id = ${repeatable ?? null} and found.since > ${new Date(now.getTime() - REPEATABLE_MS)}, false)`
  await sql`
    with gone as (
      delete from send_batches where workspace_id = ${workspaceId} and dispatch_id = ${id} and lease <> ${token}::uuid
      returning profile_ids, channel_id, made_at),
    found as materialized (
      select named.id, gone.channel_id, gone.made_at as since, 1 as tries from gone cross join lateral unnest(gone.profile_ids) as named (id)
      union all
      select profile_id, channel_id, updated_at, 0 from sends
      where workspace_id = ${workspaceId} and dispatch_id = ${id} and state = 'sending' and lease <> ${token}::uuid)
    update sends set state = case when ${isRepeated} then 'due' else 'failed' end, reason = case when ${isRepeated} then null else 'interrupted' end,
      due_at = case when ${isRepeated} then ${now}::timestamptz end, tries = sends.tries + found.tries, lease = null, channel_id = null, updated_at = ${now}
    from found
    where sends.workspace_id = ${workspaceId} and sends.dispatch_id = ${id} and sends.profile_id = found.id
      and sends.profile_id = any(array(select id from found)) and sends.state in ('due', 'sending')`.execute(tx)
}

/** What came of one message. `dueAt`: when it is tried again. `isUncounted`: the try says nothing of the message. */
export type SendOutcome = {
  id: string
  state: Sends['state']
  reason: string | null
  dueAt: Date | null
  isUncounted: boolean
  reached: string[]
  provider: string | null
  providerId: string | null
  /** Of a mail whose openings or clicks are counted, the variant, '' without variants. */
  trackedVariant: string | null
}
/** `batch`: the number of the one that names the message. */
export type BatchOutcome = SendOutcome & { batch: number }

/**
 * Writes outcomes where their batches stand, under this lease. `ended`: batches that have no other message any more. A line that is
 * due again, or may be by hand, is taken out of its batch: being due and named means to be under way.
 */
export async function writeOutcomes(
  db: Db,
  { workspaceId, id, token }: DispatchLease,
  { outcomes, ended }: { outcomes: readonly BatchOutcome[]; ended: readonly number[] },
  now: Date,
): Promise<void> {
  const numbers = [...new Set(outcomes.map(({ batch }) => batch))]
  const again = outcomes.flatMap(({ id: profileId, state, reason, batch }) =>
    (state === 'due' || reason === 'interrupted') && !ended.includes(batch) ? [profileId] : [],
  )
  const ours = sql`b.workspace_id = ${workspaceId} and b.dispatch_id = ${id} and b.lease = ${token}::uuid`
  await sql`${sql.raw(PREPARED)}
    with held as materialized (
      select b.number from send_batches b where ${ours} and b.number = any(${numbers}::integer[]) for no key update),
    ended as (delete from send_batches b using held where ${ours} and b.number = held.number and b.number = any(${[...ended]}::integer[]))
    ${again.length > 0 ? takeOut(ours, ended, again) : sql``}
    update sends set state = o.state, reason = o.reason, due_at = o."dueAt",
      tries = sends.tries + case when o."isUncounted" then 0 else 1 end, settled_installs = nullif(o.reached, '{}'),
      provider = o.provider, provider_id = o."providerId", tracked_variant = o."trackedVariant", updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o (id text, state text, reason text, "dueAt" timestamptz,
      "isUncounted" boolean, reached text[], provider text, "providerId" text, "trackedVariant" text, batch integer)
    where sends.workspace_id = ${workspaceId} and sends.dispatch_id = ${id} and sends.profile_id = o.id and ${isAmong(outcomes)}
      and sends.state = 'due' and o.batch in (select number from held)`.execute(db)
}

function takeOut(ours: RawBuilder<unknown>, ended: readonly number[], again: readonly string[]): RawBuilder<unknown> {
  return sql`, taken_out as (
    update send_batches b set profile_ids = array(select named.id from unnest(b.profile_ids) as named (id) where named.id <> all(${[...again]}::text[]))
    from held where ${ours} and b.number = held.number and b.number <> all(${[...ended]}::integer[]) and b.profile_ids && ${[...again]}::text[])`
}

/**
 * From the first to the last of these people. Lines are taken in the order of their people, so these are few more than those
 * that are meant; of lines that were written a moment ago the planner knows nothing, and would read all of the dispatch.
 */
export function isAmong(people: readonly { id: string }[]): RawBuilder<boolean> {
  const ids = people.map(({ id }) => id)
  return sql`sends.profile_id between (select min(id) from unnest(${ids}::text[]) as first (id)) and (select max(id) from unnest(${ids}::text[]) as last (id))`
}
