/** Keeps what texts were before, in the transaction that changes them. */
import type { Change } from '../../../infra/change.ts'
import { reserveQuota } from '../../quota/index.ts'
import { deleteOldest, insertChanges, type TextChange } from './queries-history.ts'

/** Stands for the source text where a locale is expected. */
export const SOURCE = ''

/** `number`: the revision that the catalog moves to. Unchanged texts are left out. */
export async function keepHistory(change: Change, number: number, changes: readonly TextChange[]): Promise<void> {
  const { tx, workspaceId, actor, now } = change
  const real = changes.filter(({ before, after }) => before !== after)
  if (real.length === 0) return
  reserveQuota(
    change,
    real.reduce((sum, { before, after }) => sum + Buffer.byteLength(before ?? '') + Buffer.byteLength(after ?? ''), 0),
  )
  for (const { key, locale, before, after } of real) {
    const name = locale === SOURCE ? 'sourceText' : locale
    change.audited('string', key, { [name]: before }, { [name]: after })
  }
  await insertChanges(tx, workspaceId, real, { number, by: actor, at: now })
  await deleteOldest(tx, workspaceId, real)
}
