/** Contacts that a provider says do not exist (G-88): closed, listed and opened again. */
import { sql, type RawBuilder } from 'kysely'
import { cursorOf, cursorParts, paged, type Paged } from '@contentflow/core/paging.ts'
import { CLOSABLE, type Closable } from '@contentflow/core/channels/channel.ts'
import type { Db } from '../../../db/open.ts'
import { findNamed } from '../queries.ts'

/** What the provider said, with the contact as it was then. */
export type Closing = { contact: string; reason: string; at: string; channelId?: string }
export type ClosedContacts = { [channel in Closable]?: Closing }
/** `channelId`: the channel over which the provider said it. */
type Close = { channel: Closable; channelId: string; reason: string; now: Date }

const columnOf = (channel: Closable) => (channel === 'email' ? 'email' : 'phone')

/** Whether the current contact is closed, so that nothing is sent to it. */
export async function closeContact(
  db: Db,
  workspaceId: string,
  profileId: string,
  { channel, channelId, reason, now }: Close,
): Promise<void> {
  const column = columnOf(channel)
  const id = await findNamed(db, workspaceId, profileId)
  const person = db.selectFrom('profiles').where('workspace_id', '=', workspaceId).where('id', '=', id)
  const contact = (await person.select(column).executeTakeFirst())?.[column]
  if (contact === null || contact === undefined) return
  const closed = JSON.stringify({ [channel]: { contact, reason, at: now.toISOString(), channelId } satisfies Closing })
  await sql`
    update profiles set closed_contacts = closed_contacts || ${closed}::jsonb, contact_closed_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id} and ${sql.ref(column)} = ${contact}`.execute(db)
}

/** The contacts of all people, or of those with these user ids, or device ids while nobody is signed in. `saidSince`: what this channel reported since then. */
export type ContactFilter = { userIds?: readonly string[] | undefined; saidSince?: { channelId: string; since: Date } }

/** Opens contacts again; returns how many. */
export async function openContacts(tx: Db, workspaceId: string, channel: Closable, { userIds, saidSince }: ContactFilter): Promise<number> {
  const ids = userIds && [...userIds]
  const theirs = ids
    ? sql`environment = 'live' and (user_id = any(${ids}::text[]) or (user_id is null and device_id = any(${ids}::text[])))`
    : sql`true`
  const said = saidSince
    ? sql`contact_closed_at >= ${saidSince.since} and closed_contacts #>> array[${channel}::text, 'channelId'] = ${saidSince.channelId}
        and (closed_contacts #>> array[${channel}::text, 'at']) collate "C" >= ${saidSince.since.toISOString()}`
    : sql`true`
  const left = sql`closed_contacts - ${channel}::text`
  const { numAffectedRows } = await sql`
    update profiles set closed_contacts = ${left}, contact_closed_at = case when ${left} = '{}'::jsonb then null else contact_closed_at end
    where workspace_id = ${workspaceId} and contact_closed_at is not null and closed_contacts ? ${channel}::text
      and ${theirs} and ${said}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export type ClosedContact = {
  id: string
  userId: string | null
  deviceId: string | null
  name: string | null
  channel: Closable
  address: string
  reason: string
  at: string
  closedAt: Date
}

/** A number that was changed since is no longer closed. */
function listed(workspaceId: string, channel: Closable | undefined): RawBuilder<unknown> {
  return sql`
    from profiles p cross join lateral jsonb_each(p.closed_contacts) as closed (channel, said)
    where p.workspace_id = ${workspaceId} and p.environment = 'live' and p.contact_closed_at is not null
      and closed.channel = any(${channel ? [channel] : [...CLOSABLE]}::text[])
      and closed.said ->> 'contact' = case closed.channel when 'email' then p.email else p.phone end`
}

/** Pages closed contacts, the last closed first. */
export async function pageClosed(
  db: Db,
  workspaceId: string,
  { channel, after, limit }: { channel: Closable | undefined; after: string | undefined; limit: number },
): Promise<Paged<ClosedContact>> {
  const all = listed(workspaceId, channel)
  const [at, ...ids] = after === undefined ? [] : (cursorParts(after) as [string, string, string])
  const isBehind = at === undefined ? sql`` : sql`and (p.contact_closed_at, p.id, closed.channel) < (${at}::timestamptz, ${sql.join(ids)})`
  const { rows } = await sql<ClosedContact>`
    select p.id, p.user_id as "userId", p.device_id as "deviceId", p.name, closed.channel, closed.said ->> 'contact' as address,
      closed.said ->> 'reason' as reason, closed.said ->> 'at' as at, p.contact_closed_at as "closedAt"
    ${all} ${isBehind} order by p.contact_closed_at desc, p.id desc, closed.channel desc limit ${limit + 1}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`select count(*)::integer as total ${all}`.execute(db)
  return paged(rows, limit, counted[0]?.total ?? 0, (last) => cursorOf(last.closedAt.toISOString(), last.id, last.channel))
}
