/** Whose events are by now: people may be absorbed between the reading of their events and the transaction that writes what follows. */
import type { Db } from '../../db/open.ts'
import { holdPeople, listAbsorbed } from './queries-histories.ts'

/**
 * By id, who each of these people is by now; whoever was erased is left out. Who they are is held: a merge and an erasure of them
 * wait for the transaction.
 */
export async function holdOwners(tx: Db, workspaceId: string, ids: Iterable<string>): Promise<Map<string, string>> {
  const owners = new Map([...ids].map((id) => [id, id]))
  for (let left = [...owners.keys()]; left.length > 0;) {
    const here = await holdPeople(tx, workspaceId, left)
    const gone = new Set(left.filter((id) => !here.has(id)))
    if (gone.size === 0) break
    const into = await listAbsorbed(tx, workspaceId, [...gone])
    for (const [id, owner] of owners) {
      if (!gone.has(owner)) continue
      const next = into.get(owner)
      if (next === undefined) owners.delete(id)
      else owners.set(id, next)
    }
    left = [...new Set(into.values())]
  }
  return owners
}
