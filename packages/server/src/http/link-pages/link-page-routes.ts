import type { FastifyReply, FastifyRequest } from 'fastify'
import { routeIn, type Routes } from '../routes.ts'
import { LINK_TOKEN, pathOf } from '../params.ts'
import type { PageBrand } from './page-look.ts'
import { linkPage, type BothLanguages, type PageState } from './link-page.ts'

const Params = pathOf({ token: LINK_TOKEN })
const STATUS: Record<PageState, number> = { ask: 200, done: 200, over: 410, unknown: 404 }

type LinkPage = {
  /** The path before the token. */
  path: string
  /** The section of the reference that its routes stand in. */
  tag: string
  look: Operation
  act: Operation
  /** Of the workspace that a token is of, where pages are in its brand; undefined: the page is plain. */
  brandOf?(token: string): Promise<PageBrand | undefined>
  texts: BothLanguages
}

/** `run`: decides what the page shows for this token, or does it. Looking changes nothing. */
type Operation = { id: string; summary: string; description: string; run(token: string): Promise<PageState> }

type Exchange = { request: Pick<FastifyRequest, 'headers'>; reply: FastifyReply }

/** Adds the page that a link in a mail opens: no session, no script. Looking changes nothing, because programs open links too. */
export function linkPageRoutes(app: Routes, { path, tag, texts, look, act, brandOf }: LinkPage): void {
  const route = routeIn(tag)
  const show = async ({ request, reply }: Exchange, token: string, state: PageState) => {
    const { html, headers } = linkPage(texts, state, request.headers['accept-language'], await brandOf?.(token))
    return reply.code(STATUS[state]).headers(headers).send(html)
  }
  app.get(
    `${path}/:token`,
    route({ id: look.id, auth: 'none', summary: look.summary, description: look.description, params: Params }),
    async (request, reply) => show({ request, reply }, request.params.token, await look.run(request.params.token)),
  )
  app.register(async (scope) => {
    // Forms of any content type are accepted, because the address says what is asked.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    scope.post(
      `${path}/:token`,
      route({ id: act.id, auth: 'none', summary: act.summary, description: act.description, params: Params }),
      async (request, reply) => {
        const { token } = request.params as { token: string }
        return show({ request, reply }, token, await act.run(token))
      },
    )
  })
}
