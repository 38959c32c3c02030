import type { Context } from '../../../context.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Ok, Type, type Static } from '../../../http/schema.ts'
import { findCaller, takeCallback } from './callbacks.ts'

const Params = pathOf({
  provider: 'The provider, as the address of the channel names it',
  workspaceId: 'The workspace of the channel',
  channelId: 'The id of the channel',
})
/** SendGrid sends up to a thousand events at once. */
const BODY_BYTES = 1_000_000

/** Huawei counts a receipt as taken by these: the first two are of one version, the others of the other. */
const HUAWEI = { errno: '0', errmsg: 'success', code: '0', message: 'success' }
const Word = Type.Optional(Type.String())
const Taken = Type.Object({
  ...Ok(Type.Object({ taken: Type.Literal(true) })).properties,
  errno: Word,
  errmsg: Word,
  code: Word,
  message: Word,
})

const route = routeIn('Sends')

/** For providers: bounces, complaints and deliveries. What is not signed by the channel's own provider changes nothing. */
export function callbackRoutes(app: Routes, ctx: Context): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Signatures are over the bytes.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, body, done) => done(null, body))
    scope.withTypeProvider().post(
      '/callbacks/:provider/:workspaceId/:channelId',
      {
        ...route({
          id: 'receiveProviderCallback',
          auth: 'none',
          summary: 'What the provider of a channel tells of messages: signed as SendGrid, Mailgun, Resend, Twilio and Huawei do',
          description:
            'Called by the provider of a channel, not by you: bounces close a contact, complaints withdraw the consent, deliveries are noted. A call that is not signed with the key of the channel is 403 and changes nothing.',
          params: Params,
          bodyLimit: BODY_BYTES,
          out: Taken,
        }),
        // A stranger is refused by the head of the call alone.
        onRequest: async (request) => void (await findCaller(ctx, request.params as Static<typeof Params>)),
      },
      async (request) => {
        const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
        const sent = sentBody(request)
        const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0)
        const params = request.params as Static<typeof Params>
        await takeCallback(ctx, { ...params, headers, body })
        return { ...ok({ taken: true as const }), ...(params.provider === 'hms' && HUAWEI) }
      },
    )
  })
}
