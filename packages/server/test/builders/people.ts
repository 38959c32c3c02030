/** People for tests: identified through the product's own route; read from the tables where no client may read them. */
import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'
import type { DeviceRow, ProfileRow } from '../../src/modules/people/index.ts'
import { expectStatus, type Answer, type Client, type Workspace } from './builders.ts'

type Environment = 'live' | 'test'

/** POST /identify with consent, which must be answered 200. */
export async function identify(app: Client, deviceId: string, userId?: string, body: object = {}): Promise<Answer> {
  return expectStatus(await app.post('/identify', { deviceId, ...(userId !== undefined && { userId }), consent: true, ...body }), 200)
}

/** POST /identify without consent. */
export async function deny(app: Client, deviceId: string, body: object = {}): Promise<Answer> {
  return expectStatus(await app.post('/identify', { deviceId, consent: false, ...body }), 200)
}

/** DELETE /identify, whatever it answers. */
export function erase(app: Client, deviceId: string, capabilities?: string): Promise<Answer> {
  return app.delete('/identify', {
    headers: { 'x-cf-device': deviceId, ...(capabilities !== undefined && { 'x-cf-sdk-capabilities': capabilities }) },
  })
}

export function deviceRow({ db }: Context, workspaceId: string, deviceId: string): Promise<DeviceRow | undefined> {
  return db.selectFrom('devices').selectAll().where('workspace_id', '=', workspaceId).where('device_id', '=', deviceId).executeTakeFirst()
}

/** The person with this user id, or the anonymous one of this device. */
export function personRow(
  { db }: Context,
  workspaceId: string,
  id: string,
  environment: Environment = 'live',
): Promise<ProfileRow | undefined> {
  return db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where((where) => where.or([where('user_id', '=', id), where('device_id', '=', id)]))
    .executeTakeFirst()
}

/** Devices linked to this person, sorted. */
export async function devicesOf(ctx: Context, workspaceId: string, id: string, environment?: Environment): Promise<string[]> {
  const person = await personRow(ctx, workspaceId, id, environment)
  if (!person) return []
  const rows = await ctx.db
    .selectFrom('devices')
    .select('device_id')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', person.id)
    .orderBy('device_id')
    .execute()
  return rows.map((row) => row.device_id)
}

/** Titles of the blocks that a device is sent. */
export async function titlesFor(ws: Workspace, deviceId?: string, key?: string): Promise<string[]> {
  const blocks = await ws.blocks(deviceId, key === undefined ? {} : { key })
  return blocks.map((block) => block.values['#title']).sort()
}

/** Rows that name this person, in every table that has a profile. */
export async function rowsOfPerson({ db }: Context, workspaceId: string, profileId: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'profile_id'
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(name)} where workspace_id = ${workspaceId} and profile_id = ${profileId}`.execute(
      db,
    )
    counts[name] = rows[0]?.count ?? 0
  }
  return counts
}

/** What waits for this person: a message, a request for an erasure, and the question whether an address is theirs; and what they did with a message that was sent. */
export async function fillMessages({ db }: Context, of: { workspace_id: string; profile_id: string }, at: Date): Promise<void> {
  await db
    .insertInto('in_app_messages')
    .values({ ...of, id: `m ${of.profile_id}`, created_at: at })
    .execute()
  await db
    .insertInto('inbound_messages')
    .values({ ...of, id: `i ${of.profile_id}`, channel_id: 'c', channel: 'sms', body: 'STOP', at })
    .execute()
  await db
    .insertInto('short_links')
    .values({
      ...of,
      id: `l ${of.profile_id}`,
      code: of.profile_id.slice(-7),
      dispatch_id: 'd',
      node: 'button',
      url: 'https://shop.example',
      made_at: at,
      expires_at: at,
    })
    .execute()
  const sent = db.selectFrom('sends').select('dispatch_id').where('profile_id', '=', of.profile_id)
  await db
    .insertInto('send_responses')
    .values({ ...of, ...(await sent.executeTakeFirstOrThrow()), id: `s ${of.profile_id}`, variant_id: '', sent_at: at, hits: '[]' })
    .execute()
  const request = { ...of, id: `r ${of.profile_id}`, environment: 'live' as const, state: 'open' as const }
  await db
    .insertInto('erasure_requests')
    .values({ ...request, requested_by: 'k', requested_at: at, expires_at: at })
    .execute()
  await db
    .insertInto('email_confirmations')
    .values({ ...of, id: `c ${of.profile_id}`, email_hash: of.profile_id, created_at: at })
    .execute()
}
