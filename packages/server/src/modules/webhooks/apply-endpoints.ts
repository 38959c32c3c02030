import type { WebhookCode } from '@contentflow/core/as-code/webhook-code.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { WebhookEvent } from '@contentflow/core/webhooks/events.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { newSecret, removeEndpoint, saveEndpoint } from './endpoints.ts'
import { insertEndpoint, listEndpoints, updateEndpoint } from './queries.ts'

export async function listWebhookCode(db: Db, workspaceId: string): Promise<WebhookCode[]> {
  const endpoints = await listEndpoints(db, workspaceId)
  return endpoints.map(({ id, url, description, events }) => ({ id, url, description, events: events as WebhookEvent[] }))
}

/** Asks for their names, so it is done outside of a change. Without an error that would tell what there is on this network. */
export async function refuseAddresses(ctx: Context, endpoints: readonly WebhookCode[]): Promise<void> {
  for (const { id, url } of endpoints) {
    const fault = await ctx.outbound.refusalOf(url)
    if (fault !== undefined) failWith(400, `document: webhook ${JSON.stringify(id)}: url ${fault}`)
  }
}

/** By their ids, once nothing names them any more. */
export async function dropEndpoints(change: Change, ids: readonly string[]): Promise<void> {
  for (const id of ids) await removeEndpoint(change, id)
}

/**
 * By their ids. One that is there keeps its secret, and is on or off as it was; a new one is off, because nobody has its secret yet.
 * `deleted`: those that will be dropped.
 */
export async function applyEndpoints(
  ctx: Context,
  change: Change,
  { written, deleted }: { written: readonly WebhookCode[]; deleted: readonly string[] },
): Promise<void> {
  const { tx, workspaceId, now } = change
  const stored = new Map((await listEndpoints(tx, workspaceId)).map((endpoint) => [endpoint.id, endpoint]))
  for (const id of deleted) stored.delete(id)
  if (new Set([...stored.keys(), ...written.map(({ id }) => id)]).size > LIMITS.webhooksPerWorkspace) fail('WEBHOOK_LIMIT')
  for (const { id, url, description, events } of written) {
    const before = stored.get(id)
    if (before) {
      await saveEndpoint(change, id, { ...(url !== before.url && { url }), description, events })
      continue
    }
    const { sealed } = newSecret(ctx, workspaceId, id)
    await insertEndpoint(tx, { workspace_id: workspaceId, id, url, events, description, secret: sealed }, now)
    await updateEndpoint(tx, workspaceId, id, { is_active: false })
  }
}
