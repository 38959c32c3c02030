import { CLOSABLE } from '@contentflow/core/channels/channel.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { ClosedContactSchema, presentClosedContact } from '../present.ts'
import { openContacts, pageClosed } from './queries-closed.ts'

const Channel = Type.Enum([...CLOSABLE])
const ClosedQuery = Type.Object({
  ...PageQuery.properties,
  channel: Type.Optional(Type.Enum([...CLOSABLE], { description: 'Contacts of this channel' })),
})
const OpenBody = Type.Object({
  channel: Channel,
  userIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.userIdLength }), {
      minItems: 1,
      maxItems: LIMITS.pageSizeMax,
      description: 'User ids, or device ids of anonymous people',
    }),
  ),
  all: Type.Optional(Type.Literal(true, { description: 'Everybody whose contact on this channel is closed' })),
})

const route = routeIn('People')

/** Contacts that providers say do not exist (G-88). */
export function closedRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/contacts/closed',
    route({
      id: 'listClosedContacts',
      auth: 'member',
      permission: 'people:read',
      summary: 'Contacts that are written to no more because a provider said that they do not exist, the last ones first',
      description:
        'Lists people whose email address or number a provider called unknown, with what it said. Nothing is sent there until the contact changes or is opened.',
      query: ClosedQuery,
      out: Page('contacts', ClosedContactSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, channel } = queryOf(request)
      return page('contacts', await pageClosed(ctx.db, workspaceId, { channel, after: cursor, limit }), presentClosedContact)
    },
  )
  app.post(
    '/contacts/open',
    route({
      id: 'openContacts',
      auth: 'member',
      permission: 'people:write',
      summary: 'Write to closed contacts again: of people who are named, or of all',
      description:
        'Lets messages go to closed contacts again, of the people you name or, with `all`, of everybody on that channel. Consent is asked for as before.',
      body: OpenBody,
      out: Ok(Type.Object({ opened: Type.Integer({ description: 'Contacts' }) })),
    }),
    async (request) => {
      const { channel, userIds, all } = bodyOf(request)
      if ((userIds === undefined) === (all === undefined)) failWith(400, 'Say either userIds or all: true')
      const opened = await ctx.change(actorOf(request), ({ tx, workspaceId }) => openContacts(tx, workspaceId, channel, { userIds }))
      return ok({ opened })
    },
  )
}
