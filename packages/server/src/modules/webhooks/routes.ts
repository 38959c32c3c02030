import type { FastifyRequest } from 'fastify'
import { isOfAudit } from '@contentflow/core/webhooks/events.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller, requirePermission } from '../../http/callers/auth.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { changeEndpoint, createEndpoint, ping, removeEndpoint, resend, rotateSecret, type EndpointWithSecret } from './endpoints.ts'
import { ChangeEndpointBody, DeliveryPageSchema, DeliverySchema, EndpointSchema, NewEndpointBody, ShownEndpointSchema } from './present.ts'
import * as queries from './queries.ts'
import { getDelivery, pageDeliveries, type WebhookDelivery } from './queries-deliveries.ts'

const route = routeIn('Webhooks')
const Params = pathOf({ id: 'The id of the endpoint' })
const DeliveryParams = pathOf({ id: 'The id of the endpoint', deliveryId: 'The id of the delivery' })

/** M-HOOK, G-63. */
function endpointRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/webhooks',
    route({
      id: 'listWebhooks',
      auth: 'member',
      permission: 'webhooks:read',
      summary: 'Endpoints that are told what happens',
      description: 'Lists the endpoints with the events each is told of and since when it fails. Secrets are not among them.',
      query: PageQuery,
      out: Page('webhooks', EndpointSchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      return page(
        'webhooks',
        await queries.pageEndpoints(ctx.db, memberCaller(request).workspaceId, { after: cursor, limit }),
        presentEndpoint,
      )
    },
  )
  app.post(
    '/webhooks',
    route({
      id: 'createWebhook',
      auth: 'member',
      permission: 'webhooks:manage',
      summary: 'Add an endpoint; its signing secret is in this answer only',
      description:
        'Adds an endpoint, which is told of the chosen events from then on; the section Webhooks describes what it is sent. Addresses of private networks are refused.',
      body: NewEndpointBody,
      out: { 201: Ok(ShownEndpointSchema) },
      refuses: ['WEBHOOK_LIMIT'],
    }),
    async (request, reply) => {
      const { description = '', ...rest } = bodyOf(request)
      return reply.code(201).send(ok(presentShown(await createEndpoint(ctx, actorOf(request), { ...rest, description }))))
    },
  )
  app.get(
    '/webhooks/:id',
    route({
      id: 'getWebhook',
      auth: 'member',
      permission: 'webhooks:read',
      summary: 'An endpoint',
      description: 'Answers one endpoint with its events and since when it fails, without its secret.',
      params: Params,
      out: Ok(EndpointSchema),
    }),
    async (request) => ok(presentEndpoint(await endpointOf(ctx, request))),
  )
  app.put(
    '/webhooks/:id',
    route({
      id: 'updateWebhook',
      auth: 'member',
      permission: 'webhooks:manage',
      summary: 'Change an endpoint, or switch it off or on; members left out stay',
      description: 'Changes address, events or description, or switches it off and on. While it is off deliveries wait for up to 24 hours.',
      params: Params,
      body: ChangeEndpointBody,
      out: Ok(EndpointSchema),
    }),
    async (request) => {
      const { id } = await endpointOf(ctx, request)
      const { active, ...rest } = bodyOf(request)
      const input = { ...rest, ...(active !== undefined && { isActive: active }) }
      return ok(presentEndpoint(await changeEndpoint(ctx, actorOf(request), id, input)))
    },
  )
  app.delete(
    '/webhooks/:id',
    route({
      id: 'deleteWebhook',
      auth: 'member',
      permission: 'webhooks:manage',
      summary: 'Delete an endpoint, with its deliveries',
      description:
        'Deletes the endpoint with the deliveries that are kept of it. One that a step of a journey tells is refused with WEBHOOK_IN_USE.',
      params: Params,
      out: Deleted,
      refuses: ['WEBHOOK_IN_USE'],
    }),
    async (request) => {
      await ctx.change(actorOf(request), (change) => removeEndpoint(change, request.params.id))
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/webhooks/:id/rotate-secret',
    route({
      id: 'rotateWebhookSecret',
      auth: 'member',
      permission: 'webhooks:manage',
      summary: 'Make a new signing secret; the old one signs nothing from now on',
      description:
        'Signs every attempt from now on with a new secret, which is in this answer only. Let the receiver accept both before you call it.',
      params: Params,
      out: Ok(ShownEndpointSchema),
    }),
    async (request) => ok(presentShown(await rotateSecret(ctx, actorOf(request), (await endpointOf(ctx, request)).id))),
  )
}

function deliveryRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/webhooks/:id/ping',
    route({
      id: 'pingWebhook',
      auth: 'member',
      permission: 'webhooks:manage',
      summary: 'Send a test event, once',
      description:
        'Sends the event `webhook.ping` to this endpoint without trying again, and answers the delivery, whose outcome GET …/deliveries/{deliveryId} tells.',
      params: Params,
      out: { 202: Ok(DeliverySchema) },
      refuses: ['WEBHOOK_OFF'],
    }),
    async (request, reply) =>
      reply.code(202).send(ok(presentDelivery(await ping(ctx, actorOf(request), await endpointOf(ctx, request)), ctx.clock.now()))),
  )
  app.get(
    '/webhooks/:id/deliveries',
    route({
      id: 'listWebhookDeliveries',
      auth: 'member',
      permission: 'webhooks:read',
      summary: 'Deliveries of an endpoint, newest first',
      description: 'Lists what was or will be sent to one endpoint, with each attempt. Deliveries are kept for 30 days.',
      params: Params,
      query: Type.Object({
        ...PageQuery.properties,
        status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'], { description: 'Deliveries in this state' })),
      }),
      out: Page('deliveries', DeliverySchema),
    }),
    async (request) => {
      const { workspace_id, id } = await endpointOf(ctx, request)
      const { limit, cursor, status } = queryOf(request)
      const found = await pageDeliveries(ctx.db, workspace_id, id, { status }, { after: cursor, limit })
      return page('deliveries', found, (delivery) => presentDelivery(delivery, ctx.clock.now()))
    },
  )
  app.get(
    '/webhooks/:id/deliveries/:deliveryId',
    route({
      id: 'getWebhookDelivery',
      auth: 'member',
      permission: 'webhooks:read',
      summary: 'A delivery: what was sent, and what was answered',
      description:
        'Answers one delivery with its body and the answers of the receiver. Deliveries about the audit log take the permission audit:read as well.',
      params: DeliveryParams,
      out: Ok(DeliveryPageSchema),
    }),
    async (request) => {
      const { workspace_id, id } = await endpointOf(ctx, request)
      const delivery = await getDelivery(ctx.db, workspace_id, id, request.params.deliveryId)
      if (isOfAudit(delivery.event)) requirePermission(memberCaller(request), 'audit:read')
      return ok({ ...presentDelivery(delivery, ctx.clock.now()), request: { body: delivery.body }, attempts: delivery.log })
    },
  )
  app.post(
    '/webhooks/:id/deliveries/:deliveryId/resend',
    route({
      id: 'resendWebhookDelivery',
      auth: 'member',
      permission: 'webhooks:manage',
      summary: 'Send a delivery again, with its own id',
      description: 'Sends the same body once more, signed anew. Receivers know it by its id and do nothing twice.',
      params: DeliveryParams,
      out: { 202: Ok(DeliverySchema) },
      refuses: ['WEBHOOK_OFF'],
    }),
    async (request, reply) => {
      const delivery = await resend(ctx, actorOf(request), await endpointOf(ctx, request), request.params.deliveryId)
      return reply.code(202).send(ok(presentDelivery(delivery, ctx.clock.now())))
    },
  )
}

async function endpointOf(ctx: Context, request: FastifyRequest<{ Params: { id: string } }>): Promise<queries.Endpoint> {
  return queries.getEndpoint(ctx.db, memberCaller(request).workspaceId, request.params.id)
}

function presentEndpoint({
  id,
  url,
  events,
  description,
  is_active,
  failing_since,
  given_up_at,
  created_at,
  updated_at,
}: queries.Endpoint) {
  return {
    id,
    url,
    events: events as never[],
    description,
    active: is_active,
    failingSince: failing_since,
    givenUpAt: given_up_at,
    createdAt: created_at,
    updatedAt: updated_at,
  }
}

function presentShown({ endpoint, secret }: EndpointWithSecret) {
  return { ...presentEndpoint(endpoint), secret }
}

/** One that is being attempted has its next attempt now. */
function presentDelivery({ id, event, status, log, due_at, lease_until, created_at }: WebhookDelivery, now: Date) {
  const nextAttemptAt = status !== 'pending' ? null : lease_until && lease_until > now ? now : due_at
  const attempts = log.map(({ at, ms, status: answered, error }) => ({ at, ms, status: answered, ...(error !== undefined && { error }) }))
  return { id, event, status, attempts, nextAttemptAt, createdAt: created_at }
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    endpointRoutes(app, ctx)
    deliveryRoutes(app, ctx)
  },
}
