import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { actorOf } from '../../../http/callers/auth.ts'
import { BODY_BYTES } from '../../../http/bodies/body-bytes.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { pathOf, STRING_KEY, LOCALE_CODE } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Nullable, Ok, Type } from '../../../http/schema.ts'
import { draftMany, draftTranslation } from './draft-translations.ts'
import { TranslationSchema } from '../present.ts'

const Params = pathOf({ key: STRING_KEY, locale: LOCALE_CODE })
export const DraftedSchema = Type.Object({
  ...TranslationSchema.properties,
  draft: Type.Object({
    source: Type.Enum(['memory', 'source'], { description: '`memory`: an approved translation of this workspace; `source`: nothing fits' }),
    similarity: Nullable(Type.Number({ description: '1: of the same source text; 0.99: numbers, placeholders or capitals differ' })),
    fromKey: Nullable(Type.String()),
  }),
})
const Keys = Type.Array(Type.String())
const ManyBody = Type.Object(
  {
    locale: Type.String(),
    keys: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.stringsPerDraft })),
  },
  { examples: [{ locale: 'ar' }] },
)
export const ManySchema = Type.Object({
  drafted: Type.Array(DraftedSchema),
  alreadyTranslated: Keys,
  unknown: Keys,
  missing: Type.Integer({ description: 'Visible strings that still lack a translation in this locale' }),
})
const route = routeIn('Strings')

/** Translations proposed by the server (G-39); they wait for review. */
export function draftRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/strings/:key/translations/:locale/draft',
    route({
      id: 'draftTranslation',
      auth: 'member',
      permission: 'strings:write',
      summary: 'Draft a translation for review',
      description:
        'From an approved translation of the same or nearly the same source text, with numbers and placeholders put in; otherwise ' +
        '`[<locale>] <source text>`. What is stored is replaced.',
      params: Params,
      out: Ok(DraftedSchema),
      refuses: ['UNKNOWN_STRING', 'SOURCE_LANGUAGE', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request) => ok(await draftTranslation(ctx, targetOf(request))),
  )
  app.post(
    '/strings/draft',
    route({
      id: 'draftTranslations',
      auth: 'member',
      permission: 'strings:write',
      summary: 'Draft what is missing in one locale',
      description: `Of the named keys, or of the first ${LIMITS.stringsPerDraft} visible strings that lack it. Translations that are there stay.`,
      body: ManyBody,
      out: Ok(ManySchema),
      bodyLimit: BODY_BYTES.stringKeys,
      refuses: ['WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request) => ok(await draftMany(ctx, actorOf(request), sentBody(request))),
  )
}

function targetOf(request: FastifyRequest<{ Params: { key: string; locale: string } }>) {
  return { ...actorOf(request), ...request.params }
}
