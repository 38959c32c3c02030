import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { replacedTextsOf } from '../../http/bodies/replaced-texts.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Ok, Page, PageQuery, queryOf } from '../../http/schema.ts'
import { rerunUpload, rollBackUpload, uploadRecords } from './change-upload.ts'
import { presentUpload, RollBackSchema, UploadBody, UploadPageSchema, UploadSchema } from './present.ts'
import * as queries from './queries-uploads.ts'

const Params = pathOf({ jobRef: 'What the upload was answered with' })
const route = routeIn('Data')
const presentPage = (upload: queries.Upload) => ({ ...presentUpload(upload), errors: upload.errors })

/** Simple uploads and the history of both kinds (M-ENR-75 to M-ENR-91, G-47). */
export function uploadRoutes(app: Routes, ctx: Context): void {
  readingRoutes(app, ctx)
  app.post(
    '/enrichment/upload',
    route({
      id: 'uploadAttributes',
      auth: 'member',
      permission: 'imports:write',
      summary: 'Load attributes of people by their user ids',
      description:
        'Writes attributes for people who are known by their user ids, at once and without a dry run. Rows that are wrong or name nobody are listed. DELETE /enrichment/uploads/{jobRef} takes the whole load back.',
      body: UploadBody,
      out: { 201: Ok(UploadPageSchema) },
      bodyLimit: BODY_BYTES.importRows,
    }),
    async (request, reply) =>
      reply
        .code(201)
        .send(ok({ ...presentPage(await uploadRecords(ctx, actorOf(request), objectBody(request))), ...replacedTextsOf(request) })),
  )
  app.delete(
    '/enrichment/uploads/:jobRef',
    route({
      id: 'takeBackDataUpload',
      auth: 'member',
      permission: 'imports:manage',
      summary: 'Take back every value that this load wrote; those of other loads come back into effect',
      description: 'Removes what one load wrote. Where another load said something of the same attribute, its value holds again.',
      params: Params,
      out: Ok(RollBackSchema),
    }),
    async (request) => {
      const { id, value_count } = await rollBackUpload(ctx, actorOf(request), request.params.jobRef)
      return ok({ jobRef: id, status: 'rolled_back' as const, removedValues: value_count })
    },
  )
  app.post(
    '/enrichment/uploads/:jobRef/rerun',
    route({
      id: 'rerunDataUpload',
      auth: 'member',
      permission: 'imports:manage',
      summary: 'Write a simple upload once more',
      description: 'Writes the rows of a simple upload again as a load of its own, for example after it was taken back.',
      params: Params,
      out: { 201: Ok(UploadPageSchema) },
    }),
    async (request, reply) => {
      const upload = await rerunUpload(ctx, actorOf(request), request.params.jobRef)
      return reply.code(201).send(ok(presentPage(upload)))
    },
  )
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/enrichment/uploads',
    route({
      id: 'listDataUploads',
      auth: 'member',
      permission: 'imports:read',
      summary: 'What was loaded, newest first',
      description: 'Lists loads of both kinds, simple uploads and imports, with their counts and whether they were taken back.',
      query: PageQuery,
      out: Page('uploads', UploadSchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      return page('uploads', await queries.pageUploads(ctx.db, memberCaller(request).workspaceId, { before: cursor, limit }), presentUpload)
    },
  )
  app.get(
    '/enrichment/uploads/:jobRef',
    route({
      id: 'getDataUpload',
      auth: 'member',
      permission: 'imports:read',
      summary: 'One load, with its first errors',
      description: 'Answers one load with its counts and the first rows that were not taken.',
      params: Params,
      out: Ok(UploadPageSchema),
    }),
    async (request) => ok(presentPage(await queries.getUpload(ctx.db, memberCaller(request).workspaceId, request.params.jobRef))),
  )
}
