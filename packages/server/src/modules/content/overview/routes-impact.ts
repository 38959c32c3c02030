import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { memberCaller } from '../../../http/callers/auth.ts'
import { BODY_BYTES } from '../../../http/bodies/body-bytes.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { pathOf, BLOCK_KEY, INSTANCE_ID } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Ok, queryOf, timeOf, TimeParam, Type, type Static } from '../../../http/schema.ts'
import { zoneOfDays } from '../../calendar/index.ts'
import { openImpact, roundImpact, type ImpactQuery } from './impact.ts'
import { InstanceBody } from '../revisions/present.ts'
import { ImpactSchema } from './present-impact.ts'

const Params = pathOf({ key: BLOCK_KEY, id: INSTANCE_ID })
const TargetQuery = Type.Object({
  target: Type.Enum(['live', 'test'], { default: 'live', description: 'The environment it would be published to' }),
  at: TimeParam('ISO 8601; the moment it would be published, now when left out'),
  revision: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'This one; the newest when left out' })),
  scheduleId: Type.Optional(Type.String({ maxLength: 64, description: 'The planned publication that would come at `at` instead' })),
})

const route = routeIn('Instances')

/** Describes what a publication or a save would change, before it is done. */
export function impactRoutes(app: Routes, ctx: Context): void {
  const ask = openImpact(ctx)
  const path = '/blocks/:key/instances/:id/impact'
  const shapes = { params: Params, query: TargetQuery, out: Ok(ImpactSchema) }
  app.get(
    path,
    route({
      id: 'getInstanceImpact',
      auth: 'member',
      permission: 'content:read',
      ...shapes,
      summary: 'What publishing the saved content would change, and for how many devices',
      description:
        'Works out what publishing the saved content would change: which instances would be served instead, for whom, and for about how many devices. Nothing is stored.',
    }),
    async (request) => ok(await roundImpact(ctx, memberCaller(request), await ask(await questionOf(ctx, request)))),
  )
  app.post(
    path,
    route({
      id: 'previewInstanceImpact',
      auth: 'member',
      permission: 'content:read',
      isRead: true,
      ...shapes,
      summary: 'The same as if this partial body were saved first; nothing is stored',
      description:
        'Works out the same as GET, as if the changes in the body were saved first. Members left out of the body stay as they are saved. Nothing is stored.',
      body: InstanceBody,
      bodyLimit: BODY_BYTES.content,
    }),
    async (request) => {
      const impact = await ask(await questionOf(ctx, request), () => sentBody(request))
      return ok(await roundImpact(ctx, memberCaller(request), impact))
    },
  )
}

type ImpactRequest = FastifyRequest<{ Params: Static<typeof Params>; Querystring: Static<typeof TargetQuery> }>

async function questionOf(ctx: Context, request: ImpactRequest): Promise<ImpactQuery> {
  const { key, id } = request.params
  const { workspaceId } = memberCaller(request)
  const { target, at, revision, scheduleId } = queryOf(request)
  const moment = timeOf('at', at, await zoneOfDays(ctx.db, workspaceId, at))
  return { workspaceId, blockKey: key, id, target, at: moment, revision, moved: scheduleId }
}
