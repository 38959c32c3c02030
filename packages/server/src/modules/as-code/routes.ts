import { CODE_KINDS, type WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/auth.ts'
import { BODY_BYTES } from '../../http/body-bytes.ts'
import { ok } from '../../http/envelope.ts'
import type { ModuleRoutes, Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Shaped, Type } from '../../http/schema.ts'
import { applyWorkspace } from './apply-workspace.ts'
import { planWorkspace } from './plan-workspace.ts'
import { readWorkspace } from './read-workspace.ts'

const Things = Type.Array(Type.Object({}, { additionalProperties: true }))
const DocumentSchema = Shaped<WorkspaceCode>(Type.Object({ blocks: Things, segments: Things, geofences: Things }))
const Document = Type.Unknown({
  description: `${CODE_KINDS.join(', ')}: each is declared completely where it is named, and stays as it is where it is not`,
  examples: [{ geofences: [{ id: 'home', name: 'Home', latitude: 24.7, longitude: 46.7, radiusMeters: 100 }] }],
})
const PlanBody = Type.Object({ document: Document })
const ApplyBody = Type.Object({
  document: Document,
  version: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the plan that somebody looked at' }),
})
const change = {
  kind: Type.Enum([...CODE_KINDS]),
  key: Type.String({ description: 'Key of a block type, name of a segment, id of a geofence' }),
  change: Type.Enum(['create', 'change', 'delete']),
  members: Type.Array(Type.String(), { description: 'What differs of one that is there' }),
}
const Names = Type.Array(Type.String())
const PlanSchema = Type.Object({
  version: Type.String(),
  changes: Type.Array(
    Type.Object({
      ...change,
      reach: Type.Object({
        people: Nullable(
          Type.Object({ gaining: Type.Integer(), losing: Type.Integer() }, { description: 'Of a segment, as far as it is known before' }),
        ),
        instances: Type.Integer({ description: 'Published instances of the type, or instances for the segment' }),
        campaigns: Names,
        journeys: Names,
        segments: Type.Array(Type.String(), { description: 'Segments that leave this one out' }),
      }),
    }),
  ),
})
const AppliedSchema = Type.Object({ changes: Type.Array(Type.Object(change)) })

/** A workspace as one document: read, compared, and made what the document says. */
function codeRoutes(app: Routes, ctx: Context): void {
  const tags = ['Workspace as code']
  app.get(
    '/workspace/code',
    {
      config: { auth: 'member' },
      schema: {
        tags,
        summary: 'Block types, segments and geofences as one document, in a fixed order',
        response: { 200: Ok(DocumentSchema) },
      },
    },
    async (request) => ok((await readWorkspace(ctx.db, memberCaller(request).workspaceId)).code),
  )
  app.post(
    '/workspace/code/plan',
    {
      config: { auth: 'member', role: 'editor' },
      bodyLimit: BODY_BYTES.content,
      schema: {
        tags,
        summary: 'What a document would change, and for whom; nothing is stored',
        body: PlanBody,
        response: { 200: Ok(PlanSchema) },
      },
    },
    async (request) => ok(await planWorkspace(ctx, memberCaller(request).workspaceId, bodyOf(request).document)),
  )
  app.post(
    '/workspace/code/apply',
    {
      config: { auth: 'member', role: 'admin' },
      bodyLimit: BODY_BYTES.content,
      schema: { tags, summary: 'Do exactly what was planned, or nothing', body: ApplyBody, response: { 200: Ok(AppliedSchema) } },
    },
    async (request) => {
      const { document, version } = bodyOf(request)
      return ok({ changes: await applyWorkspace(ctx, actorOf(request), document, version) })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = { management: (app, { ctx }) => codeRoutes(app, ctx) }
