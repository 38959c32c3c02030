import { readPreferences } from '@contentflow/core/push/preferences.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { byApp, lockDeviceState, refuseErased, requireConsenting, writePeople } from '../people/index.ts'
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
  return writePeople(ctx, byApp(caller), async ({ tx, now }) => {
    const state = await lockDeviceState(tx, caller, deviceId, now)
    await refuseErased(tx, caller, deviceId, state.profile?.user_id ?? undefined)
    const { profile } = requireConsenting(state, now)
    return (await changePreferences(tx, caller.workspaceId, profile.id, parsed.value, now)) ?? fail('DEVICE_NOT_IDENTIFIED')
  })
}
