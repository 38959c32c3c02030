import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { actorOf } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf, BLOCK_KEY, INSTANCE_ID } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Ok, Type } from '../../http/schema.ts'
import { arrangeInstances } from './arrange-instances.ts'
import { duplicateInstance } from './publication/instances.ts'
import { InstanceSchema } from './revisions/present.ts'
import { getActiveDefinition } from './revisions/queries.ts'
import { getInstance } from './revisions/queries-instances.ts'
import { presentSaved } from './revisions/warn.ts'

const OrderBody = Type.Object({
  ids: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: LIMITS.pageSizeMax,
    uniqueItems: true,
    description: 'Instances of this type, in the order they should be delivered',
  }),
})
const Order = Type.Object({
  instances: Type.Array(Type.Object({ id: Type.String(), priority: Type.Integer(), version: Type.Integer() }), {
    description: 'In that order',
  }),
  changed: Type.Integer({ description: 'Instances that got another priority, each with a revision' }),
})
const DuplicateBody = Type.Object({
  title: Type.Optional(Type.String({ maxLength: LIMITS.instanceTitleLength, description: 'That of the original when left out' })),
})

/** Order and copies of instances. */
export function arrangeRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Instances')
  app.put(
    '/blocks/:key/instances/order',
    route({
      id: 'orderInstances',
      auth: 'member',
      permission: 'content:write',
      summary: 'Set priorities so that instances are delivered in this order; those not named keep theirs',
      description:
        'Sets the priorities that put the named instances into this order; only those whose priority has to change get a new revision. Refused while publishing takes a second person, because the order of live content changes with it.',
      params: pathOf({ key: BLOCK_KEY }),
      body: OrderBody,
      out: Ok(Order),
      refuses: ['APPROVAL_NEEDED', 'NO_ROOM_FOR_ORDER', 'ANSWER_TOO_LONG'],
    }),
    async (request) => {
      const of = actorOf(request)
      const { key: blockKey } = request.params
      await getActiveDefinition(ctx.db, of.workspaceId, blockKey)
      const { instances, changed } = await arrangeInstances(ctx, of, blockKey, bodyOf(request).ids)
      return ok({ instances: instances.map(({ id, priority, version }) => ({ id, priority, version })), changed })
    },
  )
  app.post(
    '/blocks/:key/instances/:id/duplicate',
    route({
      id: 'duplicateInstance',
      auth: 'member',
      permission: 'content:write',
      summary: 'Make a draft with the same content',
      description: 'Copies values, translations, targeting and schedule into a new draft. What the original has published is not touched.',
      params: pathOf({ key: BLOCK_KEY, id: INSTANCE_ID }),
      body: DuplicateBody,
      out: { 201: Ok(InstanceSchema) },
      refuses: ['WORKSPACE_FULL', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      const of = actorOf(request)
      const { key: blockKey, id } = request.params
      await getActiveDefinition(ctx.db, of.workspaceId, blockKey)
      await getInstance(ctx.db, of.workspaceId, blockKey, id)
      const { title } = bodyOf(request)
      const saved = await duplicateInstance(ctx, { ...of, blockKey, id }, title)
      return reply.code(201).send(ok(await presentSaved(ctx, of.workspaceId, saved)))
    },
  )
}
