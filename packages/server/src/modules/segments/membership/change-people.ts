import type { Context } from '../../../context.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { writePeople } from '../../people/index.ts'
import { reevaluateProfiles } from './recompute.ts'

/** `changed`: rules may now see another in this person. */
export type PeopleChange = Change & { changed(profileId: string): void }

/** Writes people; when it is answered they are in the segments that fit what they are now. */
export async function changePeople<T>(ctx: Context, by: Actor, work: (change: PeopleChange) => Promise<T>): Promise<T> {
  const { result, ids } = await writePeople(ctx, by, async (change) => {
    const ids = new Set<string>()
    const result = await work({ ...change, changed: (profileId) => void ids.add(profileId) })
    return { result, ids }
  })
  if (ids.size > 0) await reevaluateProfiles(ctx, by.workspaceId, [...ids])
  return result
}
