import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { memberCaller } from '../../http/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok } from '../../http/envelope.ts'
import type { Routes } from '../../http/routes.ts'
import { Ok, queryOf, Type, type Static } from '../../http/schema.ts'
import { openImpact, roundImpact, type Question } from './impact.ts'
import { InstanceBody } from './present.ts'
import { ImpactSchema } from './present-impact.ts'

const Params = Type.Object({ key: Type.String(), id: Type.String() })
const TargetQuery = Type.Object({ target: Type.Enum(['live', 'test'], { default: 'live' }) })

/** What a publish or a save would change, before it is done. */
export function impactRoutes(app: Routes, ctx: Context): void {
  const ask = openImpact(ctx)
  const path = '/blocks/:key/instances/:id/impact'
  const schema = { tags: ['Instances'], params: Params, querystring: TargetQuery, response: { 200: Ok(ImpactSchema) } }
  app.get(
    path,
    {
      config: { auth: 'member' },
      schema: { ...schema, summary: 'What publishing the saved content would change, and for how many devices' },
    },
    async (request) => ok(await roundImpact(ctx, memberCaller(request), await ask(questionOf(request)))),
  )
  app.post(
    path,
    {
      config: { auth: 'member', isRead: true },
      bodyLimit: BODY_BYTES.content,
      schema: { ...schema, summary: 'The same as if this partial body were saved first; nothing is stored', body: InstanceBody },
    },
    async (request) => {
      const impact = await ask(questionOf(request), () => sentBody(request))
      return ok(await roundImpact(ctx, memberCaller(request), impact))
    },
  )
}

function questionOf(request: FastifyRequest<{ Params: Static<typeof Params>; Querystring: Static<typeof TargetQuery> }>): Question {
  const { key, id } = request.params
  return { workspaceId: memberCaller(request).workspaceId, blockKey: key, id, target: queryOf(request).target }
}
