import type { Context } from '../../context.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { byApp, isOfEnvironment, lockDevice, writePeople } from '../people/index.ts'
import { removeToken } from './queries.ts'

/** C-PUSH-19, G-25: takes this installation's token away and nothing else. False when there was none. */
export async function removePush(ctx: Context, caller: AppCaller, deviceId: string): Promise<boolean> {
  return writePeople(ctx, byApp(caller), async ({ tx, now }) => {
    const device = await lockDevice(tx, caller.workspaceId, deviceId)
    if (!device || !isOfEnvironment(device, caller, now)) return false
    return removeToken(tx, caller.workspaceId, deviceId)
  })
}
