/**
 * The inbox of the person behind an installation (decision 68). Every change raises its revision in the same transaction and
 * tells the person's installations; every answer says the number of unread messages and the revision that it is of.
 */
import { assignVariant } from '@contentflow/core/blocks/serving/assign-variant.ts'
import { chosenContent } from '@contentflow/core/campaigns/render-item.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { pickLocale } from '@contentflow/core/locale/pick-locale.ts'
import { inboxLocale, inboxTexts } from '@contentflow/core/messages/inbox.ts'
import type { TokenValues } from '@contentflow/core/messages/tokens.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import type { Change } from '../../infra/change.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'
import { byApp, findDevice, isLive, writePeople } from '../people/index.ts'
import * as messages from './queries.ts'
import * as queries from './queries-inbox.ts'
import type { InboxCount, InboxPage, InboxRow, ItemChange } from './queries-inbox.ts'
import { writeCampaignMessages } from './read-people.ts'

/** What an inbox shows of a message. Times are ISO 8601. */
type InboxItem = {
  id: string
  title: string | null
  body: string | null
  image: string | null
  button: { label: string; url: string } | null
  createdAt: string
  readAt: string | null
  archivedAt: string | null
  campaignId?: string
  journeyId?: string
}
type Inbox = InboxCount & { items: InboxItem[]; next: string | null }
/** `locale`, `acceptLanguage`: as with the texts of an app. */
type InboxAsked = Pick<InboxPage, 'state' | 'cursor'> & { locale: string | undefined; acceptLanguage: string | undefined }

const EMPTY: Inbox = { items: [], unread: 0, revision: 0, next: null }

/** Whoever is not known here, or did not agree, has an empty one. */
export async function readInbox(ctx: Context, caller: AppCaller, deviceId: string, asked: InboxAsked): Promise<Inbox> {
  const { workspaceId } = caller
  const profileId = await personBehind(ctx, caller, deviceId)
  if (profileId === undefined) return EMPTY
  await writeWaiting(ctx, workspaceId, profileId)
  const page = { state: asked.state, cursor: asked.cursor, limit: LIMITS.inboxPage }
  let read = await queries.findInbox(ctx.db, workspaceId, profileId, page, ctx.clock.now())
  if (read?.isOverdue) {
    await writePeople(ctx, byApp(caller), (change) => settle(change, profileId))
    read = await queries.findInbox(ctx.db, workspaceId, profileId, page, ctx.clock.now())
  }
  if (!read) return EMPTY
  const { unread, revision } = read
  if (!read.isAllowed) return { ...EMPTY, revision }
  const rows = read.rows.slice(0, page.limit)
  const last = read.rows.length > page.limit ? rows.at(-1) : undefined
  const items = await textsFor(ctx.db, workspaceId, { profileId, deviceId }, rows, asked)
  return { items, unread, revision, next: last ? queries.inboxCursor(last) : null }
}

/** Reads or archives one message, or takes that back; one that is not theirs is unknown. */
export async function changeInboxItem(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  id: string,
  readChange: () => ItemChange,
): Promise<InboxCount> {
  return changeInbox(ctx, caller, deviceId, async ({ tx, workspaceId, now }, profileId) => {
    if (!(await queries.findItem(tx, workspaceId, profileId, id))) unknownMessage()
    return queries.changeItem(tx, workspaceId, id, readChange(), now)
  })
}

/** Reads all messages that had come when this one had: what came after that nobody saw. */
export async function readAllInbox(ctx: Context, caller: AppCaller, deviceId: string, upTo: string): Promise<InboxCount> {
  return changeInbox(ctx, caller, deviceId, async ({ tx, workspaceId, now }, profileId) => {
    const { arrived } = (await queries.findItem(tx, workspaceId, profileId, upTo)) ?? unknownMessage()
    return queries.readItems(tx, workspaceId, profileId, arrived, now)
  })
}

/** `work` says whether anything is another now. The answer is of the state that it left. */
async function changeInbox(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  work: (change: Change, profileId: string) => Promise<boolean>,
): Promise<InboxCount> {
  const profileId = (await personBehind(ctx, caller, deviceId)) ?? unknownMessage()
  return writePeople(ctx, byApp(caller), async (change) => {
    const { tx, workspaceId, now } = change
    if (!(await queries.lockInbox(tx, workspaceId, profileId))) unknownMessage()
    const hasLeft = await queries.settleInbox(tx, workspaceId, profileId, now)
    const isOther = await work(change, profileId)
    if (hasLeft || isOther) await raise(change, profileId)
    const read = await queries.findInbox(tx, workspaceId, profileId, { state: 'unread', limit: 0 }, now)
    return read?.isAllowed ? { unread: read.unread, revision: read.revision } : { unread: 0, revision: read?.revision ?? 0 }
  })
}

async function settle(change: Change, profileId: string): Promise<void> {
  const { tx, workspaceId, now } = change
  if (!(await queries.lockInbox(tx, workspaceId, profileId))) return
  if (await queries.settleInbox(tx, workspaceId, profileId, now)) await raise(change, profileId)
}

/** What was read is not shown any more either, so what delivery knows of these installations is another. */
async function raise(change: Change, profileId: string): Promise<void> {
  const { tx, workspaceId } = change
  await queries.raiseInbox(tx, workspaceId, profileId)
  for (const deviceId of await messages.listDevicesOf(tx, workspaceId, [profileId])) {
    change.emit({ kind: 'device', workspaceId, deviceId })
    change.emit({ kind: 'inbox', workspaceId, deviceId })
  }
}

/** The person of an installation that is known in this environment and was agreed on. */
async function personBehind({ db, clock }: Context, caller: AppCaller, deviceId: string): Promise<string | undefined> {
  const device = await findDevice(db, caller.workspaceId, deviceId)
  if (!device || device.environment !== caller.environment || !isLive(device, clock.now())) return undefined
  return device.consent === 'granted' ? (device.profile_id ?? undefined) : undefined
}

/** An app that only reads its inbox gets the messages of campaigns all the same. */
async function writeWaiting(ctx: Context, workspaceId: string, profileId: string): Promise<void> {
  const now = ctx.clock.now()
  const { hasInApp, hasOldInApp } = await messages.findAudience(ctx.db, workspaceId, now)
  if (hasInApp) await writeCampaignMessages(ctx, workspaceId, [profileId], { now, isOld: hasOldInApp })
}

type Reader = { profileId: string; deviceId: string }

async function textsFor(
  db: Db,
  workspaceId: string,
  { profileId, deviceId }: Reader,
  rows: readonly InboxRow[],
  { locale, acceptLanguage }: InboxAsked,
): Promise<InboxItem[]> {
  if (rows.length === 0) return []
  const { sourceLocale, linkSchemes } = await queries.findInboxTexts(db, workspaceId)
  const tag = pickLocale(locale, acceptLanguage, sourceLocale)
  const said = rows.map((row) => ({ row, ...contentOf(row, deviceId, tag, sourceLocale) }))
  const hasTokens = said.some(({ content }) => JSON.stringify(content).includes('{{'))
  const [person] = hasTokens ? await messages.listValues(db, workspaceId, [profileId]) : []
  return said.map(({ row, content, language }) => {
    const values: TokenValues | undefined = person && { ...person, ...row.values, language }
    return itemOf(row, inboxTexts(content, values, linkSchemes))
  })
}

/** The same variant that was shown. */
function contentOf({ content, campaignId, journeyId }: InboxRow, deviceId: string, tag: string, sourceLocale: string | null) {
  const language = inboxLocale(Object.keys(content ?? {}), tag, sourceLocale)
  const said = language === undefined ? undefined : content?.[language]
  const weights = said?.variants?.map(({ weight }) => weight) ?? []
  const variant = assignVariant(weights, deviceId, campaignId ?? journeyId ?? '', hash32)
  return { content: said ? chosenContent(said, variant) : {}, language: language ?? tag }
}

function itemOf(row: InboxRow, { title, body, imageUrl, ctaLabel, ctaUrl }: ReturnType<typeof inboxTexts>): InboxItem {
  const time = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())
  return {
    id: row.id,
    title: title ?? null,
    body: body ?? null,
    image: imageUrl ?? null,
    button: ctaLabel !== undefined && ctaUrl !== undefined ? { label: ctaLabel, url: ctaUrl } : null,
    createdAt: new Date(row.createdAt).toISOString(),
    readAt: time(row.readAt),
    archivedAt: time(row.archivedAt),
    ...(row.campaignId !== null && { campaignId: row.campaignId }),
    ...(row.journeyId !== null && { journeyId: row.journeyId }),
  }
}

function unknownMessage(): never {
  failWith(404, 'unknown message')
}
