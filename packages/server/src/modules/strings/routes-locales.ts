import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { pathOf, LOCALE_CODE } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Deleted, Nullable, Ok, Page, Type } from '../../http/schema.ts'
import { createLocale, describeLocales, removeLocale, setSourceLocale } from './locales.ts'
import { LocaleBody, LocaleSchema } from './present.ts'
import * as queries from './queries.ts'

const Params = pathOf({ code: LOCALE_CODE })
const Source = Type.Object({ code: Nullable(Type.String()) })
const route = routeIn('Locales')

/** The languages of a workspace (G-34, G-42). */
export function localeRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/locales',
    route({
      id: 'listLocales',
      auth: 'member',
      permission: 'strings:read',
      summary: 'List languages with what is translated; all of them at once, because they are few',
      description: 'Lists the languages of the workspace with the number of texts that are approved, in review and missing in each.',
      out: Page('locales', LocaleSchema),
    }),
    async (request) => {
      const locales = await describeLocales(ctx.db, memberCaller(request).workspaceId)
      return page('locales', { items: locales, next: null, total: locales.length })
    },
  )
  app.post(
    '/locales',
    route({
      id: 'addLocale',
      auth: 'member',
      permission: 'strings:manage',
      summary: 'Add a language',
      description: 'Adds a language. Until its texts are approved, apps that ask for it get the source texts.',
      body: LocaleBody,
      out: { 201: Ok(LocaleSchema) },
      refuses: ['LOCALE_LIMIT'],
    }),
    async (request, reply) => reply.code(201).send(ok(await createLocale(ctx, actorOf(request), sentBody(request)))),
  )
  app.delete(
    '/locales/:code',
    route({
      id: 'removeLocale',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Remove a language with its translations',
      description:
        'Deletes a language and all of its translations; apps that ask for it get the nearest other one. The source language cannot be removed.',
      params: Params,
      out: Deleted,
    }),
    async (request) => {
      await removeLocale(ctx, actorOf(request), request.params.code)
      return ok({ deleted: true as const })
    },
  )
  app.get(
    '/settings/source-locale',
    route({
      id: 'getSourceLocale',
      auth: 'member',
      permission: 'strings:read',
      summary: 'The language of source texts, or null',
      description: 'Answers the language that source texts are written in; null when nobody said so, which counts as English.',
      out: Ok(Source),
    }),
    async (request) => ok({ code: (await queries.findLanguages(ctx.db, memberCaller(request).workspaceId)).sourceLocale }),
  )
  app.put(
    '/settings/source-locale',
    route({
      id: 'setSourceLocale',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Say which language source texts are in',
      description: 'Texts stay as they are. A code that is no locale of the workspace becomes one; null counts as English.',
      body: Source,
      out: Ok(Source),
    }),
    async (request) => ok({ code: await setSourceLocale(ctx, actorOf(request), sentBody(request)) }),
  )
}
