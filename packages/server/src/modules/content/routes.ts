import { parseDefinition } from '@contentflow/core/blocks/definition.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { objectBody, sentBody } from '../../http/bodies/body.ts'
import { replacedTextsOf } from '../../http/bodies/replaced-texts.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { AskedSchema, Deleted, idsOf, IdsParam, Nullable, Ok, Page, PageQuery, queryOf, ReplacedTexts, Type } from '../../http/schema.ts'
import { archiveDefinition, changeDefinition, createDefinition, restoreDefinition } from './registration/definitions.ts'
import { createInstance, rollBack, updateInstance } from './publication/instances.ts'
import {
  DefinitionBody,
  DefinitionSchema,
  InstanceBody,
  InstanceSchema,
  ManifestBody,
  presentDeclared,
  presentDefinition,
  presentInstance,
  presentRevision,
  RegisterBody,
  RevisionSchema,
} from './revisions/present.ts'
import * as queries from './revisions/queries.ts'
import * as instanceQueries from './revisions/queries-instances.ts'
import type { Approving } from './publication/decide-any.ts'
import { deleteInstance } from './publication/deleted.ts'
import { existingTarget, InstanceParams, publicationRoutes, targetOf } from './publication/routes-publication.ts'
import { reviewRoutes } from './publication/routes-reviews.ts'
import { registerBlock } from './registration/register-block.ts'
import { arrangeRoutes } from './routes-arrange.ts'
import { impactRoutes } from './overview/routes-impact.ts'
import { overviewRoutes } from './overview/routes-overview.ts'
import { syncManifest } from './registration/sync-manifest.ts'
import { presentSaved, warningsOf } from './revisions/warn.ts'

const BlockParams = Type.Object({ key: Type.String() })
const RevisionParams = Type.Object({ key: Type.String(), id: Type.String(), number: Type.String() })
const SaveQuery = Type.Object({ draft: Type.Boolean({ default: false, description: 'A revision that no client gets yet' }) })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the title' })),
  ids: IdsParam,
})
const DefinitionQuery = Type.Object({ ...PageQuery.properties, archived: Type.Boolean({ default: false }) })
const EntryErrors = Type.Array(Type.Object({ index: Type.Integer(), key: Nullable(Type.String()), error: Type.String() }))
const Registered = Type.Object({
  registered: Type.String(),
  definitionCreated: Type.Boolean(),
  instanceId: Nullable(Type.String()),
  instanceCreated: Type.Boolean(),
})
const Keys = Type.Array(Type.String())
const SyncReport = Type.Object({
  created: Keys,
  updated: Keys,
  unchanged: Keys,
  archived: Keys,
  errors: EntryErrors,
  instances: Type.Object({ created: Type.Integer(), updated: Type.Integer() }),
  replacedTexts: ReplacedTexts,
})

/** Block types from build pipelines, by write key; mounted under every root (M-REG, M-SYNC). */
function registrationRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Build pipeline')
  app.post(
    '/cards/register',
    route({
      id: { client: 'declareBlockType', management: 'registerBlockType' },
      auth: 'write',
      summary: 'Declare one block type',
      body: RegisterBody,
      out: { 201: Ok(Registered) },
      bodyLimit: BODY_BYTES.content,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      return reply.code(201).send(ok(await registerBlock(ctx, actorOf(request), objectBody(request))))
    },
  )
  app.post(
    '/cards/sync',
    route({
      id: { client: 'declareBlockTypes', management: 'syncBlockTypes' },
      auth: 'write',
      summary: 'Declare all block types, with seeded instances; what is not named is archived',
      body: ManifestBody,
      out: Ok(SyncReport),
      bodyLimit: BODY_BYTES.content,
      refuses: ['WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request) => ok({ ...(await syncManifest(ctx, actorOf(request), objectBody(request))), ...replacedTextsOf(request) }),
  )
  app.get(
    '/cards/sync',
    route({
      id: { client: 'exportDeclaredBlockTypes', management: 'exportBlockTypes' },
      auth: 'write',
      summary: 'The block types there are, as a manifest without instances; sent back it changes nothing',
      out: Ok(Type.Object({ blocks: Type.Array(DefinitionBody) })),
    }),
    async (request) => {
      const found = await queries.listDefinitions(ctx.db, actorOf(request).workspaceId)
      return ok({ blocks: found.filter(({ archivedAt }) => !archivedAt).map(presentDeclared) })
    },
  )
}

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

function definitionRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Block types')
  const reads = { auth: 'member', permission: 'types:read' } as const
  app.get(
    '/blocks',
    route({ id: 'listBlockTypes', ...reads, summary: 'List block types', query: DefinitionQuery, out: Page('blocks', DefinitionSchema) }),
    async (request) => {
      const { limit, cursor, archived } = queryOf(request)
      const found = await queries.pageDefinitions(ctx.db, memberCaller(request).workspaceId, {
        isArchived: archived,
        after: cursor,
        limit,
      })
      return page('blocks', found, presentDefinition)
    },
  )
  app.post(
    '/blocks',
    route({
      id: 'createBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Make a block type',
      body: DefinitionBody,
      out: { 201: Ok(DefinitionSchema) },
      bodyLimit: BODY_BYTES.content,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WORKSPACE_FULL', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      const definition = readDefinition(objectBody(request))
      return reply.code(201).send(ok(presentDefinition(await createDefinition(ctx, actorOf(request), definition))))
    },
  )
  app.get(
    '/blocks/:key',
    route({ id: 'getBlockType', ...reads, summary: 'Read a block type', params: BlockParams, out: Ok(DefinitionSchema) }),
    async (request) => {
      const { key } = request.params
      return ok(presentDefinition(await queries.getActiveDefinition(ctx.db, memberCaller(request).workspaceId, key)))
    },
  )
  app.put(
    '/blocks/:key',
    route({
      id: 'updateBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Change a block type; members left out stay',
      params: BlockParams,
      body: Type.Partial(DefinitionBody),
      out: Ok(DefinitionSchema),
      bodyLimit: BODY_BYTES.content,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request) => {
      const { key } = request.params
      return ok(presentDefinition(await changeDefinition(ctx, actorOf(request), key, sentBody(request))))
    },
  )
  app.delete(
    '/blocks/:key',
    route({
      id: 'archiveBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Archive a block type; its instances are kept',
      params: BlockParams,
      out: Deleted,
      refuses: ['APPROVAL_NEEDED'],
    }),
    async (request) => {
      await archiveDefinition(ctx, actorOf(request), request.params.key)
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/blocks/:key/restore',
    route({
      id: 'restoreBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Bring an archived block type back, with its instances as they were',
      params: BlockParams,
      out: Ok(DefinitionSchema),
      refuses: ['WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request) => {
      const { key } = request.params
      return ok(presentDefinition(await restoreDefinition(ctx, actorOf(request), key)))
    },
  )
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

function readDefinition(body: Record<string, unknown>) {
  const parsed = parseDefinition(body)
  return parsed.ok ? parsed.value : failWith(400, parsed.error)
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
