import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../http/schema.ts'
import { readUnsubscribe, withdraw } from './unsubscribe.ts'
import { unsubscribePage, type PageState } from './unsubscribe-page.ts'

const Params = Type.Object({ token: Type.String() })
const tags = ['Sends']
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** For whoever gets the mail: no session, no script. Looking changes nothing, because programs open links too. */
export function unsubscribeRoutes(app: Routes, ctx: Context): void {
  const show = (reply: FastifyReply, state: PageState, languages: string | undefined) =>
    reply
      .code(state === 'unknown' ? 404 : 200)
      .headers(HEADERS)
      .send(unsubscribePage(state, languages))
  app.get(
    '/unsubscribe/:token',
    {
      config: { auth: 'none' },
      schema: { tags, summary: 'The page behind the link in a mail; it changes nothing by itself', params: Params },
    },
    async (request, reply) =>
      show(reply, (await readUnsubscribe(ctx, request.params.token)) ? 'ask' : 'unknown', request.headers['accept-language']),
  )
  app.register(async (scope) => {
    // Forms of whatever kind: what is asked is in the address.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    scope.post(
      '/unsubscribe/:token',
      { config: { auth: 'none' }, schema: { tags, summary: 'Withdraw the consent to email, with one click (RFC 8058)', params: Params } },
      async (request, reply) => {
        const leaver = await readUnsubscribe(ctx, (request.params as { token: string }).token)
        if (leaver) await withdraw(ctx, leaver, 'email')
        return show(reply, leaver ? 'done' : 'unknown', request.headers['accept-language'])
      },
    )
  })
}
