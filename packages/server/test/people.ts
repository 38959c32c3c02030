/** People for tests: identified through the product's own route; read from the tables where no client may read them. */
import type { Context } from '../src/context.ts'
import type { DeviceRow, ProfileRow } from '../src/modules/people/index.ts'
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
