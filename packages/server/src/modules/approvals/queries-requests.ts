/** What waits for a second person besides instances of blocks, in the table of reviews. */
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import type { Db } from '../../db/open.ts'

/** A message to everybody in a segment, by its name, as it is sent when it is approved. */
/** `parts`: the saved parts that stand in the mail, in which version. */
type MessageRequest = {
  segment: string
  channel: ChannelType
  content: MessageContent
  mail?: MailDocument
  parts?: { id: string; name: string; version: number }[]
  topic?: string
}
/** A journey as it was when its activation was asked for. */
type JourneyRequest = { name: string; version: number }
/** `subject`: the id of the journey, or the name of the segment. */
export type RequestKind =
  | { kind: 'journey'; action: 'activate'; subject: string; request: JourneyRequest }
  | { kind: 'notification'; action: 'send'; subject: string; request: MessageRequest }
export type StoredRequest = RequestKind & { id: string; status: string; requestedBy: string; requestedAt: Date }

const of = (db: Db, workspaceId: string) => db.selectFrom('reviews').where('workspace_id', '=', workspaceId).where('kind', '<>', 'instance')

const COLUMNS = [
  'id',
  'kind',
  'action',
  'subject',
  'request',
  'status',
  'requested_by as requestedBy',
  'requested_at as requestedAt',
] as const

export async function findRequest(db: Db, workspaceId: string, id: string): Promise<StoredRequest | undefined> {
  return (await of(db, workspaceId).select(COLUMNS).where('id', '=', id).executeTakeFirst()) as StoredRequest | undefined
}

export async function listPending(db: Db, workspaceId: string, { kind, subject }: RequestKind): Promise<StoredRequest[]> {
  const rows = await of(db, workspaceId)
    .select(COLUMNS)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute()
  return rows as StoredRequest[]
}

export async function insertRequest(
  tx: Db,
  workspaceId: string,
  asked: RequestKind & { id: string; requestedBy: string; requestedAt: Date },
): Promise<void> {
  const { id, kind, action, subject, request, requestedBy, requestedAt } = asked
  const row = { id, kind, action, subject, request: JSON.stringify(request), requested_by: requestedBy, requested_at: requestedAt }
  await tx
    .insertInto('reviews')
    .values({ workspace_id: workspaceId, ...row, status: 'pending' })
    .execute()
}

type Decision = { status: 'approved' | 'rejected' | 'withdrawn'; by: string; at: Date; note: string | null }

/** False when it was decided meanwhile. */
export async function decideRequest(tx: Db, workspaceId: string, id: string, { status, by, at, note }: Decision): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reviews')
    .set({ status, decided_by: by, decided_at: at, note })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Withdraws the requests for something that was changed or deleted. */
export async function withdrawPending(
  tx: Db,
  workspaceId: string,
  { kind, subject }: Pick<RequestKind, 'kind' | 'subject'>,
  { by, at }: { by: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ status: 'withdrawn', decided_by: by, decided_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', '=', 'pending')
    .execute()
}
