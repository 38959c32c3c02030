import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { pathOf, STRING_KEY, LOCALE_CODE } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Ok } from '../../../http/schema.ts'
import { restoreSource } from '../editor/edit-strings.ts'
import { restoreTranslation, translatedLocale } from '../editor/edit-translations.ts'
import { getString } from '../editor/queries-list.ts'
import { answerString, keyOf, saved, tagged, targetOf } from '../editor/routes-editor.ts'
import {
  presentString,
  ReadTranslationSchema,
  RestoreBody,
  StringSchema,
  TextHistorySchema,
  TextIfMatch,
  TranslationSchema,
} from '../present.ts'
import { findLanguages } from '../queries.ts'
import { SOURCE } from './keep-history.ts'
import { listChanges } from './queries-history.ts'

const Params = pathOf({ key: STRING_KEY })
const TranslationParams = pathOf({ key: STRING_KEY, locale: LOCALE_CODE })
const route = routeIn('Strings')

/** The history of one text, and restoring an earlier state. */
export function historyRoutes(app: Routes, ctx: Context): void {
  sourceRoutes(app, ctx)
  const path = '/strings/:key/translations/:locale'
  app.get(
    path,
    route({
      id: 'getTranslation',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Read one translation',
      description:
        'Answers one translation with its state. `text` is null where there is none yet, and the ETag can be sent as If-Match also then.',
      sends: ['ETag'],
      params: TranslationParams,
      out: Ok(ReadTranslationSchema),
      refuses: ['UNKNOWN_STRING', 'SOURCE_LANGUAGE'],
    }),
    async (request, reply) => {
      const { key, locale } = request.params
      const { code, string } = await findTranslation(ctx, request, key, locale)
      const { text = null, status = 'missing' as const, updatedAt = null, etag = '' } = string.translations[code] ?? {}
      return tagged(reply, { key, locale: code, text, status, updatedAt, etag })
    },
  )
  app.get(
    `${path}/history`,
    route({
      id: 'listTranslationHistory',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Who changed a translation when, from what to what',
      description: 'Lists the changes of one translation with their number, which POST …/restore takes.',
      params: TranslationParams,
      out: Ok(TextHistorySchema),
      refuses: ['UNKNOWN_STRING', 'SOURCE_LANGUAGE'],
    }),
    async (request) => {
      const { key, locale } = request.params
      const { code } = await findTranslation(ctx, request, key, locale)
      return ok({ history: await listChanges(ctx.db, memberCaller(request).workspaceId, key, code) })
    },
  )
  app.post(
    `${path}/restore`,
    route({
      id: 'restoreTranslation',
      auth: 'member',
      permission: 'strings:write',
      summary: 'Make a translation what it was before a change of it; it waits for review',
      description: 'Takes one change back: the text is again what it was before, and waits for review.',
      sends: ['ETag'],
      params: TranslationParams,
      headers: TextIfMatch,
      body: RestoreBody,
      out: Ok(TranslationSchema),
      refuses: ['UNKNOWN_STRING', 'SOURCE_LANGUAGE', 'VERSION_CHANGED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => saved(reply, await restoreTranslation(ctx, targetOf(request), () => bodyOf(request).number)),
  )
}

function sourceRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/strings/:key/history',
    route({
      id: 'listSourceTextHistory',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Who changed a source text when, from what to what',
      description: 'Lists the changes of the source text with their number, which POST /strings/{key}/restore takes.',
      params: Params,
      out: Ok(TextHistorySchema),
      refuses: ['UNKNOWN_STRING'],
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { key } = await getString(ctx.db, workspaceId, keyOf(request), [])
      return ok({ history: await listChanges(ctx.db, workspaceId, key, SOURCE) })
    },
  )
  app.post(
    '/strings/:key/restore',
    route({
      id: 'restoreSourceText',
      auth: 'member',
      permission: 'strings:publish',
      summary: 'Make a source text what it was before a change of it; its translations go to review',
      description: 'Takes one change of the source text back. Apps get it at once, and the translations go to review.',
      sends: ['ETag'],
      params: Params,
      headers: TextIfMatch,
      body: RestoreBody,
      out: Ok(StringSchema),
      refuses: ['UNKNOWN_STRING', 'VERSION_CHANGED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => {
      const target = { ...actorOf(request), key: keyOf(request), ifMatch: request.headers['if-match'] }
      await restoreSource(ctx, target, () => bodyOf(request).number)
      return answerString(ctx, request, reply, target.key)
    },
  )
}

/** With the locale as the workspace spells it. */
async function findTranslation(ctx: Context, request: FastifyRequest, key: string, asked: string) {
  const { workspaceId } = memberCaller(request)
  await getString(ctx.db, workspaceId, key, [])
  const code = translatedLocale(await findLanguages(ctx.db, workspaceId), asked)
  return { code, string: presentString(await getString(ctx.db, workspaceId, key, [code]), [code]) }
}
