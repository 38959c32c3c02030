import { COMMON_SCHEMES, readLinkSchemes, type LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type } from '../../http/schema.ts'
import { getSettings } from './queries.ts'
import { setLinkSchemes } from './settings.ts'

const schemes = Nullable(
  Type.Array(Type.String(), {
    maxItems: LIMITS.linkSchemes,
    description: `null: links of every scheme that is not refused everywhere. A list, also an empty one: only ${COMMON_SCHEMES.join(', ')}, paths and what is named`,
    examples: [['myshop']],
  }),
)
export const LinkSchemeList = Type.Object({ schemes })
const Body = Type.Object({ schemes })
const Answer = { 200: Ok(LinkSchemeList) }

/** Which links content and messages may have that are written from now on. */
export function linkSchemeRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/link-schemes'
  app.get(
    path,
    route({
      id: 'getLinkSchemes',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Which schemes of links are taken',
      description: 'Answers the schemes of apps that links may have; null means every scheme that is not refused everywhere.',
      out: Answer,
    }),
    async (request) => {
      const row = await getSettings(ctx.db, memberCaller(request).workspaceId)
      return ok({ schemes: row.link_schemes as string[] | null })
    },
  )
  app.put(
    path,
    route({
      id: 'setLinkSchemes',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Name the schemes of your apps: links that are written from then on take no others; what is stored stays',
      description: 'Replaces the list. Other schemes are refused with LINK_SCHEME_NOT_ALLOWED in links that are written from then on.',
      body: Body,
      out: Answer,
    }),
    async (request) => {
      const read = readLinkSchemes(bodyOf(request).schemes)
      if (!read.ok) failWith(400, `schemes${read.error.startsWith(':') ? '' : ' '}${read.error}`)
      await setLinkSchemes(ctx, actorOf(request), read.value satisfies LinkSchemes)
      return ok({ schemes: read.value })
    },
  )
}
