import type { Context } from '../../../context.ts'
import { RevisionedStore } from '../../../infra/cache/revisioned-store.ts'
import { buildCatalog, type StringCatalog } from './catalog.ts'
import { loadCatalogRows } from './queries-catalog.ts'

/** The catalogs of this process, one for each workspace in use. */
export type Catalogs = RevisionedStore<StringCatalog>

const CATALOG_BYTES = 256 * 1024 * 1024

export function openCatalogs(ctx: Context): Catalogs {
  return new RevisionedStore(ctx, {
    name: 'catalogs',
    bytes: CATALOG_BYTES,
    failure: 'strings could not be reloaded; the last known ones are served',
    read: async (workspaceId, _part, before) => {
      const rows = await loadCatalogRows(ctx.db, workspaceId, before)
      return rows && buildCatalog(rows, rows.isWhole ? undefined : before)
    },
  })
}
