import type { FastifyReply } from 'fastify'
import { routeIn, type Routes } from '../routes.ts'
import { Type } from '../schema.ts'
import { linkPage, LINK_PAGE_HEADERS, type BothLanguages, type PageState } from './link-page.ts'

const Params = Type.Object({ token: Type.String() })
const STATUS: Record<PageState, number> = { ask: 200, done: 200, over: 410, unknown: 404 }

type LinkPage = {
  /** The path before the token. */
  path: string
  /** The section of the reference that its routes stand in. */
  tag: string
  look: Operation
  act: Operation
  texts: BothLanguages
}

/** `run`: decides what the page shows for this token, or does it. Looking changes nothing. */
type Operation = { id: string; summary: string; run(token: string): Promise<PageState> }

/** Adds the page that a link in a mail opens: no session, no script. Looking changes nothing, because programs open links too. */
export function linkPageRoutes(app: Routes, { path, tag, texts, look, act }: LinkPage): void {
  const route = routeIn(tag)
  const show = (reply: FastifyReply, state: PageState, languages: string | undefined) =>
    reply
      .code(STATUS[state])
      .headers(LINK_PAGE_HEADERS)
      .send(linkPage(texts, state, languages))
  app.get(`${path}/:token`, route({ id: look.id, auth: 'none', summary: look.summary, params: Params }), async (request, reply) =>
    show(reply, await look.run(request.params.token), request.headers['accept-language']),
  )
  app.register(async (scope) => {
    // Forms of any content type are accepted, because the address says what is asked.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    scope.post(`${path}/:token`, route({ id: act.id, auth: 'none', summary: act.summary, params: Params }), async (request, reply) =>
      show(reply, await act.run((request.params as { token: string }).token), request.headers['accept-language']),
    )
  })
}
