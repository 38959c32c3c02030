import type { FastifyReply } from 'fastify'
import type { Routes } from '../routes.ts'
import { Type } from '../schema.ts'
import { linkPage, type BothLanguages, type PageState } from './link-page.ts'

const Params = Type.Object({ token: Type.String() })
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}
const STATUS: Record<PageState, number> = { ask: 200, done: 200, over: 410, unknown: 404 }

type LinkPage = {
  /** Before the token. */
  path: string
  tags: string[]
  summaries: { look: string; act: string }
  texts: BothLanguages
  /** What the page shows of this token; nothing is changed. */
  look(token: string): Promise<PageState>
  act(token: string): Promise<PageState>
}

/** For whoever gets the mail: no session, no script. Looking changes nothing, because programs open links too. */
export function linkPageRoutes(app: Routes, { path, tags, summaries, texts, look, act }: LinkPage): void {
  const show = (reply: FastifyReply, state: PageState, languages: string | undefined) =>
    reply
      .code(STATUS[state])
      .headers(HEADERS)
      .send(linkPage(texts, state, languages))
  app.get(
    `${path}/:token`,
    { config: { auth: 'none' }, schema: { tags, summary: summaries.look, params: Params } },
    async (request, reply) => show(reply, await look(request.params.token), request.headers['accept-language']),
  )
  app.register(async (scope) => {
    // Forms of whatever kind: what is asked is in the address.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    scope.post(
      `${path}/:token`,
      { config: { auth: 'none' }, schema: { tags, summary: summaries.act, params: Params } },
      async (request, reply) => show(reply, await act((request.params as { token: string }).token), request.headers['accept-language']),
    )
  })
}
