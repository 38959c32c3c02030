import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { resealColumn } from '../../infra/secrets/sealed.ts'
import { placeOf } from './endpoints.ts'
import { dropOld, listWorkspacesWithOld } from './queries-deliveries.ts'

/** Deliveries that are over long ago go, too. */
export async function cleanUpWebhooks(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.ms() - LIMITS.webhookDeliveryDays * DAY_MS)
  for (const workspaceId of await listWorkspacesWithOld(ctx.db, before)) await dropOld(ctx.db, workspaceId, before)
  await resealColumn(ctx, { table: 'webhook_endpoints', column: 'secret', placeOf })
}
