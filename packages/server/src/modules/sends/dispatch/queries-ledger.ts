/** The ledger: who is written to, and what came of it. */
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Recipient } from '@contentflow/core/messages/judge.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import { PREPARED, type Db } from '../../../db/open.ts'
import type { Dispatches, PushRegistrations, Sends } from '../../../db/schema.ts'
import type { DispatchLease, MessageSource } from '../queries.ts'
import { recipientOf, toRecipient, type RecipientRow } from '../queries-recipients.ts'

/**
 * One line of the ledger: one person of one dispatch.
 *
 *   (new) ──written down with the audience──▶ due, skipped, or failed where the workspace has no provider
 *   skipped, failed for want of a provider ──the dispatch begins again──▶ due, skipped or failed, as a new one
 *   due ──judged──▶ sending, or skipped
 *   due ──no provider, or the mail could not be left──▶ failed
 *   sending ──the provider took it──▶ sent
 *   sending ──another try is left, or the channel rests──▶ due
 *   sending ──no try is left, or none can succeed──▶ failed
 *   sending ──its process died──▶ due where the provider takes a message once only; else failed (interrupted)
 *   failed (interrupted) ──released by hand──▶ due
 */
type SendState = Sends['state']
export type Install = Pick<Selectable<PushRegistrations>, 'device_id' | 'token' | 'provider'>
/** A line of the ledger with what it takes to write to the person. `reached`: installs that need no message any more. */
export type DueSend = {
  recipient: Recipient
  tries: number
  reached: string[]
  installs: Install[]
  /** The provider of an earlier try that reached some install. */
  provider: string | null
  providerId: string | null
}

/** Writes a line for each of these people who has none yet. */
export async function insertDue(tx: Db, workspaceId: string, dispatchId: string, profileIds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into sends (workspace_id, dispatch_id, profile_id, state, due_at, created_at, updated_at)
    select ${workspaceId}, ${dispatchId}, p.id, 'due', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${[...profileIds]}::text[]) as asked (id)
    cross join lateral (select id from profiles where workspace_id = ${workspaceId} and id = asked.id offset 0) p
    on conflict do nothing`.execute(tx)
}

/** Resend keeps a key for 24 hours; an hour of it is for what stands between. */
const REPEATABLE_MS = 23 * HOUR_MS

/**
 * What another lease left in the middle may have left the house, which is said. `repeatable`: the channel that takes the
 * same message once only, however often it is sent: what was on its way over this one is sent again.
 */
export async function settleInterrupted(
  tx: Db,
  { workspaceId, id, token }: DispatchLease,
  repeatable: string | undefined,
  now: Date,
): Promise<void> {
  const isRepeated = sql`coalesce(channel_id = ${repeatable ?? null} and updated_at > ${new Date(now.getTime() - REPEATABLE_MS)}, false)`
  await sql`
    update sends set state = case when ${isRepeated} then 'due' else 'failed' end, reason = case when ${isRepeated} then null else 'interrupted' end,
      due_at = case when ${isRepeated} then ${now}::timestamptz end, lease = null, channel_id = null, updated_at = ${now}
    where workspace_id = ${workspaceId} and dispatch_id = ${id} and state = 'sending' and lease <> ${token}::uuid`.execute(tx)
}

/** What was settled so becomes due again, as if it had not been tried, but for installs that were reached: the dispatch of each. */
export async function releaseInterrupted(
  { tx, workspaceId, now }: { tx: Db; workspaceId: string; now: Date },
  { source, sourceId }: MessageSource,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update sends s set state = 'due', reason = null, due_at = ${now}, tries = 0, updated_at = ${now},
      settled_installs = case when s.provider is not null then s.settled_installs end
    from dispatches d
    where d.workspace_id = ${workspaceId} and d.source = ${source} and d.source_id = ${sourceId} and d.state <> 'missed'
      and s.workspace_id = ${workspaceId} and s.dispatch_id = d.id and s.state = 'failed' and s.reason = 'interrupted'
    returning s.dispatch_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The longest due of a dispatch, of one moment in the order they were written down; held until the transaction ends. `pushProviders`: of a push message, whose tokens it reaches. */
export async function lockDue(
  tx: Db,
  { workspaceId, id }: DispatchLease,
  pushProviders: readonly string[] | undefined,
  now: Date,
  limit: number,
): Promise<DueSend[]> {
  type Row = RecipientRow & { tries: number; reached: string[] | null; provider: string | null; providerId: string | null }
  const { rows } = await sql<Row>`${sql.raw(PREPARED)}
    with due as materialized (
      select profile_id, tries, settled_installs, provider, provider_id from sends
      where workspace_id = ${workspaceId} and dispatch_id = ${id} and due_at <= ${now} and state = 'due'
      order by due_at limit ${limit} for no key update)
    select ${recipientOf(workspaceId)}, due.tries, due.settled_installs as reached, due.provider, due.provider_id as "providerId"
    from due join profiles p on p.workspace_id = ${workspaceId} and p.id = due.profile_id`.execute(tx)
  const installs =
    pushProviders && rows.length > 0 ? await listInstalls(tx, workspaceId, rows, pushProviders) : new Map<string, Install[]>()
  return rows.map((row) => ({
    recipient: toRecipient(row, installs.has(row.id)),
    tries: row.tries,
    reached: row.reached ?? [],
    installs: installs.get(row.id) ?? [],
    provider: row.provider,
    providerId: row.providerId,
  }))
}

/** C-PUSH-25: the newest of each person that these providers reach. */
export async function listInstalls(
  db: Db,
  workspaceId: string,
  people: readonly { id: string }[],
  providers: readonly string[],
): Promise<Map<string, Install[]>> {
  const { rows } = await sql<Install & { profile_id: string }>`${sql.raw(PREPARED)}
    select r.* from unnest(${people.map(({ id }) => id)}::text[]) as person (id)
    cross join lateral (
      select profile_id, device_id, token, provider from push_registrations
      where workspace_id = ${workspaceId} and profile_id = person.id and provider = any(${[...providers]}::text[])
      order by registered_at desc, device_id limit ${LIMITS.pushInstalls}) as r`.execute(db)
  const byPerson = new Map<string, Install[]>()
  for (const { profile_id, ...install } of rows) {
    const installs = byPerson.get(profile_id)
    if (installs) installs.push(install)
    else byPerson.set(profile_id, [install])
  }
  return byPerson
}

/** Whoever of these people got as many messages of campaigns and journeys as a day may have (G-70). */
export async function listFrequencyCapped(tx: Db, workspaceId: string, profileIds: readonly string[], since: Date): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select s.profile_id as id from sends s
    join dispatches d on d.workspace_id = ${workspaceId} and d.id = s.dispatch_id and d.source <> 'notification'
    where s.workspace_id = ${workspaceId} and s.profile_id = any(${[...profileIds]}::text[])
      and s.state in ('sending', 'sent') and s.updated_at > ${since}
    group by s.profile_id having count(*) >= ${LIMITS.marketingSendsPerDay}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * From the first to the last of these people. Lines are taken in the order of their people, so these are few more than those
 * that are meant; of lines that were written a moment ago the planner knows nothing, and would read all of the dispatch.
 */
function isAmong(people: readonly { id: string }[]): RawBuilder<boolean> {
  const ids = people.map(({ id }) => id)
  return sql`sends.profile_id between (select min(id) from unnest(${ids}::text[]) as first (id)) and (select max(id) from unnest(${ids}::text[]) as last (id))`
}

export type LedgerVerdict = { id: string; reason: string | null }

/** Null: it is sent now, under this lease and over this channel; of a push message it is the first of several. */
export async function markSends(
  tx: Db,
  { workspaceId, id, token }: DispatchLease,
  channelId: string | null,
  verdicts: readonly LedgerVerdict[],
  now: Date,
): Promise<void> {
  await sql`${sql.raw(PREPARED)}
    update sends set state = case when v.reason is null then 'sending' else 'skipped' end, reason = v.reason, due_at = null,
      lease = case when v.reason is null then ${token}::uuid end, channel_id = case when v.reason is null then ${channelId} end, tries = sends.tries + case when v.reason is null then 1 else 0 end,
      updated_at = ${now}
    from unnest(${verdicts.map((each) => each.id)}::text[], ${verdicts.map(({ reason }) => reason)}::text[]) as v (id, reason)
    where sends.workspace_id = ${workspaceId} and sends.dispatch_id = ${id} and sends.profile_id = v.id
      and ${isAmong(verdicts)}`.execute(tx)
}

/** What came of one message. `dueAt`: when it is tried again. `isUncounted`: the try says nothing of the message. */
export type SendOutcome = {
  id: string
  state: SendState
  reason: string | null
  dueAt: Date | null
  isUncounted: boolean
  reached: string[]
  provider: string | null
  providerId: string | null
}

export async function writeOutcomes(
  db: Db,
  { workspaceId, id, token }: DispatchLease,
  outcomes: readonly SendOutcome[],
  now: Date,
): Promise<void> {
  await sql`${sql.raw(PREPARED)}
    update sends set state = o.state, reason = o.reason, due_at = o."dueAt", lease = null, channel_id = null,
      tries = sends.tries - case when o."isUncounted" then 1 else 0 end, settled_installs = nullif(o.reached, '{}'),
      provider = o.provider, provider_id = o."providerId", updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o (id text, state text, reason text, "dueAt" timestamptz,
      "isUncounted" boolean, reached text[], provider text, "providerId" text)
    where sends.workspace_id = ${workspaceId} and sends.dispatch_id = ${id} and sends.profile_id = o.id and ${isAmong(outcomes)}
      and sends.state = 'sending' and sends.lease = ${token}::uuid`.execute(db)
}

/** When the next of them is due; null: none is left. */
export async function nextDue(db: Db, workspaceId: string, dispatchId: string): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(due_at) as next from sends where workspace_id = ${workspaceId} and dispatch_id = ${dispatchId} and due_at is not null`.execute(
    db,
  )
  return rows[0]?.next ?? null
}

/** Everything that is still due, without having been tried: nobody takes messages of this kind. Found by its time, among all others. */
export async function failDue(db: Db, { workspaceId, id }: DispatchLease, reason: string, now: Date): Promise<void> {
  await sql`
    update sends set state = 'failed', reason = ${reason}, due_at = null, updated_at = ${now}
    where workspace_id = ${workspaceId} and dispatch_id = ${id} and state = 'due' and due_at is not null`.execute(db)
}

export async function findSend(db: Db, workspaceId: string, dispatchId: string, profileId: string) {
  return db
    .selectFrom('sends')
    .select(['state', 'reason', 'due_at'])
    .where('workspace_id', '=', workspaceId)
    .where('dispatch_id', '=', dispatchId)
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
}

/** A dispatch, and what it holds of a person. */
export type LedgerLine = {
  dispatch: Dispatches['state']
  startsAt: Date
  send: Pick<Selectable<Sends>, 'state' | 'reason' | 'tries' | 'provider' | 'told' | 'due_at' | 'updated_at'> | null
}

/** The lines of one person, by channel. */
export async function findLines(
  db: Db,
  workspaceId: string,
  { source, sourceId }: MessageSource,
  profileId: string,
): Promise<Map<string, LedgerLine>> {
  type Row = NonNullable<LedgerLine['send']> & { channel: string; dispatch: LedgerLine['dispatch']; startsAt: Date; isIn: boolean }
  const { rows } = await sql<Row>`
    select d.channel, d.state as dispatch, d.starts_at as "startsAt", s.profile_id is not null as "isIn",
      s.state, s.reason, s.tries, s.provider, s.told, s.due_at, s.updated_at
    from dispatches d
    left join sends s on s.workspace_id = ${workspaceId} and s.dispatch_id = d.id and s.profile_id = ${profileId}
    where d.workspace_id = ${workspaceId} and d.source = ${source} and d.source_id = ${sourceId}`.execute(db)
  return new Map(rows.map(({ channel, dispatch, startsAt, isIn, ...send }) => [channel, { dispatch, startsAt, send: isIn ? send : null }]))
}

/** Tokens that their own provider says are nobody's any more. A token that was registered anew meanwhile is another one. */
export async function dropTokens(db: Db, workspaceId: string, gone: readonly Install[]): Promise<void> {
  if (gone.length === 0) return
  await sql`
    delete from push_registrations r using unnest(${gone.map(({ device_id }) => device_id)}::text[],
      ${gone.map(({ token }) => token)}::text[], ${gone.map(({ provider }) => provider)}::text[]) as g (device_id, token, provider)
    where r.workspace_id = ${workspaceId} and r.device_id = g.device_id and r.token = g.token and r.provider = g.provider`.execute(db)
}

// --- what providers tell later ---

/** Deletes a token whose own provider says that the app is no longer installed. */
export async function dropToken(db: Db, workspaceId: string, tokenHash: string, provider: string): Promise<void> {
  await sql`
    delete from push_registrations
    where workspace_id = ${workspaceId} and token_hash = ${tokenHash} and provider = ${provider}`.execute(db)
}

/** The send that an event of a provider is about: found by our id, else by the provider's. */
export async function findTold(db: Db, workspaceId: string, { sendId, providerId }: { sendId?: string; providerId?: string }) {
  const [dispatchId = '', profileId] = (sendId ?? '').split('.')
  const found = db
    .selectFrom('sends')
    .innerJoin('dispatches', (join) =>
      join.onRef('dispatches.workspace_id', '=', 'sends.workspace_id').onRef('dispatches.id', '=', 'sends.dispatch_id'),
    )
    .select(['sends.dispatch_id', 'sends.profile_id', 'dispatches.channel'])
    .where('sends.workspace_id', '=', workspaceId)
    .where('dispatches.workspace_id', '=', workspaceId)
  if (profileId !== undefined)
    return found.where('sends.dispatch_id', '=', dispatchId).where('sends.profile_id', '=', profileId).executeTakeFirst()
  return providerId === undefined ? undefined : found.where('sends.provider_id', '=', providerId).executeTakeFirst()
}

/** Events may come twice and in any order: the gravest stays. False: it was told before, or something graver. */
const GRAVITY = ['delivered', 'failed', 'bounced', 'left', 'complained']

export async function noteTold(
  tx: Db,
  workspaceId: string,
  { dispatch_id, profile_id }: { dispatch_id: string; profile_id: string },
  told: string,
  now: Date,
): Promise<boolean> {
  const lighter = GRAVITY.slice(0, GRAVITY.indexOf(told))
  const { numAffectedRows } = await sql`
    update sends set told = ${told}, updated_at = ${now} where workspace_id = ${workspaceId} and dispatch_id = ${dispatch_id}
      and profile_id = ${profile_id} and (told is null or told = any(${lighter}::text[]))`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

// --- for people ---

export type SendFilter = {
  profileId: string | undefined
  source: Dispatches['source'] | undefined
  sourceId: string | undefined
  state: SendState | undefined
}
export type ListedSend = Pick<
  Selectable<Sends>,
  'dispatch_id' | 'profile_id' | 'state' | 'reason' | 'tries' | 'provider' | 'told' | 'created_at' | 'updated_at' | 'due_at'
> &
  Pick<Selectable<Dispatches>, 'source' | 'source_id' | 'step' | 'channel' | 'name'> & { user_id: string | null; device_id: string | null }

/** Newest first. `after`: the last of the page before. */
export async function pageSends(
  db: Db,
  workspaceId: string,
  { profileId = null, source = null, sourceId = null, state = null }: { [name in keyof SendFilter]?: SendFilter[name] | null },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<ListedSend>> {
  const wanted = sql`
    from sends s
    join dispatches d on d.workspace_id = ${workspaceId} and d.id = s.dispatch_id
    join profiles p on p.workspace_id = ${workspaceId} and p.id = s.profile_id
    where s.workspace_id = ${workspaceId}
      and (${profileId}::text is null or s.profile_id = ${profileId}::text)
      and (${source}::text is null or d.source = ${source}::text)
      and (${sourceId}::text is null or d.source_id = ${sourceId}::text)
      and (${state}::text is null or s.state = ${state}::text)`
  const counted = await sql<{ total: number }>`select count(*)::integer as total ${wanted}`.execute(db)
  const [createdAt, ...ids] = after === undefined ? [] : (cursorParts(after) as [string, string, string])
  const isBehind =
    createdAt === undefined ? sql`` : sql`and (s.created_at, s.dispatch_id, s.profile_id) < (${createdAt}::timestamptz, ${sql.join(ids)})`
  const { rows } = await sql<ListedSend>`
    select s.dispatch_id, s.profile_id, s.state, s.reason, s.tries, s.provider, s.told, s.created_at, s.updated_at, s.due_at,
      d.source, d.source_id, d.step, d.channel, d.name, p.user_id, p.device_id
    ${wanted} ${isBehind}
    order by s.created_at desc, s.dispatch_id desc, s.profile_id desc limit ${limit + 1}`.execute(db)
  return paged(rows, limit, counted.rows[0]?.total ?? 0, (last) =>
    cursorOf(last.created_at.toISOString(), last.dispatch_id, last.profile_id),
  )
}
