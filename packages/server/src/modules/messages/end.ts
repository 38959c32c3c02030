import type { Db } from '../../db/open.ts'
import type { Signal } from '../../infra/signals/signals.ts'
import * as queries from './queries.ts'
import type { MessageEnd } from './queries.ts'

/** G-33: what was dismissed or tapped is over. Answers what the devices of those people are to be told. */
export async function endMessages(tx: Db, workspaceId: string, endings: readonly MessageEnd[], now: Date): Promise<Signal[]> {
  if (endings.length === 0) return []
  const ids = endings.map(({ profileId }) => profileId)
  const people = await queries.listPeopleWithMessages(tx, workspaceId, ids)
  if (people.size === 0) return []
  await queries.lockInboxesToEnd(tx, workspaceId, [...people])
  const ended = new Set<string>()
  const read = new Set<string>()
  for (const ending of endings) {
    if (!people.has(ending.profileId)) continue
    const what = await queries.endMessage(tx, workspaceId, ending, now)
    if (what) ended.add(ending.profileId)
    if (what === 'read') read.add(ending.profileId)
  }
  const devicesOf = (profiles: ReadonlySet<string>) => (profiles.size === 0 ? [] : queries.listDevicesOf(tx, workspaceId, [...profiles]))
  const device = (await devicesOf(ended)).map((deviceId): Signal => ({ kind: 'device', workspaceId, deviceId }))
  const inbox = (await devicesOf(read)).map((deviceId): Signal => ({ kind: 'inbox', workspaceId, deviceId }))
  return [...device, ...inbox]
}
