import type { Context } from '../../../context.ts'
import type { HearLocale } from '../../../http/callers/caller.ts'
import { openCatalogs } from './catalogs.ts'
import { listMovedCatalogs } from './queries-catalog.ts'
import { StringsReading } from './reading.ts'

/** Made once for the process; both client roots share it. */
export function openStrings(ctx: Context, hearLocale: HearLocale): StringsReading {
  const catalogs = openCatalogs(ctx)
  ctx.signals.on('strings', ({ workspaceId, revision }) => catalogs.refresh(workspaceId, revision), listMovedCatalogs)
  return new StringsReading(ctx, catalogs, hearLocale)
}
