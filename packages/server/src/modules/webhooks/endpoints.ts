import { waitsUntil } from '@contentflow/core/webhooks/attempts.ts'
import { isOfAudit, WEBHOOK_EVENTS, type WebhookEvent } from '@contentflow/core/webhooks/events.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { enqueuePing, WEBHOOKS } from './enqueue.ts'
import * as queries from './queries.ts'
import type { Endpoint } from './queries.ts'
import { sendAgain, sendWaiting, type WebhookDelivery } from './queries-deliveries.ts'
import { makeSecret } from './sign.ts'

/** `isActive`: false switches it off; true switches it on and forgets how it did. */
export type EndpointInput = { url: string; events: WebhookEvent[]; description: string; isActive: boolean }
/** How many of the journeys that tell an endpoint a refusal names. */
const JOURNEYS_NAMED = 10
/** The only answers that hold the secret. */
export type EndpointWithSecret = { endpoint: Endpoint; secret: string }

/** G-63. */
export async function createEndpoint(ctx: Context, by: Actor, input: Omit<EndpointInput, 'isActive'>): Promise<EndpointWithSecret> {
  const url = await checkUrl(ctx, input.url)
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    requireAudit(change, input.events)
    if ((await queries.countEndpoints(tx, workspaceId)) >= LIMITS.webhooksPerWorkspace) fail('WEBHOOK_LIMIT')
    const id = uuidv7(now.getTime())
    const { secret, sealed } = newSecret(ctx, workspaceId, id)
    const { events, description } = input
    const row = { workspace_id: workspaceId, id, url, events: orderEvents(events), description, secret: sealed }
    change.audited('webhook', id, undefined, row)
    return { endpoint: await queries.insertEndpoint(tx, row, now), secret }
  })
}

/** Members left out stay. What waits for an endpoint that is switched off waits until it is on again, for a day at most. */
export async function changeEndpoint(ctx: Context, by: Actor, id: string, input: Partial<EndpointInput>): Promise<Endpoint> {
  const url = input.url === undefined ? undefined : await checkUrl(ctx, input.url)
  return ctx.change(by, (change) => saveEndpoint(change, id, { ...input, ...(url !== undefined && { url }) }))
}

/** Its address was looked at before. */
export async function saveEndpoint(change: Change, id: string, input: Partial<EndpointInput>): Promise<Endpoint> {
  const { tx, workspaceId, now, nudge } = change
  const { url, events, description, isActive } = input
  const isFresh = isActive === true || url !== undefined
  const before = await queries.lockEndpoint(tx, workspaceId, id)
  // Also to lead elsewhere what it is told already.
  requireAudit(change, [...before.events, ...(events ?? [])])
  const endpoint = await queries.updateEndpoint(tx, workspaceId, id, {
    ...(url !== undefined && { url }),
    ...(events && { events: orderEvents(events) }),
    ...(description !== undefined && { description }),
    ...(isActive !== undefined && { is_active: isActive, given_up_at: null, off_since: isActive ? null : (before.off_since ?? now) }),
    ...(isFresh && { failing_since: null }),
    updated_at: now,
  })
  change.audited('webhook', id, before, endpoint)
  if (isActive === true && before.off_since !== null) {
    await sendWaiting(tx, workspaceId, id, waitsUntil(before.off_since), now)
    nudge(WEBHOOKS)
  }
  return endpoint
}

/** Nobody lets others be told of an audit log that they may not read. */
function requireAudit(change: Change, events: readonly string[]): void {
  if (events.some(isOfAudit)) change.require('audit:read', {})
}

/** 409 while a step of a journey tells it. */
export async function removeEndpoint({ tx, workspaceId }: Change, id: string): Promise<void> {
  await queries.lockForDelete(tx, workspaceId, id)
  const journeys = await queries.listJourneysTelling(tx, workspaceId, id, JOURNEYS_NAMED)
  if (journeys.length > 0) {
    const names = journeys.map((name) => JSON.stringify(name)).join(', ')
    fail('WEBHOOK_IN_USE', { message: `Journeys tell this webhook: ${names}. Take the step out of them first` })
  }
  await queries.deleteEndpoint(tx, workspaceId, id)
}

/** From now on every attempt is signed with the new secret, and none with the old one. */
export async function rotateSecret(ctx: Context, by: Actor, id: string): Promise<EndpointWithSecret> {
  return ctx.change(by, async ({ tx, workspaceId, now }) => {
    const { secret, sealed } = newSecret(ctx, workspaceId, id)
    return { endpoint: await queries.updateEndpoint(tx, workspaceId, id, { secret: sealed, updated_at: now }), secret }
  })
}

export async function ping(ctx: Context, by: Actor, endpoint: Endpoint): Promise<WebhookDelivery> {
  if (!endpoint.is_active) fail('WEBHOOK_OFF')
  return ctx.change(by, (change) => enqueuePing(change, endpoint.id))
}

/** The same delivery with the same id, whatever became of it. */
export async function resend(ctx: Context, by: Actor, endpoint: Endpoint, deliveryId: string): Promise<WebhookDelivery> {
  return ctx.change(by, async ({ tx, workspaceId, now, nudge }) => {
    const delivery = await sendAgain(tx, workspaceId, endpoint.id, deliveryId, now)
    if (!endpoint.is_active) fail('WEBHOOK_OFF')
    nudge(WEBHOOKS)
    return delivery
  })
}

/** Where the secret of an endpoint stands: it can be read there only. */
export function placeOf(workspaceId: string, id: string) {
  return { workspaceId, row: `webhook_endpoints/${id}` }
}

export function newSecret(ctx: Context, workspaceId: string, id: string) {
  const secret = makeSecret()
  return { secret, sealed: ctx.secrets.seal(secret, placeOf(workspaceId, id)) }
}

/** Without an error that would tell what there is on this network. */
async function checkUrl(ctx: Context, url: string): Promise<string> {
  const fault = await ctx.outbound.refusalOf(url)
  return fault === undefined ? url : failWith(400, `url ${fault}`)
}

/** Each once, in the order they are documented. */
function orderEvents(events: readonly WebhookEvent[]): WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => events.includes(event))
}
