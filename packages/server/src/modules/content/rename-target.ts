import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Change } from '../../infra/change.ts'
import { contentOfRevision, storeInstance, type Move } from './publication/move-pointers.ts'
import { pointerOf, pointersOf } from './publication/served.ts'
import { contentOf, findInstance, type Instance } from './queries-instances.ts'
import { listRevisionsFor, movePinned } from './queries-targets.ts'
import { keepRevision } from './save-instance.ts'

/**
 * A segment got another name: what is for it is for that name. Revisions are never changed, so each that counts and names
 * it gets a successor, and whatever pointed to it points there. Nothing else of the content is judged: a rename that some
 * old content could stop would leave all the other without its people. Answers how many instances it were.
 */
export async function renameTarget(change: Change, from: string, to: string): Promise<number> {
  const uses = await listRevisionsFor(change.tx, change.workspaceId, from)
  for (const { id, numbers } of uses) {
    const instance = await findInstance(change.tx, change.workspaceId, id)
    if (instance) await retarget(change, instance, numbers, to)
  }
  return uses.length
}

async function retarget(change: Change, stored: Instance, numbers: readonly number[], seg: string): Promise<void> {
  let version = stored.version
  const moves: Move[] = []
  const keep = async (content: InstanceContent, from: number) => {
    version++
    await keepRevision(change, { ...stored, ...contentOf(content), version }, 'edit', null)
    for (const environment of pointersOf(stored))
      if (pointerOf(stored, environment) === from) moves.push({ environment, revision: version })
    await movePinned(change.tx, change.workspaceId, stored.id, from, version)
  }
  for (const number of numbers)
    if (number !== stored.version) await keep({ ...(await contentOfRevision(change, stored, number)), seg }, number)
  // The newest revision is the one that is worked on: it comes last, also where it is for somebody else.
  const head = numbers.includes(stored.version) ? { ...contentOf(stored), seg } : contentOf(stored)
  await keep(head, stored.version)
  await storeInstance(change, stored, { ...stored, ...head, version }, moves)
}
