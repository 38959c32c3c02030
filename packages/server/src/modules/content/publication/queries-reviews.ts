import { sql, type RawBuilder } from 'kysely'
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'

export const REVIEW_STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
type ReviewStatus = (typeof REVIEW_STATUSES)[number]
/** `reschedule` moves the publication `scheduleId` to another moment; `unpublish` and `delete` are about live content. */
export const REVIEWED_ACTIONS = ['publish', 'reschedule', 'unpublish', 'delete'] as const
type ReviewedAction = (typeof REVIEWED_ACTIONS)[number]
/** A request about a revision of an instance, for now or for the moment `at`, and its decision. */
export type Review = {
  id: string
  kind: 'instance'
  action: ReviewedAction
  scheduleId: string | null
  instanceId: string
  blockKey: string
  title: string
  revision: number
  targets: Environment[]
  at: Date | null
  status: ReviewStatus
  requestedBy: string
  requestedAt: Date
  decidedBy: string | null
  decidedAt: Date | null
  note: string | null
}
export type NewReview = Omit<Review, 'kind' | 'blockKey' | 'title' | 'status' | 'decidedBy' | 'decidedAt' | 'note'>

const reviews = (db: Db, workspaceId: string) =>
  db
    .selectFrom('reviews as r')
    .innerJoin('block_instances as i', 'i.id', 'r.subject')
    .where('r.workspace_id', '=', workspaceId)
    .where('i.workspace_id', '=', workspaceId)
    .where('r.kind', '=', 'instance')

const COLUMNS = [
  'r.id',
  sql<'instance'>`r.kind`.as('kind'),
  sql<ReviewedAction>`r.action`.as('action'),
  'r.schedule_id as scheduleId',
  'r.subject as instanceId',
  'i.block_key as blockKey',
  'i.title',
  sql<number>`r.revision`.as('revision'),
  sql<Environment[]>`r.environments`.as('targets'),
  'r.publish_at as at',
  'r.status',
  'r.requested_by as requestedBy',
  'r.requested_at as requestedAt',
  'r.decided_by as decidedBy',
  'r.decided_at as decidedAt',
  'r.note',
] as const

type Decided = Pick<Review, 'id' | 'status' | 'requestedBy' | 'requestedAt' | 'decidedBy' | 'decidedAt' | 'note'>
/** A campaign that was submitted, or a change of one that is approved. */
type CampaignReview = Decided & { kind: 'campaign' | 'campaign_edit'; campaignId: string; name: string }
/** The activation of a journey. */
export type JourneyReview = Decided & { kind: 'journey'; journeyId: string; name: string }
/** A message to everybody in a segment, as it is sent. */
export type MessageReview = Decided & { kind: 'notification' } & RequestedMessage
/** The sensor of a text, to be turned on. */
export type SensorReview = Decided & { kind: 'sensor'; key: string }
export type AnyReview = Review | CampaignReview | JourneyReview | MessageReview | SensorReview
type ReviewFilter = { status: ReviewStatus; instanceId: string | undefined }

/** Pages requests of every kind. Open ones come with the longest waiting first, decided ones with the newest first. */
export async function pageReviews(
  db: Db,
  workspaceId: string,
  { after, limit, ...asked }: ReviewFilter & { after: string | undefined; limit: number },
): Promise<Paged<AnyReview>> {
  const isQueue = asked.status === 'pending'
  const all = sql`(${everyKind(workspaceId, asked)}) as w`
  const [order, isBehind] = isQueue ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  const [at, last] = after === undefined ? [] : (cursorParts(after) as [string, string])
  const behind = at === undefined ? sql`` : sql`where ("requestedAt", id) ${isBehind} (${at}::timestamptz, ${last})`
  const { rows } = await sql<Row>`
    select * from ${all} ${behind} order by "requestedAt" ${order}, id ${order} limit ${limit + 1}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::integer as total from ${all}`.execute(db)
  const { items, ...page } = paged(rows, limit, counted.rows[0]?.total ?? 0, ({ requestedAt, id }) =>
    cursorOf(requestedAt.toISOString(), id),
  )
  return { ...page, items: items.map(toReview) }
}

/** `mail`: sent instead of the content. `parts`: the saved parts that stand in it, in which version. */
type RequestedMessage = {
  segment: string
  channel: ChannelType
  content: MessageContent
  mail?: MailDocument
  parts?: { id: string; name: string; version: number }[]
  topic?: string
}
/** The content of `request`, by kind. */
type Requested = { name?: string } & RequestedMessage
type Row = Omit<Review, 'kind'> & { kind: AnyReview['kind']; campaignId: string; name: string; request: Requested }

/** A row has the members of every kind, and of its own those that are not null. */
function toReview(row: Row): AnyReview {
  const { campaignId, name, instanceId, blockKey, title, revision, targets, at, kind, action, scheduleId, request, ...asked } = row
  switch (kind) {
    case 'instance':
      return { ...asked, kind, action, scheduleId, instanceId, blockKey, title, revision, targets, at }
    case 'journey':
      return { ...asked, kind, journeyId: instanceId, name: request.name ?? '' }
    case 'notification':
      return { ...asked, kind, ...messageOf(request) }
    case 'sensor':
      return { ...asked, kind, key: instanceId }
    case 'campaign':
    case 'campaign_edit':
      return { ...asked, kind, campaignId, name }
    default:
      return kind satisfies never
  }
}

function messageOf({ segment, channel, content, mail, parts, topic }: Requested): RequestedMessage {
  return { segment, channel, content, ...(mail && { mail }), ...(parts && { parts }), ...(topic !== undefined && { topic }) }
}

/**
 * For one instance neither campaigns nor texts are listed. A campaign is listed only while it waits, because its history has
 * the decision; so is a sensor, which is on or off afterwards.
 */
function everyKind(workspaceId: string, { status, instanceId }: ReviewFilter): RawBuilder<unknown> {
  const decision = sql`r.status, r.requested_by as "requestedBy", r.requested_at as "requestedAt", r.decided_by as "decidedBy",
      r.decided_at as "decidedAt", r.note`
  const what = sql`r.revision, r.environments as targets, r.publish_at as at, r.action, r.schedule_id as "scheduleId", r.request`
  const ofContent = sql`
    select r.id, r.kind, r.subject as "instanceId", i.block_key as "blockKey", i.title, ${what}, null::text as "campaignId", null::text as name, ${decision}
    from reviews r join block_instances i on i.workspace_id = ${workspaceId} and i.id = r.subject
    where r.workspace_id = ${workspaceId} and r.kind = 'instance' and r.status = ${status}
      and (${instanceId ?? null}::text is null or r.subject = ${instanceId ?? null}::text)`
  if (instanceId !== undefined) return ofContent
  const ofMessages = sql`
    select r.id, r.kind, r.subject, null, null, ${what}, null, null, ${decision} from reviews r
    where r.workspace_id = ${workspaceId} and r.kind <> 'instance' and r.status = ${status}`
  const none = sql`null, null, null, null::integer, null::text[], null::timestamptz, null, null, null::jsonb`
  const ofEdits = sql`
    select e.id, 'campaign_edit', ${none}, e.campaign_id, c.name, e.status, e.requested_by, e.requested_at, e.decided_by, e.decided_at, e.note
    from campaign_edits e join campaigns c on c.workspace_id = ${workspaceId} and c.id = e.campaign_id
    where e.workspace_id = ${workspaceId} and e.status = ${status}`
  const decided = sql`${ofContent} union all ${ofMessages} union all ${ofEdits}`
  if (status !== 'pending') return decided
  return sql`${decided} union all
    select id, 'sensor', key, null, null, ${sql`null::integer, null::text[], null::timestamptz, null, null, null::jsonb`}, null, null,
      'pending', requested_by, created_at, null, null::timestamptz, null
    from sensor_requests where workspace_id = ${workspaceId} union all
    select id, 'campaign', ${none}, id, name, 'pending', submitted_by, submitted_at, null, null::timestamptz, null from campaigns
    where workspace_id = ${workspaceId} and status = 'pending_review'`
}

/** The activation of a journey, or a message to a segment. */
export async function findMessageReview(db: Db, workspaceId: string, id: string): Promise<JourneyReview | MessageReview | undefined> {
  const row = await db
    .selectFrom('reviews')
    .select(['id', 'kind', 'subject', 'request', 'status', 'note'])
    .select(['requested_by as requestedBy', 'requested_at as requestedAt', 'decided_by as decidedBy', 'decided_at as decidedAt'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('kind', '<>', 'instance')
    .executeTakeFirst()
  if (!row) return undefined
  const { kind, subject, request, ...decided } = row
  const { name = '', ...message } = request as Requested
  return kind === 'journey' ? { ...decided, kind, journeyId: subject, name } : { ...decided, kind: 'notification', ...messageOf(message) }
}

export async function listPendingOf(db: Db, workspaceId: string, instanceId: string): Promise<Review[]> {
  return reviews(db, workspaceId)
    .select(COLUMNS)
    .where('r.subject', '=', instanceId)
    .where('r.status', '=', 'pending')
    .orderBy('r.id')
    .execute()
}

export async function findReview(db: Db, workspaceId: string, id: string): Promise<Review | undefined> {
  return reviews(db, workspaceId).select(COLUMNS).where('r.id', '=', id).executeTakeFirst()
}

export async function insertReview(tx: Db, workspaceId: string, review: NewReview): Promise<void> {
  const { id, action, scheduleId, instanceId, revision, targets, at, requestedBy, requestedAt } = review
  await tx
    .insertInto('reviews')
    .values({
      workspace_id: workspaceId,
      id,
      kind: 'instance',
      action,
      schedule_id: scheduleId,
      subject: instanceId,
      revision,
      environments: targets,
      publish_at: at,
      status: 'pending',
      requested_by: requestedBy,
      requested_at: requestedAt,
    })
    .execute()
}

type Decision = { status: Exclude<ReviewStatus, 'pending'>; by: string; at: Date; note: string | null }

/** False when it was decided meanwhile. */
export async function decideReview(tx: Db, workspaceId: string, id: string, { status, by, at, note }: Decision): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reviews')
    .set({ status, decided_by: by, decided_at: at, note })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Withdraws the requests about an instance that is deleted. */
export async function withdrawReviewsOf(tx: Db, workspaceId: string, instanceId: string, by: string, at: Date): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ status: 'withdrawn', decided_by: by, decided_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('subject', '=', instanceId)
    .where('status', '=', 'pending')
    .execute()
}

/** Withdraws the requests to move a publication that was carried out or cancelled. */
export async function withdrawReviewsOfSchedule(tx: Db, workspaceId: string, scheduleId: string, by: string, at: Date): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ status: 'withdrawn', decided_by: by, decided_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('schedule_id', '=', scheduleId)
    .where('status', '=', 'pending')
    .execute()
}
