import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import type { Tell } from '../../infra/signals.ts'
import { lockCatalog, moveCatalog, type CatalogHead } from './queries.ts'

/** What a change of a catalog works with. */
export type CatalogChange = {
  tx: Db
  tell: Tell
  workspaceId: string
  /** The catalog moves to it when anything was written; strings that changed are stamped with it. */
  revision: number
  languages: Omit<CatalogHead, 'revision'>
  now: Date
  /** To be called when something was written: the catalog moves on and every process reads it again. */
  written(): void
}

/** Every write of locales, strings and translations: one transaction, and one after another in a workspace. */
export async function changeCatalog<T>(ctx: Context, workspaceId: string, work: (change: CatalogChange) => Promise<T>): Promise<T> {
  return ctx.signals.transact(async (tx, tell) => {
    const { revision: before, ...languages } = await lockCatalog(tx, workspaceId)
    let isWritten = false
    const written = () => {
      isWritten = true
    }
    const [revision, now] = [before + 1, ctx.clock.now()]
    const result = await work({ tx, tell, workspaceId, revision, languages, now, written })
    if (isWritten) {
      await moveCatalog(tx, workspaceId, revision, now)
      await tell({ kind: 'strings', workspaceId, revision })
    }
    return result
  })
}
