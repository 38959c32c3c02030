/** The ledger: who is written to, and what came of it. */
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Recipient } from '@contentflow/core/messages/judge.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import { PREPARED, type Db } from '../../../db/open.ts'
import type { Dispatches, PushRegistrations, Sends } from '../../../db/schema.ts'
import type { DispatchLease, MessageSource } from '../queries.ts'
import { recipientOf, toRecipient, type RecipientRow } from '../queries-recipients.ts'
import { isUnderWay, joinBatch, listUnderWay, SHOWN_LINE } from '../queries-under-way.ts'
import { isAmong } from './queries-batches.ts'

/**
 * One line of the ledger: one person of one dispatch.
 *
 *   (new) ──written down with the audience──▶ due, skipped, or failed where the workspace has no provider
 *   skipped, failed for want of a provider ──the dispatch begins again──▶ due, skipped or failed, as a new one
 *   due ──judged──▶ under way, or skipped
 *   due ──no provider, or the mail could not be left──▶ failed
 *   under way ──the provider took it──▶ sent
 *   under way ──another try is left, or the channel rests──▶ due
 *   under way ──no try is left, or none can succeed──▶ failed
 *   under way ──its process died──▶ due where the provider takes a message once only; else failed (interrupted)
 *   failed (interrupted) ──released by hand──▶ due
 *
 * A line that is under way is due and named by a batch (`queries-batches.ts`), and shown as `sending`.
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

/** What was interrupted becomes due again, as if it had not been tried, but for installs that were reached: the dispatch of each. */
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

/** The longest due of a dispatch that are not under way, of one moment in the order they were written down; held until the transaction ends. `pushProviders`: of a push message, whose tokens it reaches. */
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
        and profile_id not in ${listUnderWay(workspaceId, id)}
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

/** The provider whose channel carries a token of `push_registrations`, as `carrierOf` says; null: none does (decision 67). */
export const CARRIER = sql`(case when left(token, 1) = '{' then 'web_push' when provider <> 'web_push' then provider end)`

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
      where workspace_id = ${workspaceId} and profile_id = person.id and ${CARRIER} = any(${[...providers]}::text[])
      order by registered_at desc, device_id limit ${LIMITS.pushInstalls}) as r`.execute(db)
  const byPerson = new Map<string, Install[]>()
  for (const { profile_id, ...install } of rows) {
    const installs = byPerson.get(profile_id)
    if (installs) installs.push(install)
    else byPerson.set(profile_id, [install])
  }
  return byPerson
}

/** These, which are due, get nothing, and why. */
export async function writeSkipped(
  tx: Db,
  { workspaceId, id }: DispatchLease,
  skipped: readonly { id: string; reason: string }[],
  now: Date,
): Promise<void> {
  await sql`${sql.raw(PREPARED)}
    update sends set state = 'skipped', reason = v.reason, due_at = null, updated_at = ${now}
    from unnest(${skipped.map((each) => each.id)}::text[], ${skipped.map(({ reason }) => reason)}::text[]) as v (id, reason)
    where sends.workspace_id = ${workspaceId} and sends.dispatch_id = ${id} and sends.profile_id = v.id
      and ${isAmong(skipped)}`.execute(tx)
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
export async function failDue(tx: Db, { workspaceId, id }: DispatchLease, reason: string, now: Date): Promise<void> {
  await sql`
    update sends set state = 'failed', reason = ${reason}, due_at = null, updated_at = ${now}
    where workspace_id = ${workspaceId} and dispatch_id = ${id} and state = 'due' and due_at is not null
      and profile_id not in ${listUnderWay(workspaceId, id)}`.execute(tx)
}

type ShownSend = Pick<Selectable<Sends>, 'state' | 'reason' | 'due_at'>

export async function findSend(db: Db, workspaceId: string, dispatchId: string, profileId: string): Promise<ShownSend | undefined> {
  const { rows } = await sql<ShownSend>`
    select ${SHOWN_LINE} from sends s ${joinBatch(workspaceId)}
    where s.workspace_id = ${workspaceId} and s.dispatch_id = ${dispatchId} and s.profile_id = ${profileId}`.execute(db)
  return rows[0]
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
      ${SHOWN_LINE}, s.provider, s.told
    from dispatches d
    left join sends s on s.workspace_id = ${workspaceId} and s.dispatch_id = d.id and s.profile_id = ${profileId}
    ${joinBatch(workspaceId)}
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
    from sends
    join dispatches d on d.workspace_id = ${workspaceId} and d.id = sends.dispatch_id
    join profiles p on p.workspace_id = ${workspaceId} and p.id = sends.profile_id
    where sends.workspace_id = ${workspaceId}
      and (${profileId}::text is null or sends.profile_id = ${profileId}::text)
      and (${source}::text is null or d.source = ${source}::text)
      and (${sourceId}::text is null or d.source_id = ${sourceId}::text)
      and ${state === null ? sql`true` : isShownAs(workspaceId, state)}`
  const counted = await sql<{ total: number }>`select count(*)::integer as total ${wanted}`.execute(db)
  const [createdAt, ...ids] = after === undefined ? [] : (cursorParts(after) as [string, string, string])
  const isBehind =
    createdAt === undefined
      ? sql``
      : sql`and (sends.created_at, sends.dispatch_id, sends.profile_id) < (${createdAt}::timestamptz, ${sql.join(ids)})`
  const { rows } = await sql<ListedSend>`
    with page as materialized (
      select sends.*, d.source, d.source_id, d.step, d.channel, d.name, p.user_id, p.device_id
      ${wanted} ${isBehind}
      order by sends.created_at desc, sends.dispatch_id desc, sends.profile_id desc limit ${limit + 1})
    select s.dispatch_id, s.profile_id, ${SHOWN_LINE}, s.provider, s.told, s.created_at,
      s.source, s.source_id, s.step, s.channel, s.name, s.user_id, s.device_id
    from page s ${joinBatch(workspaceId)}
    order by s.created_at desc, s.dispatch_id desc, s.profile_id desc`.execute(db)
  return paged(rows, limit, counted.rows[0]?.total ?? 0, (last) =>
    cursorOf(last.created_at.toISOString(), last.dispatch_id, last.profile_id),
  )
}

/** Whether `sends` is shown in this state. */
function isShownAs(workspaceId: string, state: SendState): RawBuilder<boolean> {
  if (state === 'due') return sql`(sends.state = 'due' and not ${isUnderWay(workspaceId)})`
  if (state === 'sending') return sql`(sends.state = 'sending' or (sends.state = 'due' and ${isUnderWay(workspaceId)}))`
  return sql`sends.state = ${state}`
}
