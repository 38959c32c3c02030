import { sql, type RawBuilder } from 'kysely'
import { cursorOfPlace, paged, type Paged, type Place } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals.ts'

export const REVIEW_STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
type ReviewStatus = (typeof REVIEW_STATUSES)[number]
/** A revision of an instance that somebody wants published, now or `at` a moment, and what became of it. */
export type Review = {
  id: string
  kind: 'instance'
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
export type NewReview = Pick<Review, 'id' | 'instanceId' | 'revision' | 'targets' | 'at' | 'requestedBy' | 'requestedAt'>

const reviews = (db: Db, workspaceId: string) =>
  db
    .selectFrom('reviews as r')
    .innerJoin('block_instances as i', 'i.id', 'r.subject')
    .where('r.workspace_id', '=', workspaceId)
    .where('i.workspace_id', '=', workspaceId)

const COLUMNS = [
  'r.id',
  sql<'instance'>`r.kind`.as('kind'),
  'r.subject as instanceId',
  'i.block_key as blockKey',
  'i.title',
  'r.revision',
  sql<Environment[]>`r.environments`.as('targets'),
  'r.publish_at as at',
  'r.status',
  'r.requested_by as requestedBy',
  'r.requested_at as requestedAt',
  'r.decided_by as decidedBy',
  'r.decided_at as decidedAt',
  'r.note',
] as const

/** A campaign that was submitted, or a change of one that is approved. */
export type CampaignReview = Pick<Review, 'id' | 'status' | 'requestedBy' | 'requestedAt' | 'decidedBy' | 'decidedAt' | 'note'> & {
  kind: 'campaign' | 'campaign_edit'
  campaignId: string
  name: string
}
type Asked = { status: ReviewStatus; instanceId: string | undefined }

/** Of every kind. Those that wait the longest first; others the newest first. `after`: time and id, as the cursor says them. */
export async function pageReviews(
  db: Db,
  workspaceId: string,
  { after, limit, ...asked }: Asked & { after: Place | undefined; limit: number },
): Promise<Paged<Review | CampaignReview>> {
  const isQueue = asked.status === 'pending'
  const all = sql`(${everyKind(workspaceId, asked)}) as w`
  const [order, isBehind] = isQueue ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  const behind = after === undefined ? sql`` : sql`where ("requestedAt", id) ${isBehind} (${after.at}::timestamptz, ${after.id})`
  const { rows } = await sql<Row>`
    select * from ${all} ${behind} order by "requestedAt" ${order}, id ${order} limit ${limit + 1}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::integer as total from ${all}`.execute(db)
  const { items, ...page } = paged(rows, limit, counted.rows[0]?.total ?? 0, ({ requestedAt: at, id }) => cursorOfPlace({ at, id }))
  return { ...page, items: items.map(toReview) }
}

type Row = Omit<Review, 'kind'> & Omit<CampaignReview, 'kind'> & { kind: Review['kind'] | CampaignReview['kind'] }

/** A row has the members of every kind, and of its own those that are not null. */
function toReview({ campaignId, name, instanceId, blockKey, title, revision, targets, at, kind, ...asked }: Row): Review | CampaignReview {
  if (kind === 'instance') return { ...asked, kind, instanceId, blockKey, title, revision, targets, at }
  return { ...asked, kind, campaignId, name }
}

/** Of one instance nothing of campaigns. A campaign stands here only while it waits: its history says what became of it. */
function everyKind(workspaceId: string, { status, instanceId }: Asked): RawBuilder<unknown> {
  const ofContent = sql`
    select r.id, r.kind, r.subject as "instanceId", i.block_key as "blockKey", i.title, r.revision, r.environments as targets,
      r.publish_at as at, null::text as "campaignId", null::text as name, r.status, r.requested_by as "requestedBy", r.requested_at as "requestedAt",
      r.decided_by as "decidedBy", r.decided_at as "decidedAt", r.note
    from reviews r join block_instances i on i.workspace_id = ${workspaceId} and i.id = r.subject
    where r.workspace_id = ${workspaceId} and r.status = ${status} and (${instanceId ?? null}::text is null or r.subject = ${instanceId ?? null}::text)`
  if (instanceId !== undefined) return ofContent
  const none = sql`null, null, null, null::integer, null::text[], null::timestamptz`
  const ofEdits = sql`
    select e.id, 'campaign_edit', ${none}, e.campaign_id, c.name, e.status, e.requested_by, e.requested_at, e.decided_by, e.decided_at, e.note
    from campaign_edits e join campaigns c on c.workspace_id = ${workspaceId} and c.id = e.campaign_id
    where e.workspace_id = ${workspaceId} and e.status = ${status}`
  if (status !== 'pending') return sql`${ofContent} union all ${ofEdits}`
  return sql`${ofContent} union all ${ofEdits} union all
    select id, 'campaign', ${none}, id, name, 'pending', submitted_by, submitted_at, null, null::timestamptz, null from campaigns
    where workspace_id = ${workspaceId} and status = 'pending_review'`
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
  const { id, instanceId, revision, targets, at, requestedBy, requestedAt } = review
  await tx
    .insertInto('reviews')
    .values({
      workspace_id: workspaceId,
      id,
      kind: 'instance',
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

/** Of an instance that is gone. */
export async function withdrawReviewsOf(tx: Db, workspaceId: string, instanceId: string, by: string, at: Date): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ status: 'withdrawn', decided_by: by, decided_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('subject', '=', instanceId)
    .where('status', '=', 'pending')
    .execute()
}
