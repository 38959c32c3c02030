import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { etagOf, matchesEtag } from '../../http/answers/etag.ts'
import { ok } from '../../http/answers/envelope.ts'
import { appCaller } from '../../http/callers/auth.ts'
import { deviceIdOf, headerDeviceId } from '../../http/callers/device-id.ts'
import { pathOf, LanguageHeader, KnownTag } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, queryOf, Type } from '../../http/schema.ts'
import { changeInboxItem, readAllInbox, readInbox } from './inbox.ts'
import { INBOX_STATES } from './queries-inbox.ts'

const route = routeIn('Inbox')

const deviceId = Type.Optional(Type.String({ description: 'As X-CF-Device, which wins' }))
const WriteHeaders = Type.Object({
  'x-cf-device': Type.Optional(Type.String({ description: 'The installation; or deviceId in the body' })),
})
const text = Nullable(Type.String())
const Item = Type.Object({
  id: Type.String(),
  title: text,
  body: text,
  image: text,
  button: Nullable(Type.Object({ label: Type.String(), url: Type.String() })),
  createdAt: Type.String(),
  readAt: text,
  archivedAt: text,
  campaignId: Type.Optional(Type.String()),
  journeyId: Type.Optional(Type.String()),
})
const count = {
  unread: Type.Integer({ description: `Neither read nor archived; ${LIMITS.inboxUnread}: so many or more` }),
  revision: Type.Integer({
    description: 'Grows with every change of the inbox of this person: of two answers the one with the smaller number is the older',
  }),
}

/** The inbox of the person behind an installation (decision 68). */
function inboxRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/inbox',
    route({
      id: 'readInbox',
      auth: 'app',
      summary: 'The messages of the person on this installation, the newest first; whoever is not identified has none',
      description:
        'Answers one page of the inbox of the person behind the installation, in the language asked for, with the number of unread messages. An installation that is not known, or whose person did not agree, has an empty inbox. Of two answers the one with the larger `revision` is the newer.',
      sends: ['ETag'],
      headers: Type.Object({
        'x-cf-device': Type.String({ description: 'The id of the installation' }),
        'accept-language': LanguageHeader,
        'if-none-match': KnownTag,
      }),
      query: Type.Object({
        state: Type.Enum([...INBOX_STATES], { default: 'all', description: 'all: what is not archived' }),
        cursor: Type.Optional(Type.String({ description: '`metadata.nextCursor` of the page before; without it the first page' })),
        locale: Type.Optional(Type.String({ examples: ['ar'], description: 'Comes before the first tag of Accept-Language' })),
      }),
      out: {
        200: Type.Object({
          ...Ok(Type.Object({ items: Type.Array(Item), ...count })).properties,
          metadata: Type.Object({ nextCursor: Nullable(Type.String()) }),
        }),
        304: Type.Null(),
      },
    }),
    async (request, reply) => {
      const caller = appCaller(request)
      const device = headerDeviceId(request)
      const { state, cursor, locale } = queryOf(request)
      const acceptLanguage = request.headers['accept-language']
      const { items, unread, revision, next } = await readInbox(ctx, caller, device, { state, cursor, locale, acceptLanguage })
      const answer = { ...ok({ items, unread, revision }), metadata: { nextCursor: next } }
      const etag = etagOf(`${caller.environment} ${device}`, JSON.stringify(answer))
      void reply
        .header('etag', etag)
        .header('cache-control', 'private, no-cache')
        .header('vary', 'X-CF-Key, X-API-Key, X-CF-Device, Accept-Language')
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined as never)
      return answer
    },
  )
  app.post(
    '/inbox/read-all',
    route({
      id: 'readWholeInbox',
      auth: 'app',
      summary: 'Mark as read what the person could see: everything that had come when this message had',
      description:
        'Marks as read every message that had come when the one in `upTo` had, so that what arrived while the list was open stays unread. The person’s other installations are told. 404 when `upTo` is not a message of this person.',
      headers: WriteHeaders,
      body: Type.Object({ upTo: Type.String({ description: 'The first message of the list that was shown' }), deviceId }),
      out: Ok(Type.Object(count)),
    }),
    async (request) => {
      const device = deviceIdOf(request)
      return ok(await readAllInbox(ctx, appCaller(request), device, bodyOf(request).upTo))
    },
  )
  app.post(
    '/inbox/:id',
    route({
      id: 'changeInboxMessage',
      auth: 'app',
      summary: 'Mark a message as read or archived, or take that back',
      description:
        'Sets or takes back `read` and `archived` of one message of the person behind the installation; what is left out stays. Their other installations are told, and the answer holds the new counts. A message of somebody else is 404.',
      headers: WriteHeaders,
      params: pathOf({ id: 'The id of the message' }),
      body: Type.Object(
        { read: Type.Optional(Type.Boolean()), archived: Type.Optional(Type.Boolean()), deviceId },
        { examples: [{ read: true }] },
      ),
      out: Ok(Type.Object(count)),
    }),
    async (request) => {
      const device = deviceIdOf(request)
      const readChange = () => {
        const { read, archived } = bodyOf(request)
        return read === undefined && archived === undefined ? failWith(400, 'Send read, archived or both') : { read, archived }
      }
      return ok(await changeInboxItem(ctx, appCaller(request), device, request.params.id, readChange))
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  client: (app, { ctx }) => inboxRoutes(app, ctx),
}
