import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { resealColumn } from '../../infra/sealed.ts'
import { placeOf } from './endpoints.ts'
import { dropOld, listWorkspacesWithOld } from './queries-deliveries.ts'

const DAY = 86_400_000

/** Deliveries that are over long ago go, too. */
export async function cleanUpWebhooks(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.ms() - LIMITS.webhookDeliveryDays * DAY)
  for (const workspaceId of await listWorkspacesWithOld(ctx.db, before)) await dropOld(ctx.db, workspaceId, before)
  await resealColumn(ctx, { table: 'webhook_endpoints', column: 'secret', placeOf })
}
