import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { pathOf, BLOCK_KEY, INSTANCE_ID } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { AskedSchema, Deleted, idsOf, IdsParam, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { createInstance, rollBack, updateInstance } from './publication/instances.ts'
import { InstanceBody, InstanceSchema, presentInstance, presentRevision, RevisionSchema } from './revisions/present.ts'
import { definitionRoutes, registrationRoutes } from './registration/routes-registration.ts'
import * as queries from './revisions/queries.ts'
import * as instanceQueries from './revisions/queries-instances.ts'
import type { Approving } from './publication/decide-any.ts'
import { deleteInstance } from './publication/deleted.ts'
import { existingTarget, InstanceParams, publicationRoutes, targetOf } from './publication/routes-publication.ts'
import { reviewRoutes } from './publication/routes-reviews.ts'
import { arrangeRoutes } from './routes-arrange.ts'
import { impactRoutes } from './overview/routes-impact.ts'
import { overviewRoutes } from './overview/routes-overview.ts'
import { presentSaved, warningsOf } from './revisions/warn.ts'

const BlockParams = pathOf({ key: BLOCK_KEY })
const RevisionParams = pathOf({ key: BLOCK_KEY, id: INSTANCE_ID, number: 'The number of the revision' })
const SaveQuery = Type.Object({ draft: Type.Boolean({ default: false, description: 'A revision that no client gets yet' }) })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the title' })),
  ids: IdsParam,
})
/** Block types and instances for the dashboard (G-35 to G-37). */
function contentRoutes(app: Routes, ctx: Context, approving: Approving): void {
  definitionRoutes(app, ctx)
  instanceRoutes(app, ctx)
  revisionRoutes(app, ctx)
  publicationRoutes(app, ctx)
  reviewRoutes(app, ctx, approving)
  overviewRoutes(app, ctx)
  impactRoutes(app, ctx)
  arrangeRoutes(app, ctx)
}

function instanceRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Instances')
  const path = '/blocks/:key/instances'
  app.get(
    path,
    route({
      id: 'listInstances',
      auth: 'member',
      permission: 'content:read',
      summary: 'List instances of a block type',
      description:
        'Lists the instances of one block type in the order of delivery, drafts included, with warnings about what is shown to nobody. `ids` answers named ones only.',
      params: BlockParams,
      query: ListQuery,
      out: Page('instances', InstanceSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { fields, key } = await queries.getActiveDefinition(ctx.db, workspaceId, request.params.key)
      const { limit, cursor, search, ids } = queryOf(request)
      const found = await instanceQueries.pageInstances(ctx.db, workspaceId, key, {
        after: cursor,
        limit,
        search,
        ids: idsOf(ids),
      })
      const warnings = await warningsOf(
        ctx,
        workspaceId,
        found.items.map(({ id }) => id),
      )
      return page('instances', found, (item) => presentInstance(item, fields, warnings(item.id)))
    },
  )
  app.post(
    path,
    route({
      id: 'createInstance',
      auth: 'member',
      permission: 'content:write',
      summary: 'Make a draft instance',
      description:
        'Saves a new instance as a draft that no app gets. Values that do not fit the fields of the type are 400 with their path.',
      params: BlockParams,
      body: InstanceBody,
      out: { 201: Ok(InstanceSchema) },
      bodyLimit: BODY_BYTES.content,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WORKSPACE_FULL', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      const saved = await createInstance(ctx, actorOf(request), request.params.key, sentBody(request))
      return reply.code(201).send(ok(await presentSaved(ctx, memberCaller(request).workspaceId, saved)))
    },
  )
  app.get(
    `${path}/:id`,
    route({
      id: 'getInstance',
      auth: 'member',
      permission: 'content:read',
      summary: 'Read an instance; the ETag is its version',
      description:
        'Answers one instance with its newest values, translations, targeting and what is published where. Send the ETag as If-Match with the next change.',
      sends: ['ETag'],
      params: InstanceParams,
      out: Ok(InstanceSchema),
    }),
    async (request, reply) => {
      const { workspaceId, blockKey, id } = targetOf(request)
      const definition = await queries.getActiveDefinition(ctx.db, workspaceId, blockKey)
      const instance = await instanceQueries.getInstance(ctx.db, workspaceId, blockKey, id)
      return reply.header('etag', `"${instance.version}"`).send(ok(await presentSaved(ctx, workspaceId, { instance, definition })))
    },
  )
  app.put(
    `${path}/:id`,
    route({
      id: 'updateInstance',
      auth: 'member',
      permission: 'content:write',
      summary: 'Change an instance; members left out stay. What is published is served at once, unless it is a draft',
      description:
        'Saves a new revision. Where the instance is published, apps get it at once; with `draft=true` they go on getting the published revision. While publishing takes a second person, a change of something live is filed and answered 202 with the request. With If-Match a change made meanwhile by somebody else is 412.',
      params: InstanceParams,
      query: SaveQuery,
      headers: IfMatch,
      body: InstanceBody,
      out: { 200: Ok(InstanceSchema), 202: Ok(AskedSchema) },
      bodyLimit: BODY_BYTES.content,
      refuses: [
        'LINK_SCHEME_NOT_ALLOWED',
        'VERSION_CHANGED',
        'TEST_ENV_RETIRED',
        'WORKSPACE_FULL',
        'ADDRESS_NOT_PROVED',
        'ANSWER_TOO_LONG',
      ],
    }),
    async (request, reply) => {
      const { draft: isDraft } = queryOf(request)
      const saved = await updateInstance(ctx, targetOf(request), sentBody(request), { expectedVersion: expectedVersion(request), isDraft })
      return saved.asked
        ? reply.code(202).send(ok(saved.asked))
        : reply.send(ok(await presentSaved(ctx, memberCaller(request).workspaceId, saved)))
    },
  )
  app.delete(
    `${path}/:id`,
    route({
      id: 'deleteInstance',
      auth: 'member',
      permission: 'content:write',
      summary: `Delete an instance; for ${LIMITS.deletedInstanceDays} days it can be restored`,
      description:
        'Takes the instance off all apps and puts it into the bin. Something live, while publishing takes a second person, is only filed (202) unless you have approval rights.',
      params: InstanceParams,
      headers: IfMatch,
      out: { 200: Deleted, 202: Ok(AskedSchema) },
      refuses: ['VERSION_CHANGED', 'ADDRESS_NOT_PROVED'],
    }),
    async (request, reply) => {
      const asked = await deleteInstance(ctx, targetOf(request), expectedVersion(request))
      return asked ? reply.code(202).send(ok(asked)) : reply.send(ok({ deleted: true as const }))
    },
  )
}

function revisionRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Instances')
  const path = '/blocks/:key/instances/:id'
  app.get(
    `${path}/revisions`,
    route({
      id: 'listRevisions',
      auth: 'member',
      permission: 'content:read',
      summary: 'Every save of an instance, newest first',
      description: 'Lists each saved revision with its content and who saved it.',
      params: InstanceParams,
      query: PageQuery,
      out: Page('revisions', RevisionSchema),
    }),
    async (request) => {
      const { workspaceId, blockKey, id } = await existingTarget(ctx, request)
      const { limit, cursor } = queryOf(request)
      const before = cursor === undefined ? undefined : Number(cursor)
      const { fields } = await queries.getActiveDefinition(ctx.db, workspaceId, blockKey)
      const found = await instanceQueries.pageRevisions(ctx.db, workspaceId, id, { before, limit })
      return page('revisions', found, (item) => presentRevision(item, fields))
    },
  )
  app.post(
    `${path}/revisions/:number/rollback`,
    route({
      id: 'rollBackInstance',
      auth: 'member',
      permission: 'content:publish',
      summary: 'Make an earlier revision the newest one; what is published is it at once',
      description:
        'Saves the content of an earlier revision as a new one; no revision is lost. If the instance is published, apps get it at once, or a request is filed (202) while publishing takes a second person.',
      params: RevisionParams,
      headers: IfMatch,
      out: { 200: Ok(InstanceSchema), 202: Ok(AskedSchema) },
      refuses: ['VERSION_CHANGED', 'WORKSPACE_FULL', 'ADDRESS_NOT_PROVED', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      const number = readNumber(request.params.number) ?? failWith(404, 'revision not found')
      const saved = await rollBack(ctx, targetOf(request), number, expectedVersion(request))
      return saved.asked
        ? reply.code(202).send(ok(saved.asked))
        : reply.send(ok(await presentSaved(ctx, memberCaller(request).workspaceId, saved)))
    },
  )
}

function readNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

export const routes: ModuleRoutes<{ ctx: Context; approving: Approving }> = {
  client: (app, { ctx }) => registrationRoutes(app, ctx),
  management: (app, { ctx, approving }) => {
    contentRoutes(app, ctx, approving)
    registrationRoutes(app, ctx)
  },
}
