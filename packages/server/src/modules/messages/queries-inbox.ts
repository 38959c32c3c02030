/** The inbox of one person. Unread is counted, never stored; each statement reads revision, count and items of one moment. */
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import type { WaitingMessage } from '@contentflow/core/messages/waiting.ts'
import { cursorOf, cursorParts } from '@contentflow/core/paging.ts'
import { PREPARED, type Db } from '../../db/open.ts'
import { raiseInboxes } from '../people/index.ts'

/** What every answer says: how many are unread, and of which state of the inbox that is said. */
export type InboxCount = { unread: number; revision: number }
/** Moments in milliseconds. */
export type InboxRow = Pick<WaitingMessage, 'id' | 'campaignId' | 'journeyId' | 'values' | 'createdAt'> & {
  content: LocalizedContent | null
  /** The revision that it came with. */
  arrived: number
  /** When it was made, in microseconds: those that came together are in this order. */
  place: string
  readAt: number | null
  archivedAt: number | null
}
type InboxRead = InboxCount & {
  rows: InboxRow[]
  /** Something is in it that is over, or more than a person may have. */
  isOverdue: boolean
  /** They agreed to messages in the app; null: nobody asked. */
  isAllowed: boolean
}
export const INBOX_STATES = ['unread', 'all', 'archived'] as const
export type InboxPage = { state: (typeof INBOX_STATES)[number]; cursor?: string | undefined; limit: number }

const unread = sql`is_inbox and read_at is null and archived_at is null`
const STATES = { unread, all: sql`archived_at is null`, archived: sql`archived_at is not null` }
const milliseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`
const place = sql`(extract(epoch from created_at) * 1000000)::bigint`

/** Undefined: the person is gone. One row more than `limit` says that another page follows. */
export async function findInbox(
  db: Db,
  workspaceId: string,
  profileId: string,
  { state, cursor, limit }: InboxPage,
  now: Date,
): Promise<InboxRead | undefined> {
  const [arrived, made, id] = cursor === undefined ? [null, null, null] : (cursorParts(cursor) as [number, string, string])
  const mine = sql`workspace_id = ${workspaceId} and profile_id = ${profileId}`
  const { rows } = await sql<InboxRead>`${sql.raw(PREPARED)}
    select p.inbox_revision as revision, coalesce(p.channels -> 'inApp' = 'true'::jsonb and not p.personal_opt_out, false) as "isAllowed",
      (select count(*)::int from (select from in_app_messages where ${mine} and ${unread} limit ${LIMITS.inboxUnread}) u) as unread,
      exists (select from in_app_messages where ${mine} and is_inbox and inbox_until <= ${now})
        or (select count(*) from (select from in_app_messages where ${mine} and is_inbox limit ${LIMITS.inboxMessages + 1}) a)
          > ${LIMITS.inboxMessages} as "isOverdue",
      (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'campaignId', i.campaign_id, 'journeyId', i.journey_id, 'values', i.values,
          'content', coalesce(i.content, (select inbox_content from campaigns where workspace_id = ${workspaceId} and id = i.campaign_id)),
          'arrived', i.arrived, 'place', i.place::text, 'createdAt', ${milliseconds('i.created_at')}, 'readAt', ${milliseconds('i.read_at')},
          'archivedAt', ${milliseconds('i.archived_at')}) order by i.arrived desc, i.place desc, i.id desc), '[]'::jsonb)
        from (
          select *, ${place} as place from in_app_messages where ${mine} and is_inbox and ${STATES[state]}
            and (${id}::text is null or (arrived, ${place}, id) < (${arrived}::int, ${made}::bigint, ${id}::text))
          order by arrived desc, created_at desc, id desc limit ${limit + 1}) i) as rows
    from profiles p where p.workspace_id = ${workspaceId} and p.id = ${profileId}`.execute(db)
  return rows[0]
}

/** Where the page after this one begins. */
export function inboxCursor({ arrived, place: made, id }: InboxRow): string {
  return cursorOf(arrived, made, id)
}

/** Holds the inbox: until the transaction ends nobody else changes it. False: the person is gone. */
export async function lockInbox(tx: Db, workspaceId: string, profileId: string): Promise<boolean> {
  const { rows } = await sql`
    select id from profiles where workspace_id = ${workspaceId} and id = ${profileId} for no key update`.execute(tx)
  return rows.length > 0
}

/** Raises its revision; the inbox is held. */
export async function raiseInbox(tx: Db, workspaceId: string, profileId: string): Promise<void> {
  await raiseInboxes(workspaceId, sql`id = ${profileId}`).execute(tx)
}

/** What is over leaves the inbox, and of more than a person may have the oldest. True when something left. */
export async function settleInbox(tx: Db, workspaceId: string, profileId: string, now: Date): Promise<boolean> {
  const result = await sql`
    update in_app_messages set is_inbox = false where workspace_id = ${workspaceId} and id in (
      select id from (
        select id, inbox_until, row_number() over (order by arrived desc, created_at desc, id desc) as number from in_app_messages
        where workspace_id = ${workspaceId} and profile_id = ${profileId} and is_inbox) kept
      where inbox_until <= ${now} or number > ${LIMITS.inboxMessages})`.execute(tx)
  return Number(result.numAffectedRows) > 0
}

/** Undefined: it is no message of this inbox. */
export async function findItem(tx: Db, workspaceId: string, profileId: string, id: string): Promise<{ arrived: number } | undefined> {
  const { rows } = await sql<{ arrived: number }>`
    select arrived from in_app_messages
    where workspace_id = ${workspaceId} and id = ${id} and profile_id = ${profileId} and is_inbox`.execute(tx)
  return rows[0]
}

export type ItemChange = { read?: boolean | undefined; archived?: boolean | undefined }

/** Changes what differs; reading it ends its display as well. */
export async function changeItem(
  tx: Db,
  workspaceId: string,
  id: string,
  { read = null, archived = null }: { [name in keyof ItemChange]: ItemChange[name] | null },
  now: Date,
): Promise<boolean> {
  const result = await sql`
    update in_app_messages set
      read_at = case when ${read}::boolean then coalesce(read_at, ${now}::timestamptz) when not ${read}::boolean then null else read_at end,
      archived_at = case when ${archived}::boolean then coalesce(archived_at, ${now}::timestamptz)
        when not ${archived}::boolean then null else archived_at end,
      ended_by = case when ${read}::boolean and ended_at is null then 'read' else ended_by end,
      ended_at = case when ${read}::boolean then coalesce(ended_at, ${now}::timestamptz) else ended_at end
    where workspace_id = ${workspaceId} and id = ${id} and is_inbox
      and ((read_at is null) = ${read}::boolean or (archived_at is null) = ${archived}::boolean)`.execute(tx)
  return Number(result.numAffectedRows) > 0
}

/** Reads all that had come by then. True when one was unread. */
export async function readItems(tx: Db, workspaceId: string, profileId: string, arrived: number, now: Date): Promise<boolean> {
  const result = await sql`
    update in_app_messages set read_at = ${now}, ended_by = case when ended_at is null then 'read' else ended_by end,
      ended_at = coalesce(ended_at, ${now}::timestamptz)
    where workspace_id = ${workspaceId} and profile_id = ${profileId} and ${unread} and arrived <= ${arrived}`.execute(tx)
  return Number(result.numAffectedRows) > 0
}

type InboxTexts = { sourceLocale: string | null; linkSchemes: LinkSchemes }

/** What the texts of its items depend on besides the person. */
export async function findInboxTexts(db: Db, workspaceId: string): Promise<InboxTexts> {
  const row = await db
    .selectFrom('workspaces')
    .select(['source_locale as sourceLocale', 'link_schemes as linkSchemes'])
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return { sourceLocale: row?.sourceLocale ?? null, linkSchemes: (row?.linkSchemes ?? null) as LinkSchemes }
}
