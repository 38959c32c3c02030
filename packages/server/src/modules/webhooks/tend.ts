import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { placeOf } from './endpoints.ts'
import * as queries from './queries.ts'
import { dropOld, listWorkspacesWithOld } from './queries-deliveries.ts'

const DAY = 86_400_000

/** Deliveries that are over long ago go; secrets of a key that is not the first any more are sealed with the first. */
export async function tendWebhooks(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.ms() - LIMITS.webhookDeliveryDays * DAY)
  for (const workspaceId of await listWorkspacesWithOld(ctx.db, before)) await dropOld(ctx.db, workspaceId, before)
  if (ctx.config.secretKeys.length > 1) await resealSecrets(ctx)
}

async function resealSecrets({ db, secrets }: Context): Promise<void> {
  const present = secrets.present()
  for (const workspaceId of await queries.listWorkspacesSealedBefore(db, present))
    for (const { id, secret } of await queries.listSealedBefore(db, workspaceId, present)) {
      const next = secrets.reseal(secret, placeOf(workspaceId, id))
      if (next !== undefined) await queries.reseal(db, workspaceId, id, secret, next)
    }
}
