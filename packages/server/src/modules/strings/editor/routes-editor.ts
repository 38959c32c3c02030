import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { BODY_BYTES } from '../../../http/bodies/body-bytes.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { pathOf, STRING_KEY, LOCALE_CODE } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { mapSteps } from '../../../infra/concurrency/time-slicer.ts'
import { changeString, createString } from './edit-strings.ts'
import {
  approveMany,
  approveTranslation,
  removeTranslation,
  saveTranslation,
  type SavedTranslation,
  type Target,
} from './edit-translations.ts'
import {
  ApprovedManySchema,
  ApproveBody,
  ApproveManyBody,
  NewStringBody,
  presentString,
  StringBody,
  StringSchema,
  TextIfMatch,
  TranslationBody,
  TranslationSchema,
} from '../present.ts'
import { translatedLocales } from '../locales.ts'
import { tagOf } from '../history/text-tag.ts'
import * as queries from './queries-list.ts'

const Params = pathOf({ key: STRING_KEY })
const TranslationParams = pathOf({ key: STRING_KEY, locale: LOCALE_CODE })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  namespace: Type.Optional(Type.String({ description: 'Only its strings' })),
  locale: Type.Optional(Type.String({ description: 'Only this locale is shown, and `status` is that in it' })),
  status: Type.Optional(
    Type.Enum(['ok', 'review', 'missing'], { description: 'A translation is in this state: in `locale`, or in any language' }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the key, of the description or of any text; case, Arabic vowel marks and forms of alef do not matter',
    }),
  ),
  sensor: Type.Optional(Type.Boolean({ description: 'Only those with a sensor, or only those without' })),
  hidden: Type.Optional(Type.Boolean({ description: 'Only hidden ones, or only those that are not' })),
})
export const Namespace = Type.Object({ namespace: Type.String(), strings: Type.Integer() })
const route = routeIn('Strings')

/** Strings in the dashboard (G-39). */
export function stringRoutes(app: Routes, ctx: Context): void {
  readingRoutes(app, ctx)
  editingRoutes(app, ctx)
  translationRoutes(app, ctx)
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/strings',
    route({
      id: 'listStrings',
      auth: 'member',
      permission: 'strings:read',
      summary: 'List strings by key',
      description:
        'Lists texts with their translations and the state of each. With `locale` only that language is shown, and `status` filters by its state.',
      query: ListQuery,
      out: Page('strings', StringSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, namespace, locale, status, q, sensor, hidden } = queryOf(request)
      const locales = await translatedLocales(ctx, workspaceId, locale)
      // Source texts need no approval.
      const isAlwaysOk = locale !== undefined && locales.length === 0 && status === 'ok'
      const found = await queries.pageStrings(
        ctx.db,
        workspaceId,
        {
          namespace,
          search: q,
          isSensor: sensor,
          isHidden: hidden,
          status: status && !isAlwaysOk ? { is: status, in: locales } : undefined,
        },
        { locales, after: cursor, limit },
      )
      const items = await ctx.timeSlicer.run(
        workspaceId,
        mapSteps(found.items, (item) => presentString(item, locales)),
      )
      return page('strings', { ...found, items })
    },
  )
  app.get(
    '/strings/namespaces',
    route({
      id: 'listNamespaces',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Namespaces in use',
      description: 'Lists the namespaces in use by name, each with the number of its strings.',
      query: PageQuery,
      out: Page('namespaces', Namespace),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      const found = await queries.pageNamespaces(ctx.db, memberCaller(request).workspaceId, { after: cursor, limit })
      return page('namespaces', found)
    },
  )
  app.get(
    '/strings/:key',
    route({
      id: 'getString',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Read a string',
      description:
        'Answers one string with all its translations. The ETag is that of the source text; each translation carries its own `etag`.',
      sends: ['ETag'],
      params: Params,
      out: Ok(StringSchema),
      refuses: ['UNKNOWN_STRING'],
    }),
    async (request, reply) => answerString(ctx, request, reply, keyOf(request)),
  )
}

function editingRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/strings',
    route({
      id: 'createString',
      auth: 'member',
      permission: 'strings:publish',
      summary: 'Make a string',
      description:
        'Adds a string with its source text; apps get it at once. A string of that key is 409 STRING_EXISTS, also when it is hidden.',
      sends: ['ETag'],
      body: NewStringBody,
      out: { 201: Ok(StringSchema) },
      bodyLimit: BODY_BYTES.text,
      refuses: ['STRING_EXISTS', 'STRING_LIMIT', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => {
      const key = await createString(ctx, actorOf(request), sentBody(request))
      return reply.code(201).send(await answerString(ctx, request, reply, key))
    },
  )
  app.put(
    '/strings/:key',
    route({
      id: 'updateString',
      auth: 'member',
      permission: 'strings:publish',
      summary: 'Change a string; with another source text its translations go to review',
      description:
        'Changes the source text, namespace, description or visibility. A new source text sends its translations to review, and apps get the source text until they are approved again. If-Match takes the `etag` of the source text that you read.',
      sends: ['ETag'],
      params: Params,
      headers: TextIfMatch,
      body: StringBody,
      out: Ok(StringSchema),
      bodyLimit: BODY_BYTES.text,
      refuses: ['UNKNOWN_STRING', 'VERSION_CHANGED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => {
      await changeString(ctx, { ...actorOf(request), key: keyOf(request), ifMatch: request.headers['if-match'] }, sentBody(request))
      return answerString(ctx, request, reply, keyOf(request))
    },
  )
  app.post(
    '/strings/approve',
    route({
      id: 'approveTranslations',
      auth: 'member',
      permission: 'strings:publish',
      summary: 'Approve many translations of one locale',
      description:
        'Approves the named translations of one language that wait for review. Those with other placeholders than the source text, and those that are missing, are listed and left as they are.',
      body: ApproveManyBody,
      out: Ok(ApprovedManySchema),
      bodyLimit: BODY_BYTES.stringKeys,
      refuses: ['APPROVAL_NEEDED'],
    }),
    async (request) => ok(await approveMany(ctx, actorOf(request), sentBody(request))),
  )
}

function translationRoutes(app: Routes, ctx: Context): void {
  const path = '/strings/:key/translations/:locale'
  const shapes = { params: TranslationParams, headers: TextIfMatch, out: Ok(TranslationSchema) }
  app.put(
    path,
    route({
      id: 'updateTranslation',
      auth: 'member',
      permission: 'strings:write',
      summary: 'Save a translation for review',
      description:
        'Stores the text for review, also where an approved one stood: apps get the source text until it is approved. With strict approvals, replacing an approved text takes approval rights. The source language is changed with PUT /strings/{key} instead.',
      sends: ['ETag'],
      body: TranslationBody,
      ...shapes,
      bodyLimit: BODY_BYTES.text,
      refuses: ['UNKNOWN_STRING', 'VERSION_CHANGED', 'SOURCE_LANGUAGE', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => saved(reply, await saveTranslation(ctx, targetOf(request), sentBody(request))),
  )
  app.post(
    `${path}/approve`,
    route({
      id: 'approveTranslation',
      auth: 'member',
      permission: 'strings:publish',
      summary: 'Approve a translation: what is stored, or the text that is sent',
      description:
        'Gives apps this translation: the stored one, or the text in the body, which is stored with it. 409 PLACEHOLDER_MISMATCH when its placeholders are not those of the source text; `force` approves it all the same.',
      sends: ['ETag'],
      body: ApproveBody,
      ...shapes,
      bodyLimit: BODY_BYTES.text,
      refuses: ['UNKNOWN_STRING', 'VERSION_CHANGED', 'SOURCE_LANGUAGE', 'PLACEHOLDER_MISMATCH', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => saved(reply, await approveTranslation(ctx, targetOf(request), sentBody(request))),
  )
  app.delete(
    path,
    route({
      id: 'deleteTranslation',
      auth: 'member',
      permission: 'strings:write',
      summary: 'Take a translation out',
      description: 'Deletes one translation; apps get the source text instead. Its history stays and can be restored.',
      params: TranslationParams,
      headers: TextIfMatch,
      out: Deleted,
      refuses: ['UNKNOWN_STRING', 'VERSION_CHANGED', 'SOURCE_LANGUAGE', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request) => {
      await removeTranslation(ctx, targetOf(request))
      return ok({ deleted: true as const })
    },
  )
}

export function keyOf(request: FastifyRequest<{ Params: { key: string } }>): string {
  return request.params.key
}

type TranslationRequest = FastifyRequest<{ Params: { key: string; locale: string } }>

export function targetOf(request: TranslationRequest): Target {
  return { ...actorOf(request), ...request.params, ifMatch: request.headers['if-match'] }
}

/** With the tag of the text in its header. */
export function saved(reply: FastifyReply, data: SavedTranslation) {
  void reply.header('etag', tagOf(data.text))
  return ok(data)
}

/** With the tag of the text in its header too. */
export function tagged<T extends { etag: string }>(reply: FastifyReply, data: T) {
  void reply.header('etag', data.etag)
  return ok(data)
}

/** The tag in the header is that of the source text. */
export async function answerString(ctx: Context, request: FastifyRequest, reply: FastifyReply, key: string) {
  const { workspaceId } = memberCaller(request)
  const locales = await translatedLocales(ctx, workspaceId)
  return tagged(reply, presentString(await queries.getString(ctx.db, workspaceId, key, locales), locales))
}
