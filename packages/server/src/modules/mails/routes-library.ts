/** The library of mails: templates to begin with, and parts that mails share (decision 70). */
import { galleryOf } from '@contentflow/core/mail/gallery/gallery.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { shortPage } from '../../http/short-list.ts'
import { archiveMail, changeMail, createMail, restoreMail } from './library.ts'
import {
  GalleryEntrySchema,
  LibraryMailSchema,
  ListedMailSchema,
  ListQuery,
  MailChangeBody,
  MailRevisionSchema,
  NewMailBody,
  presentListed,
  presentMail,
  WholeRevisionSchema,
} from './present-library.ts'
import { findBrand } from './queries-brand.ts'
import { findMail, findRevision, listMails, listRevisions, type LibraryMail } from './queries-library.ts'

const route = routeIn('Mails')
const Params = pathOf({ id: 'The id of the mail or part' })
const RevisionParams = pathOf({ id: 'The id of the mail or part', number: 'The version' })

export function libraryRoutes(app: Routes, ctx: Context): void {
  listRoutes(app, ctx)
  readingRoutes(app, ctx)
  writingRoutes(app, ctx)
  archiveRoutes(app, ctx)
}

function listRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/mails',
    route({
      id: 'listMails',
      auth: 'member',
      permission: 'messages:read',
      summary: 'Mails and parts that the workspace keeps, by name, without what they say',
      description: 'Lists saved mails and parts with their kind, category and version. `state=archived` lists what was archived instead.',
      query: ListQuery,
      out: Page('mails', ListedMailSchema),
    }),
    async (request) => {
      const query = queryOf(request)
      const all = await listMails(ctx.db, memberCaller(request).workspaceId)
      const found = all.filter(
        ({ kind, category, archivedAt }) =>
          (query.kind === undefined || query.kind === kind) &&
          (query.category === undefined || query.category === category) &&
          (query.state === 'archived') === (archivedAt !== null),
      )
      return page(
        'mails',
        shortPage(found, query, ({ id }) => id),
        presentListed,
      )
    },
  )
  app.get(
    '/mails/gallery',
    route({
      id: 'getMailGallery',
      auth: 'member',
      permission: 'messages:read',
      summary: 'Templates that every workspace may begin with, in English and Arabic, in the colours of its brand',
      description: 'Answers ready mails of sections to begin with; nothing is stored by choosing one.',
      out: Ok(Type.Object({ templates: Type.Array(GalleryEntrySchema) })),
    }),
    async (request) => ok({ templates: galleryOf(await findBrand(ctx.db, memberCaller(request).workspaceId)) }),
  )
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/mails/:id',
    route({
      id: 'getMail',
      auth: 'member',
      permission: 'messages:read',
      summary: 'One of them; the ETag is its version',
      description: 'Answers one saved mail or part with its whole document. Send the ETag as If-Match with the next change.',
      sends: ['ETag'],
      params: Params,
      out: Ok(LibraryMailSchema),
    }),
    async (request, reply) => send(reply, await existing(ctx, request)),
  )
  app.get(
    '/mails/:id/revisions',
    route({
      id: 'listMailRevisions',
      auth: 'member',
      permission: 'messages:read',
      summary: 'Versions in which it said something else, the newest first',
      description: 'Lists the versions with who saved them and when, without what they say.',
      params: Params,
      query: PageQuery,
      out: Page('revisions', MailRevisionSchema),
    }),
    async (request) => {
      const { id } = await existing(ctx, request)
      const all = await listRevisions(ctx.db, memberCaller(request).workspaceId, id)
      return page(
        'revisions',
        shortPage(all, queryOf(request), ({ version }) => String(version)),
        (each) => each,
      )
    },
  )
  app.get(
    '/mails/:id/revisions/:number',
    route({
      id: 'getMailRevision',
      auth: 'member',
      permission: 'messages:read',
      summary: 'What it said in one version',
      description: 'Answers the document of one version, to look at or to save again.',
      params: RevisionParams,
      out: Ok(WholeRevisionSchema),
    }),
    async (request) => {
      const { id } = await existing(ctx, request)
      const { number } = request.params
      const version = /^\d{1,9}$/.test(number) ? Number(number) : failWith(404, 'revision not found')
      const found = await findRevision(ctx.db, memberCaller(request).workspaceId, id, version)
      return ok(found ?? failWith(404, 'revision not found'))
    },
  )
}

function writingRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/mails',
    route({
      id: 'createMail',
      auth: 'member',
      permission: 'messages:write',
      summary: 'Keep a mail, or a part of mails',
      description:
        'Saves a mail or part under a name. What campaigns and journeys made of it is a copy: later changes do not reach what was submitted.',
      sends: ['ETag'],
      body: NewMailBody,
      out: { 201: Ok(LibraryMailSchema) },
      bodyLimit: BODY_BYTES.campaign,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'MAIL_LIMIT', 'MAIL_NAME_TAKEN', 'WORKSPACE_FULL'],
    }),
    async (request, reply) => {
      const mail = await createMail(ctx, actorOf(request), bodyOf(request))
      return reply
        .code(201)
        .header('etag', `"${mail.version}"`)
        .send(ok(presentMail(mail)))
    },
  )
  app.put(
    '/mails/:id',
    route({
      id: 'changeMail',
      auth: 'member',
      permission: 'messages:write',
      summary: 'Change it; members left out stay',
      description:
        'Changes name, category or document. A part that drafts use is shown in them at once; what was submitted keeps what it had. An archived one is restored first.',
      sends: ['ETag'],
      params: Params,
      headers: IfMatch,
      body: MailChangeBody,
      out: Ok(LibraryMailSchema),
      bodyLimit: BODY_BYTES.campaign,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'MAIL_ARCHIVED', 'MAIL_NAME_TAKEN', 'VERSION_CHANGED', 'WORKSPACE_FULL'],
    }),
    async (request, reply) => {
      const { id } = await existing(ctx, request)
      return send(reply, await changeMail(ctx, actorOf(request), id, bodyOf(request), expectedVersion(request)))
    },
  )
}

function archiveRoutes(app: Routes, ctx: Context): void {
  app.delete(
    '/mails/:id',
    route({
      id: 'archiveMail',
      auth: 'member',
      permission: 'messages:write',
      summary: 'Archive it: nobody begins a mail with it, and what was submitted with it keeps it',
      description: 'Takes it off the list. Nothing that was made with it changes, and POST /mails/{id}/restore brings it back.',
      params: Params,
      headers: IfMatch,
      out: Deleted,
      refuses: ['VERSION_CHANGED'],
    }),
    async (request) => {
      await archiveMail(ctx, actorOf(request), request.params.id, expectedVersion(request))
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/mails/:id/restore',
    route({
      id: 'restoreMail',
      auth: 'member',
      permission: 'messages:write',
      summary: 'Take it out of the archive',
      description: 'Puts it back on the list under its name, unless another one has that name by now.',
      sends: ['ETag'],
      params: Params,
      headers: IfMatch,
      out: Ok(LibraryMailSchema),
      refuses: ['MAIL_NAME_TAKEN', 'VERSION_CHANGED'],
    }),
    async (request, reply) => send(reply, await restoreMail(ctx, actorOf(request), request.params.id, expectedVersion(request))),
  )
}

async function existing({ db }: Context, request: FastifyRequest<{ Params: { id: string } }>): Promise<LibraryMail> {
  return (await findMail(db, memberCaller(request).workspaceId, request.params.id)) ?? failWith(404, 'mail not found')
}

function send(reply: FastifyReply, mail: LibraryMail) {
  return reply.header('etag', `"${mail.version}"`).send(ok(presentMail(mail)))
}
