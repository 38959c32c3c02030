import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/auth.ts'
import { ok, page } from '../../http/envelope.ts'
import type { ModuleRoutes, Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { changeEndpoint, createEndpoint, ping, resend, rotateSecret, type EndpointWithSecret } from './endpoints.ts'
import { ChangeEndpointBody, DeliveryPageSchema, DeliverySchema, EndpointSchema, NewEndpointBody, ShownEndpointSchema } from './present.ts'
import * as queries from './queries.ts'
import { getDelivery, pageDeliveries, type WebhookDelivery } from './queries-deliveries.ts'

const tags = ['Webhooks']
const Params = Type.Object({ id: Type.String() })
const DeliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() })
const member = { auth: 'member' } as const
const admin = { auth: 'member', role: 'admin' } as const

/** M-HOOK, G-63. */
function endpointRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/webhooks',
    {
      config: member,
      schema: {
        tags,
        summary: 'Endpoints that are told what happens',
        querystring: PageQuery,
        response: { 200: Page('webhooks', EndpointSchema) },
      },
    },
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
    {
      config: admin,
      schema: {
        tags,
        summary: 'Add an endpoint; its signing secret is in this answer only',
        body: NewEndpointBody,
        response: { 201: Ok(ShownEndpointSchema) },
      },
    },
    async (request, reply) => {
      const { description = '', ...rest } = bodyOf(request)
      return reply.code(201).send(ok(presentShown(await createEndpoint(ctx, actorOf(request), { ...rest, description }))))
    },
  )
  app.get(
    '/webhooks/:id',
    { config: member, schema: { tags, summary: 'An endpoint', params: Params, response: { 200: Ok(EndpointSchema) } } },
    async (request) => ok(presentEndpoint(await endpointOf(ctx, request))),
  )
  app.put(
    '/webhooks/:id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Change an endpoint, or switch it off or on; members left out stay',
        params: Params,
        body: ChangeEndpointBody,
        response: { 200: Ok(EndpointSchema) },
      },
    },
    async (request) => {
      const { id } = await endpointOf(ctx, request)
      const { active, ...rest } = bodyOf(request)
      const input = { ...rest, ...(active !== undefined && { isActive: active }) }
      return ok(presentEndpoint(await changeEndpoint(ctx, actorOf(request), id, input)))
    },
  )
  app.delete(
    '/webhooks/:id',
    { config: admin, schema: { tags, summary: 'Delete an endpoint, with its deliveries', params: Params, response: { 200: Deleted } } },
    async (request) => {
      await queries.deleteEndpoint(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/webhooks/:id/rotate-secret',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Make a new signing secret; the old one signs nothing from now on',
        params: Params,
        response: { 200: Ok(ShownEndpointSchema) },
      },
    },
    async (request) => ok(presentShown(await rotateSecret(ctx, actorOf(request), (await endpointOf(ctx, request)).id))),
  )
}

function deliveryRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/webhooks/:id/ping',
    { config: admin, schema: { tags, summary: 'Send a test event, once', params: Params, response: { 202: Ok(DeliverySchema) } } },
    async (request, reply) =>
      reply.code(202).send(ok(presentDelivery(await ping(ctx, actorOf(request), await endpointOf(ctx, request)), ctx.clock.now()))),
  )
  app.get(
    '/webhooks/:id/deliveries',
    {
      config: member,
      schema: {
        tags,
        summary: 'Deliveries of an endpoint, newest first',
        params: Params,
        querystring: Type.Object({ ...PageQuery.properties, status: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])) }),
        response: { 200: Page('deliveries', DeliverySchema) },
      },
    },
    async (request) => {
      const { workspace_id, id } = await endpointOf(ctx, request)
      const { limit, cursor, status } = queryOf(request)
      const found = await pageDeliveries(ctx.db, workspace_id, id, { status }, { after: cursor, limit })
      return page('deliveries', found, (delivery) => presentDelivery(delivery, ctx.clock.now()))
    },
  )
  app.get(
    '/webhooks/:id/deliveries/:deliveryId',
    {
      config: member,
      schema: {
        tags,
        summary: 'A delivery: what was sent, and what was answered',
        params: DeliveryParams,
        response: { 200: Ok(DeliveryPageSchema) },
      },
    },
    async (request) => {
      const { workspace_id, id } = await endpointOf(ctx, request)
      const delivery = await getDelivery(ctx.db, workspace_id, id, request.params.deliveryId)
      return ok({ ...presentDelivery(delivery, ctx.clock.now()), request: { body: delivery.body }, attempts: delivery.log })
    },
  )
  app.post(
    '/webhooks/:id/deliveries/:deliveryId/resend',
    {
      config: admin,
      schema: { tags, summary: 'Send a delivery again, with its own id', params: DeliveryParams, response: { 202: Ok(DeliverySchema) } },
    },
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
