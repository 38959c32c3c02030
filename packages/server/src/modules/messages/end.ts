import type { Db } from '../../db/open.ts'
import * as queries from './queries.ts'
import type { MessageEnd } from './queries.ts'

/** G-33: what was dismissed or tapped is over. Answers the devices of those people: they are to be told. */
export async function endMessages(tx: Db, workspaceId: string, endings: readonly MessageEnd[], now: Date): Promise<string[]> {
  if (endings.length === 0) return []
  const ids = endings.map(({ profileId }) => profileId)
  const people = await queries.listPeopleWithMessages(tx, workspaceId, ids)
  const ended = new Set<string>()
  for (const ending of endings)
    if (people.has(ending.profileId) && (await queries.endMessage(tx, workspaceId, ending, now))) ended.add(ending.profileId)
  return ended.size === 0 ? [] : queries.listDevicesOf(tx, workspaceId, [...ended])
}
