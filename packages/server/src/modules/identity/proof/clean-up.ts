import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { resealColumn } from '../../../infra/secrets/sealed.ts'
import { placeOfSecret } from './device-tokens.ts'
import { placeOfKey } from './keys.ts'
import { dropOldBindings, listWorkspacesWithOldBindings } from './queries-bindings.ts'
import { dropOldCounts, listWorkspacesWithOldCounts } from './queries-counts.ts'

/** Deletes the tokens of installations that were not used for long, deletes old counts, and seals secrets with the present key. */
export async function cleanUpProofs(ctx: Context): Promise<void> {
  const now = ctx.clock.ms()
  const unused = new Date(now - LIMITS.deviceBindingDays * DAY_MS)
  for (const workspaceId of await listWorkspacesWithOldBindings(ctx.db, unused)) await dropOldBindings(ctx.db, workspaceId, unused)
  const counted = new Date(now - (LIMITS.identityReportDays + 1) * DAY_MS)
  for (const workspaceId of await listWorkspacesWithOldCounts(ctx.db, counted)) await dropOldCounts(ctx.db, workspaceId, counted)
  await resealColumn(ctx, { table: 'identity_keys', column: 'sealed', placeOf: placeOfKey })
  await resealColumn(ctx, { table: 'identity_secrets', column: 'sealed', placeOf: placeOfSecret })
}
