import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { ok, page, partial } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Ok, Page, PageQuery, Partial, queryOf, Type } from '../../http/schema.ts'
import { findOwnEnvironment } from '../people/index.ts'
import { listAffectedSegments, type AffectedSegment } from '../segments/index.ts'
import { cancelImport, commitImport, matchImport, stageChunk, startImport, statusAt } from './change-import.ts'
import {
  CommitBody,
  ImportSchema,
  ImportSummarySchema,
  presentImport,
  presentImportPage,
  RejectedSchema,
  RowsBody,
  StagingSchema,
  StartBody,
  StatusSchema,
} from './present.ts'
import * as queries from './queries-imports.ts'
import { listRows } from './queries-rows.ts'
import { fileTurns, stageFile } from './file/stage.ts'

const Params = pathOf({ id: 'The id of the import' })
/** A whole file's rejected rows are read in a few pages. */
const RejectedQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: LIMITS.enrichmentChunkRows, default: LIMITS.pageSize, description: 'Entries on one page' }),
  cursor: PageQuery.properties.cursor,
})
const route = routeIn('Data')

/** Staged imports (M-ENR-01 to M-ENR-74, G-46). */
export function importRoutes(app: Routes, ctx: Context): void {
  readingRoutes(app, ctx)
  takingRoutes(app, ctx)
  app.register(async (scope) => {
    // The bytes are not read by the parser of bodies: they go to the disk as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    fileRoute(scope.withTypeProvider(), ctx)
  })
  workRoutes(app, ctx)
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/enrichment/imports',
    route({
      id: 'listDataImports',
      auth: 'member',
      permission: 'imports:read',
      summary: 'Staged imports, newest first',
      description:
        'Lists imports with their state and counts: those that are being staged, that wait to be written, and those that are over.',
      query: PageQuery,
      out: Page('imports', ImportSummarySchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      const found = await queries.pageImports(ctx.db, memberCaller(request).workspaceId, { before: cursor, limit })
      return page('imports', found, (held) => presentImport(held, statusAt(held, ctx.clock.now())))
    },
  )
  app.get(
    '/enrichment/imports/:id',
    route({
      id: 'getDataImport',
      auth: 'member',
      permission: 'imports:read',
      summary: 'How far an import is; once it is ready, what it would do',
      description:
        'Answers the state of one import. Once it is ready: whom the rows match, a sample with identities masked, and the segments it would change.',
      params: Params,
      out: Ok(ImportSchema),
    }),
    async (request) => ok(await readImport(ctx, request)),
  )
  app.get(
    '/enrichment/imports/:id/rejected',
    route({
      id: 'listRejectedRows',
      auth: 'member',
      permission: 'imports:read',
      summary: 'Rows that are not taken, and why, in the order of the file',
      description: 'Lists rows with the reason why they are not taken; what identifies a person is masked.',
      params: Params,
      query: RejectedQuery,
      out: Page('rows', RejectedSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id, staged, found } = await queries.getImport(ctx.db, workspaceId, request.params.id)
      const { limit, cursor = '0' } = queryOf(request)
      const rows = await listRows(ctx.db, workspaceId, id, { after: Number(cursor), limit: limit + 1, isRejected: true })
      const items = rows.slice(0, limit)
      const total = staged.rejected + (found?.duplicate_identity ?? 0) + (found?.ambiguous_identity ?? 0)
      const next = rows.length > limit ? String(items.at(-1)?.row) : null
      return page('rows', { items, next, total }, ({ row, reason, mask }) => ({ row, reason: reason ?? '', identifier: mask }))
    },
  )
}

async function readImport(ctx: Context, request: FastifyRequest<{ Params: { id: string } }>) {
  const { workspaceId } = memberCaller(request)
  const held = await queries.getImport(ctx.db, workspaceId, request.params.id)
  const status = statusAt(held, ctx.clock.now())
  // What was taken back goes bit by bit.
  const hasSample = held.found && status !== 'cancelled'
  const sample = hasSample
    ? await listRows(ctx.db, workspaceId, held.id, { after: 0, limit: LIMITS.enrichmentSample, isRejected: false })
    : []
  return presentImportPage(held, status, sample, status === 'ready' ? await listAffected(ctx, held) : undefined)
}

/** Who is in a segment of the workspace is not decided by people of the other environment. */
async function listAffected(ctx: Context, { workspace_id, environment, mapping }: queries.Import): Promise<AffectedSegment[]> {
  if (environment !== (await findOwnEnvironment(ctx.db, workspace_id))) return []
  const fields = new Set(mapping.columns.filter(({ include }) => include).map(({ name }) => `enrichment.${name}`))
  return listAffectedSegments(ctx, workspace_id, fields)
}

function takingRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/enrichment/imports',
    route({
      id: 'createDataImport',
      auth: 'member',
      permission: 'imports:write',
      summary: 'Begin an import: its headings and what they mean',
      description: 'Opens an import with its headings and their meaning. Rows follow by POST …/rows or …/file, then …/match and …/commit.',
      body: StartBody,
      out: { 201: Ok(ImportSchema) },
      bodyLimit: BODY_BYTES.mapping,
    }),
    async (request, reply) => {
      const held = await startImport(ctx, actorOf(request), objectBody(request))
      return reply.code(201).send(ok(presentImportPage(held, held.status, [])))
    },
  )
  app.post(
    '/enrichment/imports/:id/rows',
    route({
      id: 'addImportRows',
      auth: 'member',
      permission: 'imports:write',
      summary: `Up to ${LIMITS.enrichmentChunkRows} rows; sending them again changes nothing`,
      description: 'Stages rows under their numbers in the file. Rows with numbers that were sent before replace nothing.',
      params: Params,
      body: RowsBody,
      out: Ok(StagingSchema),
      bodyLimit: BODY_BYTES.importRows,
    }),
    async (request) => ok(await stageChunk(ctx, actorOf(request), request.params.id, objectBody(request))),
  )
}

function fileRoute(app: Routes, ctx: Context): void {
  const turns = fileTurns()
  app.post(
    '/enrichment/imports/:id/file',
    route({
      id: 'uploadImportFile',
      isRepeatable: true,
      auth: 'member',
      permission: 'imports:write',
      summary:
        `All rows at once, as a CSV of up to ${LIMITS.peopleImportRows} rows and ${LIMITS.enrichmentFileBytes} bytes: ` +
        'the body, or a file in a form, with Content-Encoding: gzip where it is packed. Its first line has the headings of the import',
      description:
        'Stages the whole file while it is being sent. 429 when many files are being read already, and 503 with Retry-After while there is no space for it.',
      params: Params,
      out: Ok(StagingSchema),
      alsoAnswers: [429],
      bodyLimit: LIMITS.enrichmentFileBytes,
    }),
    async (request) => ok(await stageFile(ctx, turns, actorOf(request), request.params.id, request.raw)),
  )
}

function workRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/enrichment/imports/:id/match',
    route({
      id: 'matchDataImport',
      auth: 'member',
      permission: 'imports:write',
      summary: 'Find out whom the rows are about: the dry run',
      description:
        'Looks in the background for the people whom the rows name and answers 202. Nothing of people changes; GET /enrichment/imports/{id} has the outcome.',
      params: Params,
      out: { 202: Ok(StatusSchema) },
    }),
    async (request, reply) => {
      const { id } = request.params
      return reply.code(202).send(ok({ importId: id, status: await matchImport(ctx, actorOf(request), id) }))
    },
  )
  app.post(
    '/enrichment/imports/:id/commit',
    route({
      id: 'commitDataImport',
      auth: 'member',
      permission: 'imports:write',
      summary: 'Write what matched',
      description:
        'Writes the values of rows that matched, in the background, and answers 202. A workspace whose plan does not cover that many people gets 200 with UPGRADE_REQUIRED, and nothing is stored.',
      params: Params,
      body: CommitBody,
      out: { 200: Partial(Type.Object({})), 202: Ok(StatusSchema) },
      refuses: ['UPGRADE_REQUIRED'],
    }),
    async (request, reply) => {
      const { id } = request.params
      await queries.getImport(ctx.db, memberCaller(request).workspaceId, id)
      const status = await commitImport(ctx, actorOf(request), id, objectBody(request))
      return status ? reply.code(202).send(ok({ importId: id, status })) : reply.code(200).send(partial('UPGRADE_REQUIRED'))
    },
  )
  app.delete(
    '/enrichment/imports/:id',
    route({
      id: 'abandonDataImport',
      auth: 'member',
      permission: 'imports:write',
      summary: 'Give an import up; its rows go',
      description:
        'Deletes the staged rows of an import that was not written. What was written is taken back by DELETE /enrichment/uploads/{jobRef} instead.',
      params: Params,
      out: Ok(StatusSchema),
    }),
    async (request) => {
      const { id } = request.params
      return ok({ importId: id, status: await cancelImport(ctx, actorOf(request), id) })
    },
  )
}
