import { isPlainObject, type JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { INDUSTRY_CATEGORIES } from '@contentflow/core/targeting/fields.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { byApp, lockDeviceState, refuseErased, requireConsenting, requireUser } from '../people/index.ts'
import { changePeople } from '../segments/index.ts'
import { replaceIndustryData } from './queries.ts'

export type IndustryData = { userId: string; category: string; data: JsonObject }

/** C-PROF-02, G-20. */
export function readIndustryData(body: Record<string, unknown>): IndustryData {
  const { userId, category, data } = body
  if (typeof userId !== 'string' || userId === '') failWith(400, 'userId is required')
  if (!(INDUSTRY_CATEGORIES as readonly unknown[]).includes(category))
    failWith(400, `category must be one of ${INDUSTRY_CATEGORIES.join(', ')}`)
  if (!isPlainObject(data)) failWith(400, 'data must be an object')
  if (Buffer.byteLength(JSON.stringify(data)) > LIMITS.industryBytes) failWith(400, `data must have at most ${LIMITS.industryBytes} bytes`)
  return { userId, category: category as string, data }
}

/** C-PROF: one category of the person's industry data, replaced whole. */
export async function setProfile(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  { userId, category, data }: IndustryData,
): Promise<void> {
  await changePeople(ctx, byApp(caller), async ({ tx, now, changed }) => {
    const state = await lockDeviceState(tx, caller, deviceId, now)
    await refuseErased(tx, caller, deviceId, userId)
    const profile = requireUser(state, userId, now, 'USER_ID_DEVICE_MISMATCH')
    requireConsenting(state, now)
    await replaceIndustryData(tx, caller.workspaceId, profile.id, { category, data, now })
    changed(profile.id)
  })
}
