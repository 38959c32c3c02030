/** What people answered to text messages. */
import { sql } from 'kysely'
import type { Keyword } from '@contentflow/core/messages/inbound.ts'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../../db/open.ts'

/** The next live people of a number by id, behind `after`. */
export async function listPeopleOf(
  db: Db,
  workspaceId: string,
  phoneHash: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from profiles where workspace_id = ${workspaceId} and environment = 'live' and phone_hash = ${phoneHash} and id > ${after}
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

type NewMessage = {
  id: string
  channelId: string
  channel: 'sms' | 'whatsapp'
  profileId: string
  keyword: Keyword | undefined
  body: string
}

/** Of a person who is still there. */
export async function insertInbound(db: Db, workspaceId: string, message: NewMessage, now: Date): Promise<void> {
  const { id, channelId, channel, profileId, keyword = null, body } = message
  await sql`
    insert into inbound_messages (workspace_id, id, channel_id, channel, profile_id, keyword, body, at)
    select ${workspaceId}, ${id}, ${channelId}, ${channel}, p.id, ${keyword}, ${body}, ${now}::timestamptz
    from profiles p where p.workspace_id = ${workspaceId} and p.id = ${profileId}
    on conflict do nothing`.execute(db)
}

/** From then on people who did not write are told from those who did. */
export async function noteHeard(db: Db, workspaceId: string, now: Date): Promise<void> {
  await sql`update workspaces set whatsapp_heard_at = ${now} where id = ${workspaceId} and whatsapp_heard_at is null`.execute(db)
}

export type Inbound = {
  id: string
  user_id: string | null
  device_id: string | null
  channel: 'sms' | 'whatsapp'
  keyword: Keyword | null
  body: string
  at: Date
}

/** Newest first. `after`: the last of the page before. */
export async function pageInbound(
  db: Db,
  workspaceId: string,
  profileId: string | undefined,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<Inbound>> {
  const wanted = sql`from inbound_messages m where m.workspace_id = ${workspaceId}
    and (${profileId ?? null}::text is null or m.profile_id = ${profileId ?? null}::text)`
  const counted = await sql<{ total: number }>`select count(*)::integer as total ${wanted}`.execute(db)
  const [at, id] = after === undefined ? [] : (cursorParts(after) as [string, string])
  const isBehind = at === undefined ? sql`` : sql`and (m.at, m.id) < (${at}::timestamptz, ${id})`
  const { rows } = await sql<Inbound>`
    with page as materialized (
      select m.* ${wanted} ${isBehind} order by m.at desc, m.id desc limit ${limit + 1})
    select page.id, p.user_id, p.device_id, page.channel, page.keyword, page.body, page.at
    from page join profiles p on p.workspace_id = ${workspaceId} and p.id = page.profile_id
    order by page.at desc, page.id desc`.execute(db)
  return paged(rows, limit, counted.rows[0]?.total ?? 0, (last) => cursorOf(last.at.toISOString(), last.id))
}

export async function listWorkspacesWithOldMessages(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select workspace_id as id from inbound_messages where at < ${before} group by workspace_id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function dropMessages(db: Db, workspaceId: string, before: Date): Promise<void> {
  await db.deleteFrom('inbound_messages').where('workspace_id', '=', workspaceId).where('at', '<', before).execute()
}

/** Whether it was done before. */
export async function hasInbound(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('inbound_messages')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Who decided last about a channel: the origin, and what was decided. */
export async function findLastDecision(
  tx: Db,
  of: { workspaceId: string; environment: 'live' | 'test'; subject: string },
  channel: string,
): Promise<{ source: string; newValue: boolean | null } | undefined> {
  const { rows } = await sql<{ source: string; newValue: boolean | null }>`
    select source, new_value as "newValue" from consent_ledger
    where workspace_id = ${of.workspaceId} and environment = ${of.environment} and subject = ${of.subject} and channel = ${channel}
    order by id desc limit 1`.execute(tx)
  return rows[0]
}
