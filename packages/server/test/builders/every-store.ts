/** A person of whom there is something in every store. */
import type { Context } from '../../src/context.ts'
import type { Workspace } from './builders.ts'
import { create } from './campaigns.ts'
import { ready, upload } from './imports.ts'
import { fillFromEvents } from './journeys.ts'
import { fillMessages, personRow } from './people.ts'
import { touch } from './sends.ts'

/** One row in every store that hangs on a person, written as the product would. */
export async function fillStores(ctx: Context, { id, admin }: Workspace, userId: string, deviceId: string): Promise<void> {
  const { id: profileId = '' } = (await personRow(ctx, id, userId)) ?? {}
  const at = ctx.clock.now()
  const of = { workspace_id: id, profile_id: profileId }
  const fence = { workspace_id: id, id: 'fence', name: 'f', latitude: 1, longitude: 1, radius_meters: 100, created_at: at, updated_at: at }
  await ctx.db
    .insertInto('geofences')
    .values(fence)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await ctx.db
    .insertInto('location_points')
    .values({ ...of, id: `p ${userId}`, device_id: deviceId, latitude: 1, longitude: 1, at })
    .execute()
  const event = {
    ...of,
    id: `e ${userId}`,
    environment: 'live' as const,
    device_id: deviceId,
    fence_id: 'fence',
    type: 'enter' as const,
    source: 'device' as const,
    at,
  }
  await ctx.db.insertInto('geofence_events').values(event).execute()
  await ctx.db
    .insertInto('geofence_presence')
    .values({ ...of, device_id: deviceId, fence_id: 'fence', entered_at: at })
    .execute()
  await ctx.db
    .insertInto('person_days')
    .values({ ...of, day: at.toISOString().slice(0, 10), total: 1 })
    .execute()
  const { id: campaignId } = await create(admin, { controlPercent: 10 })
  await ctx.db
    .insertInto('campaign_people')
    .values({ ...of, campaign_id: campaignId, environment: 'live', is_control: true, noted_at: at })
    .execute()
  const passport = { ...of, data: '{"passport":1}', created_at: at }
  await ctx.db.insertInto('kyc_records').values(passport).execute()
  await ctx.db
    .insertInto('person_actions')
    .values({ ...of, kind: 'consent', device_id: deviceId, at })
    .execute()
  await touch(admin, userId)
  await fillMessages(ctx, of, at)
  await upload(admin, [{ userId, attributes: { tier: 'gold' } }])
  await ready(admin, [[userId, 'x']])
  await fillFromEvents(ctx, id, profileId)
  await ctx.db
    .updateTable('profiles')
    .set({ enrichment: '{"tier":"gold","score":5}', current_location: '{"latitude":1}', location: '{"country":"SA"}' })
    .where('workspace_id', '=', id)
    .where('id', '=', profileId)
    .execute()
}
