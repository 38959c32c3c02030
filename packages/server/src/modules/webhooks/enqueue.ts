/** What happened becomes one delivery for each endpoint that is to be told, in the transaction of what happened. */
import { JOURNEY_STEP, PING, type JourneyStepData, type WebhookEvent } from '@contentflow/core/webhooks/events.ts'
import type { ToldData } from '../../http/openapi/webhooks.ts'
import type { Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { findAccountName, holdEndpoints, listSubscribed } from './queries.ts'
import { insertAboutPeople, insertDeliveries, type WebhookDelivery } from './queries-deliveries.ts'

/** The name of the work that sends them. */
export const WEBHOOKS = 'webhooks'

/** Tells every endpoint that chose this event. What the change does not commit, nobody is told. */
export async function enqueueWebhook<Event extends WebhookEvent>(change: Change, event: Event, data: ToldData[Event]): Promise<void> {
  const endpoints = await listSubscribed(change.tx, change.workspaceId, event)
  if (endpoints.length > 0) await writeDeliveries(change, endpoints, event, data)
}

/** Sends a ping to one endpoint, whichever events it chose. */
export async function enqueuePing(change: Change, endpointId: string): Promise<WebhookDelivery> {
  const [delivery] = await writeDeliveries(change, [endpointId], PING, {})
  return delivery!
}

/** Whom an endpoint is told of. `id`: of the delivery, the same for the same thing; told twice, it is one delivery. */
export type ToldOf = { id: string; profileId: string; data: JourneyStepData }

/**
 * Tells one endpoint, whichever events it chose, of what a step of a journey did, a delivery for each person. False, and nobody is
 * told, when it is gone or switched off. The endpoint cannot be deleted until the transaction ends.
 */
export async function enqueueStep(change: Change, endpointId: string, people: readonly ToldOf[]): Promise<boolean> {
  const { tx, workspaceId, actor, now, nudge } = change
  if (!(await holdEndpoints(tx, workspaceId, [endpointId])).get(endpointId)) return false
  const deliveries = people.map(({ id, profileId, data }) => {
    const told = { ...data, actor: { userId: actor } }
    return { id, profileId, body: JSON.stringify({ id, event: JOURNEY_STEP, tenantId: workspaceId, occurredAt: now, data: told }) }
  })
  await insertAboutPeople(tx, workspaceId, { endpointId, event: JOURNEY_STEP }, deliveries, now)
  nudge(WEBHOOKS)
  return true
}

async function writeDeliveries(change: Change, endpoints: readonly string[], event: string, data: object): Promise<WebhookDelivery[]> {
  const { tx, workspaceId, actor, now, nudge } = change
  const name = await findAccountName(tx, actor)
  const told = { ...data, actor: { userId: actor, ...(name !== undefined && { name }) } }
  const deliveries = endpoints.map((endpoint_id) => {
    const id = uuidv7(now.getTime())
    return { endpoint_id, id, event, body: JSON.stringify({ id, event, tenantId: workspaceId, occurredAt: now, data: told }) }
  })
  nudge(WEBHOOKS)
  return insertDeliveries(tx, workspaceId, deliveries, now)
}
