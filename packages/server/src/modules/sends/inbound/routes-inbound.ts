import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { memberCaller } from '../../../http/callers/auth.ts'
import { page } from '../../../http/answers/envelope.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Page, PageQuery, queryOf, Type, type Static } from '../../../http/schema.ts'
import { findPerson } from '../../people/index.ts'
import { findCaller } from '../callbacks/callbacks.ts'
import { InboundSchema } from './present-inbound.ts'
import { pageInbound, type Inbound } from './queries-inbound.ts'
import { takeInbound } from './take-inbound.ts'

const Params = pathOf({
  provider: 'The provider, as the address of the channel names it',
  workspaceId: 'The workspace of the channel',
  channelId: 'The id of the channel',
})
/** Twilio sends a few kilobytes. */
const BODY_BYTES = 65_536

const Query = Type.Object({
  ...PageQuery.properties,
  userId: Type.Optional(Type.String({ description: 'A user id, or the device id of an anonymous person; left out: everybody' })),
})
const route = routeIn('Sends')

/** What people write to the numbers of a workspace. What is not signed by the channel's own provider changes nothing. */
export function inboundRoutes(app: Routes, ctx: Context): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Signatures are over the bytes.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, body, done) => done(null, body))
    scope.withTypeProvider().post(
      '/callbacks/:provider/:workspaceId/:channelId/inbound',
      {
        ...route({
          id: 'receiveInboundMessage',
          auth: 'none',
          summary: 'What a person wrote to a number at Twilio: STOP, START and HELP are done, everything is kept for 30 days',
          description:
            'Called by Twilio, not by you. STOP and its like withdraw the consent to the channel, START takes that back, HELP is answered with the help text of the channel. A call that is not signed by the provider is 403 and changes nothing.',
          params: Params,
          bodyLimit: BODY_BYTES,
          out: Type.String({ description: 'TwiML: nothing, or the help text of the channel' }),
        }),
        // A stranger is refused by the head of the call alone.
        onRequest: async (request) => void (await findCaller(ctx, request.params as Static<typeof Params>)),
      },
      async (request, reply) => {
        const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
        const sent = sentBody(request)
        const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0)
        const answer = await takeInbound(ctx, { ...(request.params as Static<typeof Params>), headers, body })
        return reply.type('text/xml; charset=utf-8').send(answer)
      },
    )
  })
  app.get(
    '/inbound-messages',
    route({
      id: 'listInboundMessages',
      auth: 'member',
      permission: 'messages:read',
      summary: 'What people answered to text messages in the last 30 days, newest first',
      description:
        'Lists what people wrote to the numbers of the workspace, of one person or of everybody. Messages are deleted after 30 days.',
      query: Query,
      out: Page('messages', InboundSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId, limit, cursor } = queryOf(request)
      const person = userId === undefined ? undefined : await findPerson(ctx.db, workspaceId, 'live', userId)
      if (userId !== undefined && !person) failWith(404, 'person not found')
      return page('messages', await pageInbound(ctx.db, workspaceId, person?.id, { after: cursor, limit }), present)
    },
  )
}

function present({ user_id, device_id, ...message }: Inbound) {
  return { ...message, userId: user_id, deviceId: device_id }
}
