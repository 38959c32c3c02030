/** Routes without a credential: the durable address of a file and, where files are in a folder, the signed addresses that it leads to. */
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Ok, queryOf, Type } from '../../http/schema.ts'
import { publicUrl } from '../../http/public-url.ts'
import { drainRequest } from '../../http/bodies/receive-file.ts'
import { isGranted, type SignedQuery } from './folder-store.ts'
import type { Library } from './library.ts'
import { findAddress } from './read-file.ts'
import { ANYBODY, sendFile } from './transfer.ts'
import { takeUpload } from './upload.ts'

const route = routeIn('Content library')
const Params = pathOf({ id: 'The id of the file' })
const Signed = Type.Object({
  object: Type.Optional(Type.String({ description: 'Which of the file’s objects' })),
  expires: Type.Optional(Type.String({ description: 'Until when the address is signed' })),
  type: Type.Optional(Type.String({ description: 'The type it is sent with' })),
  as: Type.Optional(Type.String({ description: 'The name under which it is saved' })),
  signature: Type.Optional(Type.String({ description: 'What the server signed the address with' })),
})
export function fileRoutes(app: Routes, ctx: Context, library: Library): void {
  app.get(
    '/content/:id/raw',
    route({
      id: 'openFile',
      auth: 'none',
      summary: 'A file, by its durable address: leads to where its bytes are just now',
      description:
        'Leads to where the bytes of the file are for some minutes. The address itself stays and needs no key, so that it can stand in content. Unknown files are 404.',
      sends: ['Location'],
      params: Params,
      query: Type.Object({
        w: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 100_000,
            description: `A picture no wider than needed, in steps of ${LIMITS.pictureWidth.step} up to ${LIMITS.pictureWidth.max} pixels, as AVIF or WebP`,
          }),
        ),
      }),
      out: { 302: Type.Null() },
    }),
    async (request, reply) => {
      const { w } = queryOf(request)
      const takesAvif = (request.headers.accept ?? '').includes('image/avif')
      const address = await findAddress(ctx, library, request.params.id, { width: w, takesAvif })
      void reply.headers({ ...ANYBODY, 'cache-control': 'no-cache', vary: 'Accept' })
      return reply.redirect(address.startsWith('/') ? publicUrl(ctx, request) + address : address, 302)
    },
  )
  app.get(
    '/content/:id/file',
    route({
      id: 'downloadFile',
      auth: 'none',
      summary: 'The bytes of a file in the folder store; only by a signed address',
      description:
        'Answers the bytes at an address that GET /content/{id}/raw led to. Ranges are answered with 206. An address that is not signed or is over is 403.',
      sends: ['ETag', 'Content-Disposition'],
      alsoAnswers: [206, 304],
      params: Params,
      query: Signed,
    }),
    async (request, reply) => {
      const { id } = request.params
      await checkGrant(ctx, library, 'GET', id, request.query)
      return sendFile(request, reply, library.folder ?? '', id, request.query)
    },
  )
  app.register(async (scope) => {
    // The bytes are not read by the parser of bodies: they go to the disk as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    uploadRoute(scope.withTypeProvider(), ctx, library)
  })
}

function uploadRoute(app: Routes, ctx: Context, library: Library): void {
  app.put(
    '/content/:id/upload',
    route({
      id: 'uploadFile',
      auth: 'none',
      summary: 'Takes the bytes of a file; only by a signed address',
      description:
        'Takes the bytes at the address that POST /content/generate-upload-url gave. An address that is not signed or is over is 403; nothing is in the library before POST /content/finalize-upload.',
      params: Params,
      query: Signed,
      out: Ok(Type.Object({ size: Type.Integer() })),
      bodyLimit: LIMITS.mediaBytes,
      refuses: ['WORKSPACE_SUSPENDED', 'LIBRARY_FULL'],
    }),
    async (request) => {
      const { id } = request.params
      try {
        await checkGrant(ctx, library, 'PUT', id, request.query)
        return { success: true as const, data: { size: await takeUpload(ctx, library, id, request.raw) } }
      } catch (error) {
        drainRequest(request.raw, LIMITS.mediaBytes)
        throw error
      }
    },
  )
}

async function checkGrant({ clock }: Context, library: Library, method: 'PUT' | 'GET', id: string, query: SignedQuery): Promise<void> {
  if (library.folder === undefined) failWith(404, 'file not found')
  if (!isGranted(method, id, query, await library.secret(), clock.ms())) failWith(403, 'This address is not signed, or is over')
}
