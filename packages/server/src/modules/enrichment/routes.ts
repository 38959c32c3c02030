import type { Context } from '../../context.ts'
import { rankValues } from '@contentflow/core/imports/rank-values.ts'
import type { ImportSource } from '@contentflow/core/imports/priorities.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { Deleted, EnvironmentAsked, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { UserParams } from '../../http/path-ids.ts'
import { findOwnEnvironment, findPerson } from '../people/index.ts'
import { PersonValuesSchema, presentSource, PreviewSchema, PrioritiesBody, RankingSchema, SourceBody, SourceSchema } from './present.ts'
import { previewPriorities, rankingOf, setPriorities } from './priorities.ts'
import { findOverrides, findPriorities } from './queries-priorities.ts'
import * as queries from './queries-sources.ts'
import { listSaid } from './queries-values.ts'
import { importRoutes } from './routes-imports.ts'
import { uploadRoutes } from './routes-uploads.ts'
import { changeSource, createSource } from './sources.ts'

const route = routeIn('Data')
const SourceParams = pathOf({ sourceId: 'The id of the source' })

/** Saved mappings (M-SRC, G-48). */
function sourceRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/enrichment/sources',
    route({
      id: 'listDataSources',
      auth: 'member',
      permission: 'imports:read',
      summary: 'Saved mappings, by name',
      description: 'Lists mappings that imports may begin with: which column means what, and whom rows name.',
      query: PageQuery,
      out: Page('sources', SourceSchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      return page('sources', await queries.pageSources(ctx.db, memberCaller(request).workspaceId, { after: cursor, limit }), presentSource)
    },
  )
  app.get(
    '/enrichment/sources/:sourceId',
    route({
      id: 'getDataSource',
      auth: 'member',
      permission: 'imports:read',
      summary: 'A saved mapping',
      description: 'Answers one mapping with its columns and how rows name people.',
      params: SourceParams,
      out: Ok(SourceSchema),
    }),
    async (request) => ok(presentSource(await queries.getSource(ctx.db, memberCaller(request).workspaceId, request.params.sourceId))),
  )
  app.post(
    '/enrichment/sources',
    route({
      id: 'createDataSource',
      auth: 'member',
      permission: 'imports:write',
      summary: 'Save a mapping under a name',
      description: 'Saves which column means what and whom rows name, for files that come again.',
      body: SourceBody,
      out: { 201: Ok(SourceSchema) },
      bodyLimit: BODY_BYTES.mapping,
    }),
    async (request, reply) => reply.code(201).send(ok(presentSource(await createSource(ctx, actorOf(request), objectBody(request))))),
  )
  app.put(
    '/enrichment/sources/:sourceId',
    route({
      id: 'updateDataSource',
      auth: 'member',
      permission: 'imports:write',
      summary: 'Change a saved mapping; what is left out stays',
      description: 'Changes the mapping for imports that begin from then on; values that were imported with it stay as they are.',
      params: SourceParams,
      body: Type.Partial(SourceBody),
      out: Ok(SourceSchema),
      bodyLimit: BODY_BYTES.mapping,
    }),
    async (request) => {
      const { sourceId } = request.params
      await queries.getSource(ctx.db, memberCaller(request).workspaceId, sourceId)
      return ok(presentSource(await changeSource(ctx, actorOf(request), sourceId, objectBody(request))))
    },
  )
  app.delete(
    '/enrichment/sources/:sourceId',
    route({
      id: 'deleteDataSource',
      auth: 'member',
      permission: 'imports:manage',
      summary: 'Delete a saved mapping; what was imported with it stays',
      description: 'Deletes the mapping. Values that were imported with it stay.',
      params: SourceParams,
      out: Deleted,
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await queries.getSource(ctx.db, workspaceId, request.params.sourceId)
      await ctx.change({ ...actorOf(request), isBrief: true }, ({ tx }) => queries.deleteSource(tx, workspaceId, id))
      return ok({ deleted: true as const })
    },
  )
}

/** Which source wins (M-PRIO, G-49). */
function priorityRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/enrichment/source-priorities',
    route({
      id: 'getSourcePriorities',
      auth: 'member',
      permission: 'imports:read',
      summary: 'Which source wins',
      description: 'Answers the kinds of sources in the order in which their values win where several say something of one person.',
      out: Ok(RankingSchema),
    }),
    async (request) => ok(rankingOf(await findOverrides(ctx.db, memberCaller(request).workspaceId))),
  )
  app.put(
    '/enrichment/source-priorities',
    route({
      id: 'setSourcePriorities',
      auth: 'member',
      permission: 'imports:manage',
      summary:
        'Set which source wins; sources left out go by their defaults. In a large workspace values and segments follow within a minute',
      description: 'Changes the order in which sources win. No value is lost: of each person the one of the best source holds.',
      body: PrioritiesBody,
      out: Ok(RankingSchema),
    }),
    async (request) => ok(await setPriorities(ctx, actorOf(request), objectBody(request))),
  )
  app.post(
    '/enrichment/source-priorities/preview',
    route({
      id: 'previewSourcePriorities',
      auth: 'member',
      permission: 'imports:manage',
      isRead: true,
      summary: 'Who would have another value with this ranking; nothing is changed',
      description: 'Counts for each attribute how many people would have another value with this order, with examples.',
      body: PrioritiesBody,
      out: Ok(PreviewSchema),
    }),
    async (request) => ok(await previewPriorities(ctx, memberCaller(request).workspaceId, objectBody(request))),
  )
}

function personRoute(app: Routes, ctx: Context): void {
  app.get(
    '/users/:userId/enrichment',
    route({
      id: 'listDataOfPerson',
      auth: 'member',
      permission: 'people:enrichment',
      summary: 'What was loaded of a person: where each value is from, and which holds',
      description: 'Answers every value that was loaded of one person with its source and time, and which of them holds.',
      params: UserParams,
      query: Type.Object({ environment: EnvironmentAsked }),
      out: Ok(PersonValuesSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const profile = (await findPerson(ctx.db, workspaceId, environment, request.params.userId)) ?? failWith(404, 'person not found')
      const said = await listSaid(ctx.db, workspaceId, profile.id)
      const ranked = rankValues(said, await findPriorities(ctx.db, workspaceId), ctx.clock.now())
      return ok({
        values: ranked.map(({ value: { name, value, source, upload_id, label, loaded_at, expires_at }, standing }) => ({
          name,
          value,
          source: source as ImportSource,
          label,
          standing,
          jobRef: label === null ? null : upload_id,
          loadedAt: loaded_at,
          expiresAt: expires_at,
        })),
      })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    importRoutes(app, ctx)
    uploadRoutes(app, ctx)
    sourceRoutes(app, ctx)
    priorityRoutes(app, ctx)
    personRoute(app, ctx)
  },
}
