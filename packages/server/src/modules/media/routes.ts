import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { publicUrl } from '../../http/public-url.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { changeAsset, deleteAsset, listUses } from './change-asset.ts'
import type { Library } from './library.ts'
import { AssetPageSchema, AssetSchema, ChangeBody, FinalizeBody, presentAsset, UploadBody, UploadSchema } from './present.ts'
import * as queries from './queries.ts'
import { fileRoutes } from './routes-files.ts'
import { beginUpload, finalizeUpload } from './upload.ts'

const route = routeIn('Content library')
const Params = pathOf({ id: 'The id of the file' })

/** M-CONT, G-62. */
function uploadRoutes(app: Routes, ctx: Context, library: Library): void {
  app.post(
    '/content/generate-upload-url',
    route({
      id: 'createUploadAddress',
      auth: 'member',
      permission: 'media:write',
      summary: 'An address to upload a file to',
      description:
        'Begins an upload: answers an address to which the file is sent by PUT with the named headers, and until when. Then call POST /content/finalize-upload. Types other than those of pictures, videos, sounds and documents that the library takes are 400 with the list.',
      body: UploadBody,
      out: { 201: Ok(UploadSchema) },
      refuses: ['LIBRARY_FULL'],
    }),
    async (request, reply) => {
      const { contentId, url, type, expiresAt } = await beginUpload(ctx, library, actorOf(request), bodyOf(request))
      const uploadUrl = url.startsWith('/') ? publicUrl(ctx, request) + url : url
      return reply.code(201).send(ok({ contentId, uploadUrl, method: 'PUT' as const, headers: { 'content-type': type }, expiresAt }))
    },
  )
  app.post(
    '/content/finalize-upload',
    route({
      id: 'finalizeUpload',
      auth: 'member',
      permission: 'media:write',
      summary: 'Take what was uploaded into the library',
      description:
        'Looks at the file that was sent and adds it to the library. A file that is not what its type says is refused. Calling it again answers the same.',
      body: FinalizeBody,
      out: Ok(AssetSchema),
      refuses: ['LIBRARY_FULL'],
    }),
    async (request) => {
      const asset = await finalizeUpload(ctx, library, actorOf(request), bodyOf(request).contentId)
      return ok(presentAsset(asset, publicUrl(ctx, request)))
    },
  )
}

function listRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/content',
    route({
      id: 'listFiles',
      auth: 'member',
      permission: 'media:read',
      summary: 'Files of the library, newest first',
      description:
        'Lists files with their durable address, size and texts. `search` finds part of the name or of a text, `kind` keeps pictures, videos, sounds or others.',
      query: Type.Object({
        ...PageQuery.properties,
        search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name, or of a text for who does not see it' })),
        kind: Type.Optional(Type.Enum(['image', 'video', 'audio', 'other'], { description: 'Only files of this kind' })),
      }),
      out: Page('content', AssetSchema),
    }),
    async (request) => {
      const { limit, cursor, search, kind } = queryOf(request)
      const found = await queries.pageAssets(ctx.db, memberCaller(request).workspaceId, { search, type: kind }, { after: cursor, limit })
      return page('content', found, (asset) => presentAsset(asset, publicUrl(ctx, request)))
    },
  )
}

function assetRoutes(app: Routes, ctx: Context, library: Library): void {
  const presentWithUses = async (asset: queries.Asset, base: string) => {
    return ok({ ...presentAsset(asset, base), usedBy: await listUses(ctx.db, asset.workspace_id, asset.id) })
  }
  app.get(
    '/content/:id',
    route({
      id: 'getFile',
      auth: 'member',
      permission: 'media:read',
      summary: 'A file, and where it is used',
      description: 'Answers one file with its durable address and the instances and campaigns that use it.',
      params: Params,
      out: Ok(AssetPageSchema),
    }),
    async (request) => {
      const asset = await queries.getAsset(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return presentWithUses(asset, publicUrl(ctx, request))
    },
  )
  app.put(
    '/content/:id',
    route({
      id: 'updateFile',
      auth: 'member',
      permission: 'media:write',
      summary: 'Change what is said about a file; members left out stay',
      description: 'Changes name and the texts for people who do not see the file.',
      params: Params,
      body: ChangeBody,
      out: Ok(AssetPageSchema),
    }),
    async (request) => {
      const of = actorOf(request)
      const { id } = await queries.getAsset(ctx.db, of.workspaceId, request.params.id)
      return presentWithUses(await changeAsset(ctx, of, id, bodyOf(request)), publicUrl(ctx, request))
    },
  )
  app.delete(
    '/content/:id',
    route({
      id: 'deleteFile',
      auth: 'member',
      permission: 'media:write',
      summary: 'Delete a file',
      description:
        'Deletes a file. One in use is refused with FILE_IN_USE, unless `force` is sent, which takes it from what is live and may need approval rights.',
      params: Params,
      query: Type.Object({ force: Type.Optional(Type.Boolean({ description: 'Also while instances use it' })) }),
      out: Deleted,
      refuses: ['FILE_IN_USE', 'APPROVAL_NEEDED'],
    }),
    async (request) => {
      const of = actorOf(request)
      const { id } = await queries.getAsset(ctx.db, of.workspaceId, request.params.id)
      await deleteAsset(ctx, library, of, id, { isForced: queryOf(request).force ?? false })
      return ok({ deleted: true as const })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context; library: Library }> = {
  management: (app, { ctx, library }) => {
    uploadRoutes(app, ctx, library)
    listRoutes(app, ctx)
    assetRoutes(app, ctx, library)
    fileRoutes(app, ctx, library)
  },
}
