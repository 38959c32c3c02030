/** What texts were before, kept with the change that makes them others. */
import type { Change } from '../../../infra/change.ts'
import { reserveQuota } from '../../quota/index.ts'
import { deleteOldest, insertChanges, type TextChange } from './queries-history.ts'

/** In place of a locale, for the source text. */
export const SOURCE = ''

/** `number`: the revision that the catalog moves to. What stays the same is left out. */
export async function keepHistory(change: Change, number: number, changes: readonly TextChange[]): Promise<void> {
  const { tx, workspaceId, actor, now } = change
  const real = changes.filter(({ before, after }) => before !== after)
  if (real.length === 0) return
  reserveQuota(
    change,
    real.reduce((sum, { before, after }) => sum + Buffer.byteLength(before ?? '') + Buffer.byteLength(after ?? ''), 0),
  )
  await insertChanges(tx, workspaceId, real, { number, by: actor, at: now })
  await deleteOldest(tx, workspaceId, real)
}
