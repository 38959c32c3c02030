import type { Change } from '../../infra/change.ts'
import { touchContent } from './revisions/change-content.ts'
import { insertMoves, keepRetargeted, listSuccessors, pointToSuccessors, movePinned } from './queries-rename.ts'

/**
 * A segment got another name: what is for it is for that name. Revisions are never changed, so each that counts and names
 * it gets a successor, and whatever pointed to it points there. The newest revision is the one that is worked on: its
 * successor comes last, also where it is for somebody else. Nothing else of the content is judged: a rename that some
 * old content could stop would leave all the other without its people. All uses are written at once, because others who
 * write content of the workspace wait meanwhile.
 */
export async function renameTarget(change: Change, from: string, to: string): Promise<void> {
  const { tx, workspaceId, actor, now } = change
  const successors = await listSuccessors(tx, workspaceId, from)
  if (successors.length === 0) return
  await keepRetargeted(tx, workspaceId, successors, to, { by: actor, at: now })
  // Said of where the pointers are, so before they move.
  const moved = await insertMoves(tx, workspaceId, successors, { by: actor, at: now })
  await pointToSuccessors(tx, workspaceId, successors, to, now)
  await movePinned(tx, workspaceId, successors)
  if (moved.has('live')) touchContent(change, ['live', 'test'], 'block.updated', { isSameForPeople: true })
  if (moved.has('test')) touchContent(change, ['test'], 'block.updated', { isSameForPeople: true })
}
