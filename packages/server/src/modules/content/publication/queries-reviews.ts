import { sql } from 'kysely'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals.ts'

export const REVIEW_STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]
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

/** Those that wait the longest first; others the newest first. */
export async function pageReviews(
  db: Db,
  workspaceId: string,
  { status, instanceId, after, limit }: { status: ReviewStatus; instanceId: string | undefined; after: string | undefined; limit: number },
): Promise<Paged<Review>> {
  const all = reviews(db, workspaceId)
    .where('r.status', '=', status)
    .$if(instanceId !== undefined, (query) => query.where('r.subject', '=', instanceId ?? ''))
  const isQueue = status === 'pending'
  const rows = await all
    .select(COLUMNS)
    .$if(after !== undefined, (query) => query.where('r.id', isQueue ? '>' : '<', after ?? ''))
    .orderBy('r.id', isQueue ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await all.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return paged(rows, limit, total, ({ id }) => id)
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
