import { sql, type Selectable } from 'kysely'
import type { LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import type { Holdout } from '@contentflow/core/experiments/holdout.ts'
import type { Features } from '@contentflow/core/features.ts'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import type { MessageSettings } from '@contentflow/core/messages/judge.ts'
import { allProtections, type Protections } from '@contentflow/core/protections.ts'
import { messageTracking, type MessageTracking } from '@contentflow/core/messages/responses/tracking.ts'
import type { SendChannel, SendWindow } from '@contentflow/core/messages/window.ts'
import type { Db } from '../../db/open.ts'
import type { Dispatches } from '../../db/schema.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'

/**
 *   waiting ──its time has come──▶ expanding ──the whole audience is in the ledger──▶ sending ──nothing is due any more──▶ done
 *   waiting, expanding, sending ──more than a day late, of a campaign──▶ missed
 *   waiting, expanding, sending ──its window is over──▶ stopped
 *   any ──its source stops it──▶ stopped
 *   done ──interrupted sends are released──▶ sending
 *   any ──its source starts it again──▶ waiting, or missed
 *
 * A message to named people begins at `sending`.
 */
export type DispatchState = Dispatches['state']
/** What is said, to whom, and when it may leave. */
export type DispatchMessage = {
  content: LocalizedContent
  segments: readonly string[]
  window: SendWindow
  controlPercent?: number | undefined
  /** What goes by email instead of the content. */
  mail?: MailDocument | undefined
  /** What it is about. */
  topic?: string | undefined
}
export type MessageSource = { source: Dispatches['source']; sourceId: string; step?: string }
export type DispatchRow = DueRow & Omit<Selectable<Dispatches>, 'message'> & { message: DispatchMessage }

/** A dispatch that is held under one lease: nothing is written once the lease is somebody else's. */
export type DispatchLease = { workspaceId: string; id: string; token: string }

/** `lease`: whoever writes it works it at once. */
type NewDispatch = MessageSource &
  DispatchMessage & {
    /** Id of the dispatch, if it is new. */
    id: string
    /** Counts the times that people get the same message. */
    occasion?: number
    name: string
    channel: SendChannel
    state: DispatchState
    dueAt: Date | null
    lease?: string
  }
type In = { tx: Db; workspaceId: string; now: Date }

/** `channel`: of one kind of channel alone. */
export const dispatchTable = (db: Db, channel?: ChannelType) =>
  dueTable<DispatchRow>(db, 'dispatches', channel === undefined ? undefined : sql`channel = ${sql.lit(channel)}`)

/** The id of the dispatch of this source over this channel, of this occasion; one that is there says what is said now from then on. */
export async function saveDispatch({ tx, workspaceId, now }: In, dispatch: NewDispatch): Promise<string> {
  const {
    id,
    source,
    sourceId,
    step = '',
    occasion = 0,
    name,
    channel,
    content,
    segments,
    window,
    controlPercent,
    mail,
    topic,
    state,
    dueAt,
    lease = null,
  } = dispatch
  const message = JSON.stringify({
    content,
    segments,
    window,
    controlPercent,
    mail: channel === 'email' ? mail : undefined,
    topic,
  } satisfies DispatchMessage)
  const startsAt = window.startTime === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(window.startTime)))
  const { rows } = await sql<{ id: string }>`
    insert into dispatches (workspace_id, id, source, source_id, step, occasion, channel, name, message, state, starts_at, created_at, updated_at, due_at, lease, lease_until)
    values (${workspaceId}, ${id}, ${source}, ${sourceId}, ${step}, ${occasion}, ${channel}, ${name}, ${message}::jsonb, ${state},
      ${startsAt}, ${now}, ${now}, ${dueAt}, ${lease}, ${lease === null ? null : dueAt}::timestamptz)
    on conflict (workspace_id, source, source_id, step, occasion, channel) do update set name = excluded.name, message = excluded.message,
      state = excluded.state, cursor = null, starts_at = excluded.starts_at, due_at = excluded.due_at,
      updated_at = later_than(excluded.updated_at, dispatches.updated_at)
    returning id`.execute(tx)
  return rows[0]!.id
}

export async function stopDispatches({ tx, workspaceId, now }: In, { source, sourceId, step }: MessageSource): Promise<void> {
  await sql`
    update dispatches set state = 'stopped', due_at = null, updated_at = later_than(${now}, updated_at)
    where workspace_id = ${workspaceId} and source = ${source} and source_id = ${sourceId}
      and (${step ?? null}::text is null or step = ${step ?? null}::text)`.execute(tx)
}

/** They look again at what is due. */
export async function reopenDispatches({ tx, workspaceId, now }: In, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update dispatches set state = case when state = 'done' then 'sending' else state end, due_at = ${now}
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])`.execute(tx)
}

/** Whether it is still what it was when it was claimed; it stays so until the transaction ends. */
export async function isUnchanged(tx: Db, { workspaceId, id, token }: DispatchLease, { updated_at }: DispatchRow): Promise<boolean> {
  const row = await tx
    .selectFrom('dispatches')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('lease', '=', token)
    .where('updated_at', '=', updated_at)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Changes a dispatch that this lease holds and that nobody changed since. */
export async function patchDispatch(
  tx: Db,
  { workspaceId, id }: DispatchLease,
  patch: { state: DispatchState; cursor?: string | null; taken?: number },
): Promise<void> {
  await tx.updateTable('dispatches').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

type SendSettings = MessageSettings & { features: Partial<Features>; tracking: MessageTracking; holdout: Holdout | null }

/** The settings of a workspace that decide who gets what. */
export async function findSettings(db: Db, workspaceId: string): Promise<SendSettings> {
  const row = await db
    .selectFrom('workspaces')
    .select([
      'features',
      'source_locale as sourceLocale',
      'link_schemes as linkSchemes',
      'message_tracking as tracking',
      'holdout',
      'brand',
    ])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return {
    ...row,
    features: row.features as Partial<Features>,
    linkSchemes: row.linkSchemes as LinkSchemes,
    tracking: messageTracking(row.tracking as MessageTracking | null),
    holdout: row.holdout as Holdout | null,
    brand: row.brand as Brand | null,
  }
}

/** The settings that decide about mails that ask for a confirmation. */
export async function findMailSettings(db: Db, workspaceId: string): Promise<{ name: string; isAsked: boolean }> {
  const { name, protections } = await db
    .selectFrom('workspaces')
    .select(['name', 'protections'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { name, isAsked: allProtections(protections as Partial<Protections>).confirmEmails }
}

/** The name of the segment of this id or name. */
export async function findSegment(db: Db, workspaceId: string, idOrName: string): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('segments')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where(({ or, eb }) => or([eb('id', '=', idOrName), eb('name', '=', idOrName)]))
    .orderBy(sql`id = ${idOrName}`, 'desc')
    .executeTakeFirst()
}

export async function getDispatch(db: Db, workspaceId: string, id: string): Promise<DispatchRow> {
  const row = await db
    .selectFrom('dispatches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, message: row.message as DispatchMessage }
}

export type SendReport = {
  missed: boolean
  channels: Map<
    string,
    { attempted: number; sent: number; failed: number; waiting: number; skipped: Map<string, number>; failures: Map<string, number> }
  >
}

/** G-56: what the ledger says of a source; of a journey, of one step. */
export async function readReport(db: Db, workspaceId: string, { source, sourceId, step }: MessageSource): Promise<SendReport> {
  const { rows } = await sql<{ channel: string; state: string; dispatch: DispatchState; reason: string | null; count: number }>`
    select d.channel, d.state as dispatch, s.state, s.reason, count(s.profile_id)::integer as count
    from dispatches d left join sends s on s.workspace_id = ${workspaceId} and s.dispatch_id = d.id
    where d.workspace_id = ${workspaceId} and d.source = ${source} and d.source_id = ${sourceId}
      and (${step ?? null}::text is null or d.step = ${step ?? null}::text)
    group by d.channel, d.state, s.state, s.reason
    union all
    select d.channel, d.state, 'under way', null, count(*)::integer
    from dispatches d join send_batches b on b.workspace_id = ${workspaceId} and b.dispatch_id = d.id
    cross join lateral unnest(b.profile_ids) as named (id)
    cross join lateral (
      select from sends where workspace_id = ${workspaceId} and dispatch_id = d.id and profile_id = named.id and state = 'due' offset 0) s
    where d.workspace_id = ${workspaceId} and d.source = ${source} and d.source_id = ${sourceId}
      and (${step ?? null}::text is null or d.step = ${step ?? null}::text)
    group by d.channel, d.state
    order by channel, reason`.execute(db)
  const report: SendReport = { missed: rows.some(({ dispatch }) => dispatch === 'missed'), channels: new Map() }
  for (const { channel, state, reason, count } of rows) {
    const sums = report.channels.get(channel) ?? { attempted: 0, sent: 0, failed: 0, waiting: 0, skipped: new Map(), failures: new Map() }
    report.channels.set(channel, sums)
    if (state === 'skipped') add(sums.skipped, reason ?? '', count)
    if (state === 'due') sums.waiting += count
    // They are among those that are due.
    if (state === 'under way') sums.waiting -= count
    if (state === 'under way' || state === 'sending' || state === 'sent' || state === 'failed') sums.attempted += count
    if (state === 'sent') sums.sent += count
    if (state === 'failed') {
      sums.failed += count
      add(sums.failures, reason ?? '', count)
    }
  }
  return report
}

function add(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count)
}
