import type { Context } from '../../context.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { byApp, findProfile, isOfEnvironment, lockDevice, updateDevice, writePeople } from '../people/index.ts'
import { removeToken } from '../push/index.ts'

/**
 * C-OUT: takes the user off the device, and what was known of them with it. The person stays as they are, and so does
 * an anonymous one on its device: nobody signed in. False: the push token could not be removed yet; a repeat does it.
 */
export async function logOut(ctx: Context, caller: AppCaller, deviceId: string): Promise<boolean> {
  const { workspaceId } = caller
  const isKnown = await writePeople(ctx, byApp(caller), async ({ tx, now, emit }) => {
    const device = await lockDevice(tx, workspaceId, deviceId)
    if (!device || !isOfEnvironment(device, caller, now)) return false
    const linked = device.profile_id === null ? undefined : await findProfile(tx, workspaceId, device.profile_id)
    if (linked && linked.user_id !== null) {
      await updateDevice(tx, workspaceId, deviceId, { profile_id: null, segments: [], traits: '{}' })
      emit({ kind: 'device', workspaceId, deviceId })
    }
    return true
  })
  try {
    ctx.faults.check('push_link')
    if (isKnown) await writePeople(ctx, byApp(caller), ({ tx }) => removeToken(tx, workspaceId, deviceId))
    return true
  } catch (error) {
    ctx.log.warn({ err: error, workspaceId }, 'a push token could not be removed')
    return false
  }
}
