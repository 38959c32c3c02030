import { readPreferences } from '@contentflow/core/push/preferences.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/caller.ts'
import { readDeviceState, refuseErased, requireConsenting } from '../people/index.ts'
import { changePreferences } from './queries.ts'

/** C-PUSH-20, G-26. Returns all that is set afterwards. */
export async function setPreferences(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  body: Record<string, unknown>,
): Promise<JsonObject> {
  const parsed = readPreferences(body as JsonObject)
  if (!parsed.ok) failWith(400, parsed.error)
  const now = ctx.clock.now()
  const state = await readDeviceState(ctx.db, caller, deviceId, now)
  await refuseErased(ctx.db, caller, deviceId, state.profile?.user_id ?? undefined)
  const { profile } = requireConsenting(state, now)
  return (await changePreferences(ctx.db, caller.workspaceId, profile.id, parsed.value, now)) ?? fail('DEVICE_NOT_IDENTIFIED')
}
