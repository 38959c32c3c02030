import {
  BLANK,
  faultOf,
  IN_APP,
  SEND_CHANNELS,
  withChanges,
  type AskedChanges,
  type Campaign,
  type CampaignChanges,
} from '@contentflow/core/campaigns/campaign.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { readCampaign } from '@contentflow/core/campaigns/read-campaign.ts'
import { cellOf } from '@contentflow/core/campaigns/status.ts'
import type { Link } from '@contentflow/core/blocks/links/link-schemes.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { wholeMail, type FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { linksOfMail, linksOfMessages } from '@contentflow/core/messages/links.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import { actorOfMember } from '../../http/callers/auth.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { refuseSubmitter } from '../approvals/index.ts'
import { refuseLinks } from '../links/index.ts'
import { freezeParts, refuseUnknownParts } from '../mails/index.ts'
import { dropMessages, dropMessagesOf } from '../messages/index.ts'
import { bytesOf, reserveQuota } from '../quota/index.ts'
import { refuseUnsendable, resendInterrupted } from '../sends/index.ts'
import { refuseTopics } from '../topics/index.ts'
import { zoneOfDays } from '../calendar/index.ts'
import { withCatalog } from './catalog-texts.ts'
import { changeCampaign, changeCampaigns, storeCampaign } from './change-campaign.ts'
import * as queries from './queries.ts'
import type { StoredCampaign } from './queries.ts'
import { insertEdit, insertEvent } from './queries-events.ts'
import { hashContent, sealOf } from './review/seal.ts'

/** G-50. */
export async function createCampaign(ctx: Context, by: Actor, body: unknown): Promise<StoredCampaign> {
  const changes = await readChanges(ctx, by.workspaceId, body, true)
  return changeCampaigns(ctx, by, (change) => insertDraft(change, uuidv7(change.now.getTime()), changes))
}

export async function insertDraft(change: Change, id: string, written: CampaignChanges): Promise<StoredCampaign> {
  const { tx, workspaceId, actor, now } = change
  if ((await queries.countCampaigns(tx, workspaceId)) >= LIMITS.campaignsPerWorkspace) fail('CAMPAIGN_LIMIT')
  const changes = await withCatalog(change, written)
  const held = await applyToCampaign(change, { ...BLANK, name: '', type: '' }, changes)
  await refuseLinks(change, linksOfCampaign(held))
  const campaign: StoredCampaign = {
    ...held,
    id,
    status: 'draft',
    pausedFrom: null,
    createdBy: actor,
    submittedBy: null,
    submittedAt: null,
    approvedBy: null,
    approvedAt: null,
    liveSince: null,
    rejectionNote: null,
    seal: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  reserveQuota(change, bytesOf([campaign.content, campaign.mail]))
  await queries.insertCampaign(tx, workspaceId, campaign)
  change.audited('campaign', id, undefined, campaign)
  const event = { from: null, to: 'draft', contentHash: hashContent(held), note: null, madeBy: actor, at: now } as const
  await insertEvent(tx, workspaceId, id, { action: 'create', ...event })
  return campaign
}

/** `isAsked`: it waits for a second person. */
export type CampaignChangeResult =
  { isAsked: false; campaign: StoredCampaign } | { isAsked: true; editRequestId: string; campaignId: string }

/** `isAutosave`: saves that follow each other are one change in its history. */
export type SaveOptions = { expectedVersion: number | undefined; isAutosave?: boolean | undefined }

/** Members left out stay. Of what is approved, somebody without approval rights only asks for the change (G-53). */
export async function updateCampaign(
  ctx: Context,
  member: MemberCaller,
  id: string,
  body: unknown,
  { expectedVersion, isAutosave = false }: SaveOptions,
): Promise<CampaignChangeResult> {
  const written = await readChanges(ctx, member.workspaceId, body, false)
  return changeCampaign(ctx, byMember(member), id, expectedVersion, async (change, before) => {
    const changes = await withCatalog(change, written)
    const cell = cellOf(before.status, 'edit')
    if ('refused' in cell) fail(cell.refused)
    if (cell.to === 'asked' && !member.mayApprove) {
      // An edit without changes needs no approval.
      if (Object.keys(changes).length === 0) return { isAsked: false, campaign: before }
      return askForEdit(change, before, changes)
    }
    return { isAsked: false, campaign: await applyChanges(change, before, changes, { action: 'change', isAutosave }) }
  })
}

/** What is approved is sealed anew by whoever lets it be another. */
export async function applyChanges(
  change: Change,
  before: StoredCampaign,
  changes: AskedChanges,
  done: { action: 'change' | 'approve_edit'; note?: string | null; isAutosave?: boolean } = { action: 'change' },
): Promise<StoredCampaign> {
  const next = { ...before, ...(await applyToCampaign(change, before, changes)) }
  if (isWritten(before)) next.mailParts = undefined
  else if ('mail' in changes && changes.mailParts === undefined) next.mailParts = await freezeAnew(change, next, before)
  // What waited for a second person was written, and judged, when it was asked for.
  if (done.action === 'change') await refuseNewLinks(change, before, next)
  await refuseUnsendableEdit(change, before, next)
  reserveQuota(change, bytesOf([next.content, next.mail, next.mailParts]))
  const seal = before.seal && (await sealOf(change, next))
  return storeCampaign(change, before, { ...next, seal }, done)
}

/** Files an edit of an approved campaign: nothing changes until a member with approval rights agrees. */
export async function askForEdit(change: Change, before: StoredCampaign, changes: CampaignChanges): Promise<CampaignChangeResult> {
  const { tx, workspaceId, actor, submitter, now } = change
  await refuseSubmitter(change)
  const written = await applyToCampaign(change, before, changes)
  const mailParts = 'mail' in changes ? await freezeAnew(change, written, before) : before.mailParts
  const asked = { ...written, mailParts }
  await refuseNewLinks(change, before, asked)
  await refuseUnsendableEdit(change, before, { ...before, ...asked })
  const id = uuidv7(now.getTime())
  const held = 'mail' in changes ? { ...changes, mailParts: mailParts ?? [] } : changes
  const edit = { id, campaignId: before.id, changes: held, baseVersion: before.version, requestedBy: submitter, requestedAt: now }
  await insertEdit(tx, workspaceId, edit)
  const event = { from: null, to: null, contentHash: hashContent(asked), note: null, madeBy: actor, at: now }
  await insertEvent(tx, workspaceId, before.id, { action: 'ask_edit', ...event })
  return { isAsked: true, editRequestId: id, campaignId: before.id }
}

/** What is to be approved yet is looked at when it is submitted. What was approved before keeps what it says. */
async function refuseUnsendableEdit({ tx, workspaceId }: Change, before: StoredCampaign, next: StoredCampaign): Promise<void> {
  if (isWritten(before)) return
  if (hashContent(before) !== hashContent(next)) await refuseUnsendable(tx, workspaceId, sentBy(next))
}

/** What leaves of it, and over which channels. */
export function sentBy({
  dispatchChannels,
  content,
  mail,
  mailParts,
}: Pick<Campaign, 'dispatchChannels' | 'content' | 'mail' | 'mailParts'>) {
  return { channels: dispatchChannels, content, mail: queries.frozenMailOf({ mail, mailParts }) }
}

/** Whether it is still written, so that its mail shows saved parts as they are now. */
function isWritten({ status }: Pick<StoredCampaign, 'status'>): boolean {
  return status === 'draft' || status === 'rejected'
}

/** What stays of the parts of a mail that is another now stays as it was agreed to; what is new is as it is now. */
async function freezeAnew({ tx, workspaceId }: Change, { mail }: Linked, { mailParts }: Campaign): Promise<FrozenPart[] | undefined> {
  return mail && freezeParts(tx, workspaceId, mail, mailParts)
}

/** What would go by email now, with the parts that it was submitted with, or of a draft as they are now. */
export async function mailNow(db: Db, workspaceId: string, campaign: StoredCampaign): Promise<MailDocument | undefined> {
  const { mail } = campaign
  if (!mail || !isWritten(campaign)) return queries.frozenMailOf(campaign)
  return wholeMail(mail, await freezeParts(db, workspaceId, mail))
}

/** What waits of it in apps, from when it was live, goes first, in steps: they may be too many for one transaction. */
export async function deleteCampaign(ctx: Context, by: Actor, id: string, expectedVersion: number | undefined): Promise<void> {
  await changeCampaign(ctx, by, id, expectedVersion, async (_change, { status }) => refuseToDelete(status))
  await dropMessages(ctx, by.workspaceId, id, 'draft')
  await changeCampaign(ctx, by, id, expectedVersion, dropCampaign)
}

export async function dropCampaign({ tx, workspaceId }: Change, { id, status }: StoredCampaign): Promise<void> {
  refuseToDelete(status)
  await dropMessagesOf(tx, workspaceId, id, 'draft')
  await queries.deleteCampaign(tx, workspaceId, id)
}

function refuseToDelete(status: StoredCampaign['status']): void {
  const cell = cellOf(status, 'delete')
  if ('refused' in cell) fail(cell.refused)
}

/** G-84. Says how many people. */
export async function sendInterruptedAgain(ctx: Context, by: Actor, id: string): Promise<number> {
  return changeCampaign(ctx, by, id, undefined, async (change, campaign) => {
    const { tx, workspaceId, actor, now } = change
    if (campaign.status !== 'active') fail('CAMPAIGN_NOT_ACTIVE')
    const resent = await resendInterrupted(change, { source: 'campaign', sourceId: id })
    const event = { from: null, to: null, contentHash: hashContent(campaign), note: String(resent), madeBy: actor, at: now }
    if (resent > 0) await insertEvent(tx, workspaceId, id, { action: 'resend_interrupted', ...event })
    return resent
  })
}

async function readChanges({ db }: Context, workspaceId: string, body: unknown, isNew: boolean): Promise<CampaignChanges> {
  const schedule = isPlainObject(body) && isPlainObject(body['schedule']) ? body['schedule'] : {}
  const day = await zoneOfDays(db, workspaceId, schedule['startTime'], schedule['endTime'])
  const read = readCampaign(body, { isNew, day })
  if (read.ok) return read.value
  return read.code ? fail(read.code, { message: read.error }) : failWith(400, read.error)
}

/** What the campaign would hold, checked as a whole. */
async function applyToCampaign(
  { tx, workspaceId, now }: Change,
  before: Omit<Campaign, 'schedule'> & { schedule?: Campaign['schedule'] },
  changes: AskedChanges,
): Promise<Campaign> {
  const next = withChanges(before, changes, now.toISOString())
  const fault = faultOf(next)
  if (fault !== undefined) failWith(400, fault)
  // What waited for a second person has the parts that it was asked with.
  if (changes.mail && changes.mailParts === undefined) await refuseUnknownParts(tx, workspaceId, 'mail', next.mail, before.mail)
  const known: ReadonlySet<string> = new Set([...SEND_CHANNELS, IN_APP])
  const blocks = (changes.dispatchChannels ?? []).filter((channel) => !known.has(channel))
  const usable = await queries.listCampaignBlocks(tx, workspaceId, blocks)
  const unusable = blocks.find((key) => !usable.has(key))
  if (unusable !== undefined)
    failWith(400, `dispatchChannels: ${JSON.stringify(unusable)} is no channel, and no block type that campaigns may use`)
  await refuseTopic(tx, workspaceId, before, next)
  return next
}

/** A topic that was archived since stays with the campaigns that name it. */
async function refuseTopic(tx: Db, workspaceId: string, before: About, { topic, dispatchChannels }: About): Promise<void> {
  const channels = SEND_CHANNELS.filter((channel) => dispatchChannels.includes(channel))
  const isKept = topic === before.topic && channels.every((channel) => before.dispatchChannels.includes(channel))
  if (!isKept) await refuseTopics(tx, workspaceId, [{ topic, channels, at: 'topic' }])
}

type About = Pick<Campaign, 'topic' | 'dispatchChannels'>

type Linked = Pick<Campaign, 'content' | 'mail'>

async function refuseNewLinks(change: Change, before: Linked, after: Linked): Promise<void> {
  await refuseLinks(change, linksOfCampaign(after), linksOfCampaign(before))
}

function linksOfCampaign({ content, mail }: Linked): Link[] {
  return [...linksOfMessages('content', content), ...linksOfMail('mail', mail)]
}

export function byMember(member: MemberCaller): Actor {
  return actorOfMember(member)
}
