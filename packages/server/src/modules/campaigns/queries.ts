import { sql, type Selectable } from 'kysely'
import { IN_APP, type Campaign, type CampaignSchedule } from '@contentflow/core/campaigns/campaign.ts'
import { isOver, nextMoment, type CampaignStatus, type LaunchProtection, type LiveStatus } from '@contentflow/core/campaigns/status.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { textsOfMails } from '@contentflow/core/mail/fill-texts.ts'
import { wholeMail, type FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { MESSAGE_MEMBERS } from '@contentflow/core/messages/content.ts'
import { inboxDaysOf } from '@contentflow/core/messages/inbox.ts'
import { tokensIn } from '@contentflow/core/messages/tokens.ts'
import { pageFrom, type Paged } from '@contentflow/core/paging.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import { holdsText } from '../../db/fold-text.ts'
import type { Db } from '../../db/open.ts'
import { readPage } from '../../db/pages.ts'
import type { Campaigns } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'

/**
 * What an approval was given to, and by whom. `hash` of a segment: null when there was none of that name. `pictures`: files of
 * the library that it shows; not of approvals from before they were noted.
 */
export type ApprovalSeal = {
  hash: string
  by: string
  at: string
  segments: { name: string; hash: string | null }[]
  pictures?: { id: string; name: string }[]
}
export type StoredCampaign = Campaign & {
  id: string
  status: CampaignStatus
  pausedFrom: LiveStatus | null
  createdBy: string
  submittedBy: string | null
  submittedAt: Date | null
  approvedBy: string | null
  approvedAt: Date | null
  /** Since when it is shown, pauses included; null: it never was. */
  liveSince: Date | null
  rejectionNote: string | null
  seal: ApprovalSeal | null
  version: number
  createdAt: Date
  updatedAt: Date
}

const of = (db: Db, workspaceId: string) => db.selectFrom('campaigns').where('workspace_id', '=', workspaceId)

export async function findCampaign(db: Db, workspaceId: string, id: string): Promise<StoredCampaign | undefined> {
  const row = await of(db, workspaceId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toCampaign(row)
}

export async function getCampaign(db: Db, workspaceId: string, id: string): Promise<StoredCampaign> {
  return (await findCampaign(db, workspaceId, id)) ?? failWith(404, 'campaign not found')
}

export async function listCampaigns(db: Db, workspaceId: string): Promise<StoredCampaign[]> {
  const rows = await of(db, workspaceId).selectAll().orderBy('id').execute()
  return rows.map(toCampaign)
}

/** `from`, `to`: those that start or end between them. */
export type CampaignFilter = {
  status: CampaignStatus | undefined
  search: string | undefined
  from: Date | undefined
  to: Date | undefined
  after: string | undefined
  limit: number
}

/** The newest first. */
export async function pageCampaigns(
  db: Db,
  workspaceId: string,
  { status, search = '', from, to, after, limit }: CampaignFilter,
): Promise<Paged<StoredCampaign>> {
  const all = of(db, workspaceId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'draft'))
    .$if(search !== '', (query) => query.where(holdsText(sql`name`, search)))
    .$if(from !== undefined || to !== undefined, (query) => query.where(turnsBetween(from, to)))
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const page = all
    .selectAll()
    .select(
      sql<number>`octet_length(content::text) + coalesce(octet_length(mail::text), 0) + coalesce(octet_length(mail_parts::text), 0)`.as(
        'bytes',
      ),
    )
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
  const { rows, isLast } = await readPage(db, page, limit)
  return pageFrom({ rows: rows.map(toCampaign), isLast }, total, ({ id }) => id)
}

function turnsBetween(from: Date | undefined, to: Date | undefined) {
  const [first, end] = [from ?? '-infinity', to ?? 'infinity']
  const isWithin = (column: string) => sql`(${sql.ref(column)} >= ${first}::timestamptz and ${sql.ref(column)} < ${end}::timestamptz)`
  return sql<boolean>`(${isWithin('starts_at')} or ${isWithin('ends_at')})`
}

export async function countCampaigns(db: Db, workspaceId: string): Promise<number> {
  const { total } = await of(db, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function insertCampaign(tx: Db, workspaceId: string, campaign: StoredCampaign): Promise<void> {
  const { id, createdBy, createdAt } = campaign
  await tx
    .insertInto('campaigns')
    .values({ workspace_id: workspaceId, id, created_by: createdBy, created_at: createdAt, ...columnsOf(campaign) })
    .execute()
}

/** A lease stays: what is due from then on is said by `due_at`. */
export async function updateCampaign(tx: Db, workspaceId: string, campaign: StoredCampaign): Promise<void> {
  await tx.updateTable('campaigns').set(columnsOf(campaign)).where('workspace_id', '=', workspaceId).where('id', '=', campaign.id).execute()
}

export async function deleteCampaign(tx: Db, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('campaigns').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Milliseconds, as the rules of a campaign's status take them. */
export function momentsOf({ status, schedule }: Pick<StoredCampaign, 'status' | 'schedule'>) {
  const { startTime, endTime } = schedule
  return { status, startsAt: Date.parse(startTime), endsAt: endTime === undefined ? null : Date.parse(endTime) }
}

/** When time changes it next, or, once it is over, when what waits of it in apps is forgotten. */
export function dueAtOf(campaign: Pick<StoredCampaign, 'status' | 'schedule' | 'updatedAt' | 'content'>): Date | null {
  const moment = isOver(campaign.status) ? forgottenAt(campaign) : nextMoment(momentsOf(campaign))
  return moment === null ? null : new Date(moment)
}

/** Milliseconds. A campaign that is over is not changed any more, so its last change is when it ended. */
export function forgottenAt(campaign: Pick<StoredCampaign, 'updatedAt' | 'content'>): number {
  return campaign.updatedAt.getTime() + keptDaysOf(campaign) * DAY_MS
}

/** Days after its end that its messages in apps are kept: as long as any may be in an inbox (decision 68). */
export function keptDaysOf({ content }: Pick<StoredCampaign, 'content'>): number {
  return Math.max(LIMITS.endedCampaignDays, inboxDaysOf(content) ?? 0)
}

/** What goes into inboxes. Its texts are kept as they were last approved and shown: what is edited after that concerns nobody who got it. */
function inboxColumns({ content, dispatchChannels, status }: StoredCampaign) {
  const days = dispatchChannels.includes(IN_APP) ? inboxDaysOf(content) : undefined
  const isLive = status === 'active' || status === 'test'
  return { inbox_days: days ?? null, ...(isLive && days !== undefined && { inbox_content: JSON.stringify(content) }) }
}

function columnsOf(campaign: StoredCampaign) {
  const { schedule, content } = campaign
  return {
    name: campaign.name,
    type: campaign.type,
    priority: campaign.priority,
    segments: campaign.segments,
    schedule: JSON.stringify(schedule),
    content: JSON.stringify(content),
    mail: campaign.mail === undefined ? null : JSON.stringify(campaign.mail),
    mail_parts: campaign.mailParts === undefined || campaign.mailParts.length === 0 ? null : JSON.stringify(campaign.mailParts),
    topic: campaign.topic ?? null,
    dispatch_channels: campaign.dispatchChannels,
    control_percent: campaign.controlPercent ?? 0,
    status: campaign.status,
    paused_from: campaign.pausedFrom,
    submitted_by: campaign.submittedBy,
    submitted_at: campaign.submittedAt,
    approved_by: campaign.approvedBy,
    approved_at: campaign.approvedAt,
    live_since: campaign.liveSince,
    rejection_note: campaign.rejectionNote,
    seal: campaign.seal && JSON.stringify(campaign.seal),
    tokens: tokensIn([...textsOf(content), ...textsOfMails(frozenMailOf(campaign))]),
    version: campaign.version,
    starts_at: new Date(schedule.startTime),
    ends_at: schedule.endTime === undefined ? null : new Date(schedule.endTime),
    updated_at: campaign.updatedAt,
    due_at: dueAtOf(campaign),
    ...inboxColumns(campaign),
  }
}

/** What is sent by email, with the parts that it was submitted with. */
export function frozenMailOf({ mail, mailParts }: Pick<Campaign, 'mail' | 'mailParts'>): MailDocument | undefined {
  return mail && wholeMail(mail, mailParts)
}

function textsOf(content: Campaign['content']): string[] {
  const messages = Object.values(content).flatMap(({ variants = [], ...base }) => [base, ...variants.map(({ values }) => values)])
  return messages.flatMap((message) => MESSAGE_MEMBERS.flatMap((member) => message[member] ?? []))
}

function toCampaign(row: Selectable<Campaigns>): StoredCampaign {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    priority: row.priority,
    segments: row.segments,
    schedule: row.schedule as CampaignSchedule,
    content: row.content as Campaign['content'],
    dispatchChannels: row.dispatch_channels,
    controlPercent: row.control_percent || undefined,
    mail: (row.mail as MailDocument | null) ?? undefined,
    mailParts: (row.mail_parts as FrozenPart[] | null) ?? undefined,
    topic: row.topic ?? undefined,
    status: row.status,
    pausedFrom: row.paused_from,
    createdBy: row.created_by,
    submittedBy: row.submitted_by,
    submittedAt: row.submitted_at,
    approvedBy: row.approved_by,
    approvedAt: row.approved_at,
    liveSince: row.live_since,
    rejectionNote: row.rejection_note,
    seal: row.seal as ApprovalSeal | null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const dueCampaigns = (db: Db) => dueTable<DueRow>(db, 'campaigns')

// --- what is asked of the workspace ---

export type Launch = { mode: LaunchProtection; sealAudience: boolean }

export async function findLaunch(db: Db, workspaceId: string): Promise<Launch> {
  const row = await db
    .selectFrom('workspaces')
    .select(['launch_protection as mode', 'seals_audience as sealAudience'])
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row ?? failWith(404, 'workspace not found')
}

export async function updateLaunch(tx: Db, workspaceId: string, { mode, sealAudience }: Launch, now: Date): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ launch_protection: mode, seals_audience: sealAudience, updated_at: now })
    .where('id', '=', workspaceId)
    .execute()
}

/** Keys of block types among these that campaigns may use (M-REG-18). */
export async function listCampaignBlocks(db: Db, workspaceId: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('block_definitions')
    .select('key')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`key = any(${[...keys]}::text[])`)
    .where('in_campaigns', '=', true)
    .where('archived_at', 'is', null)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

export type SegmentDefinition = { name: string; logicalOperator: string; rules: unknown; excluded: string[]; updatedAt: Date }

/** The segments of these names, by the name that was asked for: one it had before counts while no other has it. */
export async function listSegmentDefinitions(
  db: Db,
  workspaceId: string,
  names: readonly string[],
): Promise<Map<string, SegmentDefinition>> {
  if (names.length === 0) return new Map()
  const asked = sql`${[...names]}::text[]`
  const { rows } = await sql<SegmentDefinition & { former: string[] }>`
    select name, logical_operator as "logicalOperator", rules, excluded, updated_at as "updatedAt", former_names as former from segments
    where workspace_id = ${workspaceId} and (name = any(${asked}) or former_names && ${asked})`.execute(db)
  const byName = new Map<string, SegmentDefinition>()
  for (const row of rows) for (const name of row.former) byName.set(name, row)
  for (const row of rows) byName.set(row.name, row)
  return byName
}
