import type { Change } from '../../infra/change.ts'
import { touchContent } from './revisions/change-content.ts'
import { insertMoves, keepRetargeted, listSuccessors, pointToSuccessors, movePinned } from './queries-rename.ts'

/**
 * A segment was renamed: content that targets it targets it by the new name. Revisions are never changed, so each that counts
 * and names the segment gets a successor, and the pointers to it move there. The newest revision is the one that is edited, so
 * its successor comes last, even where it targets another segment. The content is not validated again: otherwise one old
 * instance could stop the rename for all of them. All instances are written at once, because other writers of the workspace's
 * content wait meanwhile.
 */
export async function renameTarget(change: Change, from: string, to: string): Promise<void> {
  const { tx, workspaceId, actor, now } = change
  const successors = await listSuccessors(tx, workspaceId, from)
  if (successors.length === 0) return
  await keepRetargeted(tx, workspaceId, successors, to, { by: actor, at: now })
  // The history names the pointers as they are before they move.
  const moved = await insertMoves(tx, workspaceId, successors, { by: actor, at: now })
  await pointToSuccessors(tx, workspaceId, successors, to, now)
  await movePinned(tx, workspaceId, successors)
  if (moved.has('live')) touchContent(change, ['live', 'test'], 'block.updated', { isSameForPeople: true })
  if (moved.has('test')) touchContent(change, ['test'], 'block.updated', { isSameForPeople: true })
}
