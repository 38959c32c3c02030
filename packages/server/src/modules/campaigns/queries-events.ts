/** The history of a campaign, and changes that wait for a second person. */
import { sql } from 'kysely'
import type { AskedChanges } from '@contentflow/core/campaigns/campaign.ts'
import type { CampaignStatus } from '@contentflow/core/campaigns/status.ts'
import { paged, pageFrom, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import { readPage } from '../../db/pages.ts'

export const CAMPAIGN_ACTIONS = [
  'create',
  'change',
  'submit',
  'approve',
  'reject',
  'recall',
  'set_status',
  'start',
  'expire',
  'hold',
  'ask_edit',
  'approve_edit',
  'reject_edit',
  'resend_interrupted',
] as const
export type CampaignAction = (typeof CAMPAIGN_ACTIONS)[number]
export type CampaignEvent = {
  number: number
  action: CampaignAction
  from: CampaignStatus | null
  to: CampaignStatus | null
  contentHash: string
  note: string | null
  madeBy: string
  at: Date
}
/** `isAutosave`: a draft that saved itself. */
export type NewEvent = Omit<CampaignEvent, 'number'> & { isAutosave?: boolean }

export async function insertEvent(tx: Db, workspaceId: string, campaignId: string, event: NewEvent): Promise<void> {
  const { action, from, to, contentHash, note, madeBy, at, isAutosave = false } = event
  await sql`
    insert into campaign_events (workspace_id, campaign_id, number, action, from_status, to_status, content_hash, note, made_by, made_at, autosaved)
    select ${workspaceId}, ${campaignId}, coalesce(max(number), 0) + 1, ${action}, ${from}, ${to}, ${contentHash}, ${note}, ${madeBy},
      ${at}::timestamptz, ${isAutosave}::boolean
    from campaign_events where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`.execute(tx)
}

/**
 * Takes the place of the last event where that is a change that saved itself for the same member since `since`: what saves
 * itself every few seconds is one change. What was saved by hand stays. False: it is not.
 */
export async function renewChange(
  tx: Db,
  workspaceId: string,
  campaignId: string,
  { contentHash, madeBy, at }: Pick<NewEvent, 'contentHash' | 'madeBy' | 'at'>,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update campaign_events set content_hash = ${contentHash}, made_at = ${at}::timestamptz
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and action = 'change' and autosaved
      and made_by = ${madeBy} and made_at > ${since}::timestamptz
      and number = (select max(number) from campaign_events where workspace_id = ${workspaceId} and campaign_id = ${campaignId})
    returning number`.execute(tx)
  return rows.length > 0
}

/** The newest first; `before` is a number. */
export async function pageEvents(
  db: Db,
  workspaceId: string,
  campaignId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Paged<CampaignEvent>> {
  const all = db.selectFrom('campaign_events').where('workspace_id', '=', workspaceId).where('campaign_id', '=', campaignId)
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .select(['number', 'from_status', 'to_status', 'content_hash', 'note', 'made_by', 'made_at'])
    .select(sql<CampaignAction>`action`.as('action'))
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute()
  const events = rows.map(({ number, action, from_status, to_status, content_hash, note, made_by, made_at }) => ({
    number,
    action,
    from: from_status as CampaignStatus | null,
    to: to_status as CampaignStatus | null,
    contentHash: content_hash,
    note,
    madeBy: made_by,
    at: made_at,
  }))
  return paged(events, limit, total, ({ number }) => String(number))
}

export const EDIT_STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const
export type EditStatus = (typeof EDIT_STATUSES)[number]
export type EditRequest = {
  id: string
  campaignId: string
  changes: AskedChanges
  baseVersion: number
  status: EditStatus
  requestedBy: string
  requestedAt: Date
  decidedBy: string | null
  decidedAt: Date | null
  note: string | null
}

const EDIT_COLUMNS = [
  'id',
  'campaign_id as campaignId',
  sql<AskedChanges>`changes`.as('changes'),
  'base_version as baseVersion',
  'status',
  'requested_by as requestedBy',
  'requested_at as requestedAt',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
  'note',
] as const

const editsOf = (db: Db, workspaceId: string, campaignId: string) =>
  db.selectFrom('campaign_edits').where('workspace_id', '=', workspaceId).where('campaign_id', '=', campaignId)

/** The newest first. */
export async function pageEdits(
  db: Db,
  workspaceId: string,
  campaignId: string,
  { status, after, limit }: { status: EditStatus | undefined; after: string | undefined; limit: number },
): Promise<Paged<EditRequest>> {
  const all = editsOf(db, workspaceId, campaignId).$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const page = all
    .select(EDIT_COLUMNS)
    .select(sql<number>`octet_length(changes::text)`.as('bytes'))
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  return pageFrom({ rows: rows.map(toEdit), isLast }, total, ({ id }) => id)
}

function toEdit(row: EditRequest): EditRequest {
  const { id, campaignId, changes, baseVersion, status, requestedBy, requestedAt, decidedBy, decidedAt, note } = row
  return { id, campaignId, changes, baseVersion, status, requestedBy, requestedAt, decidedBy, decidedAt, note }
}

export async function findEdit(db: Db, workspaceId: string, campaignId: string, id: string): Promise<EditRequest | undefined> {
  return editsOf(db, workspaceId, campaignId).select(EDIT_COLUMNS).where('id', '=', id).executeTakeFirst()
}

export async function insertEdit(
  tx: Db,
  workspaceId: string,
  edit: Pick<EditRequest, 'id' | 'campaignId' | 'changes' | 'baseVersion' | 'requestedBy' | 'requestedAt'>,
): Promise<void> {
  await tx
    .insertInto('campaign_edits')
    .values({
      workspace_id: workspaceId,
      id: edit.id,
      campaign_id: edit.campaignId,
      changes: JSON.stringify(edit.changes),
      base_version: edit.baseVersion,
      status: 'pending',
      requested_by: edit.requestedBy,
      requested_at: edit.requestedAt,
    })
    .execute()
}

type Decision = { status: Exclude<EditStatus, 'pending'>; by: string; at: Date; note: string | null }

/** Decides one request for an edit, or all that wait. */
export async function decideEdits(
  tx: Db,
  workspaceId: string,
  { campaignId, id }: { campaignId: string; id?: string },
  { status, by, at, note }: Decision,
): Promise<void> {
  await tx
    .updateTable('campaign_edits')
    .set({ status, decided_by: by, decided_at: at, note })
    .where('workspace_id', '=', workspaceId)
    .where('campaign_id', '=', campaignId)
    .where('status', '=', 'pending')
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .execute()
}
