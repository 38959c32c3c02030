import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { LINK_PAGE_HEADERS } from '../../http/link-pages/page-look.ts'
import { pathOf, LINK_TOKEN } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { queryOf, Type } from '../../http/schema.ts'
import type { Channels } from '../channels/index.ts'
import { findPageBrand, readPreferenceLink, type PreferenceLink } from '../sends/index.ts'
import { drawNotice, drawPage } from './draw-page.ts'
import { maskedEmail, maskedPhone } from './mask.ts'
import { NO_PAGE, pageLanguage, type Outcome } from './page-texts.ts'
import { isOldLink, press, type Pressed } from './press.ts'
import { readPreferences } from './preferences.ts'
import { findWorkspaceName } from './queries-preferences.ts'

const Params = pathOf({ token: LINK_TOKEN })
const Query = Type.Object({ lang: Type.Optional(Type.String({ description: 'en or ar; left out: as Accept-Language says' })) })
/** Of a form of everything that a workspace may ask. */
const FORM_BYTES = 32_768

const STATUS: Record<Outcome, number> = {
  saved: 200,
  unchanged: 200,
  left: 200,
  asked: 200,
  waiting: 200,
  sent: 200,
  unsent: 409,
  changed: 409,
  old: 410,
  often: 429,
  unclear: 400,
}

/** Adds the page that a link in a mail opens: no session, no script. Looking changes nothing, because programs open links too. */
export function preferencePageRoutes(app: Routes, ctx: Context, channels: Channels): void {
  const route = routeIn('Consent')
  const path = '/preferences/:token'
  const parts = { ctx, channels }
  app.get(
    path,
    route({
      id: 'showPreferencePage',
      auth: 'none',
      summary: 'The page on which a person chooses what they get, behind the link in a mail; it changes nothing by itself',
      description:
        'Answers an HTML page in English or Arabic. The token is the credential; an unknown one is 404, and 410 says that the person is gone. Mail programs open links too, so this changes nothing.',
      params: Params,
      query: Query,
    }),
    async (request, reply) => {
      const link = await readPreferenceLink(ctx, request.params.token)
      return link ? showPage(ctx, { request, reply }, link, undefined) : refuse(request, reply, 'unknown')
    },
  )
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The address says whose page it is; whatever is sent is read as a form.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) => done(null, body))
    scope.post(
      path,
      route({
        id: 'pressOnPreferencePage',
        auth: 'none',
        summary: 'Save what the person chose, stop all messages, or ask for their data or its erasure, as the form of the page says',
        description:
          'Takes the form of the page and answers it again with what became of it. Choices are entries of the consent ledger. Asking for data or its erasure is recorded as a request. 429 when too much was changed within an hour.',
        params: Params,
        query: Query,
        alsoAnswers: [429],
      }),
      async (request, reply) => {
        const link = await readPreferenceLink(ctx, (request.params as { token: string }).token)
        if (!link) return refuse(request, reply, 'unknown')
        const sent = sentBody(request)
        const form = new URLSearchParams(typeof sent === 'string' ? sent : '')
        const pressed = await press(parts, link, { form, language: languageOf(request), hasSignal: hasSignal(request) })
        return pressed ? showPage(ctx, { request, reply }, link, pressed) : refuse(request, reply, 'gone')
      },
    )
  })
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

async function showPage(ctx: Context, { request, reply }: Exchange, link: PreferenceLink, pressed: Pressed | undefined) {
  const page = await readPreferences(ctx, link)
  if (!page) return refuse(request, reply, 'gone')
  const { profile, topics, preferences } = page
  const { html, headers } = drawPage({
    language: languageOf(request),
    sender: await findWorkspaceName(ctx.db, link.workspaceId),
    brand: await findPageBrand(ctx.db, link.workspaceId),
    who: maskedEmail(profile.email) ?? maskedPhone(profile.phone) ?? '•••',
    topics,
    preferences,
    isOptedOut: profile.personal_opt_out,
    isOld: isOldLink(ctx, link),
    hasSignal: hasSignal(request),
    outcome: pressed,
  })
  return reply
    .code(pressed ? STATUS[pressed.is] : 200)
    .headers(headers)
    .send(html)
}

function refuse(request: FastifyRequest, reply: FastifyReply, why: keyof typeof NO_PAGE) {
  const language = languageOf(request)
  return reply
    .code(why === 'unknown' ? 404 : 410)
    .headers(LINK_PAGE_HEADERS)
    .send(drawNotice(language, NO_PAGE[why][language]))
}

function languageOf(request: FastifyRequest) {
  const { lang } = queryOf(request as FastifyRequest & { query: { lang?: string } })
  return pageLanguage(lang, request.headers['accept-language'])
}

/** Global Privacy Control. */
function hasSignal({ headers }: FastifyRequest): boolean {
  return headers['sec-gpc'] === '1'
}
