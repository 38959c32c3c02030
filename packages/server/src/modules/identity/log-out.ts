import type { Context } from '../../context.ts'
import type { AppCaller } from '../../http/caller.ts'
import { isOfEnvironment, lockDevice, updateDevice } from '../people/index.ts'
import { removeToken } from '../push/index.ts'

/**
 * C-OUT: takes the person off the device, and what was known of the person with it. The person stays as they are.
 * False: the push token could not be removed yet; a repeat does it.
 */
export async function logOut(ctx: Context, caller: AppCaller, deviceId: string): Promise<boolean> {
  const { workspaceId } = caller
  const isKnown = await ctx.signals.transact(async (tx, tell) => {
    const device = await lockDevice(tx, workspaceId, deviceId)
    if (!device || !isOfEnvironment(device, caller, ctx.clock.now())) return false
    await updateDevice(tx, workspaceId, deviceId, { profile_id: null, segments: [], traits: '{}' })
    await tell({ kind: 'device', workspaceId, deviceId })
    return true
  })
  try {
    ctx.faults.check('push_link')
    if (isKnown) await ctx.db.transaction().execute((tx) => removeToken(tx, workspaceId, deviceId))
    return true
  } catch (error) {
    ctx.log.warn({ err: error, workspaceId }, 'a push token could not be removed')
    return false
  }
}
