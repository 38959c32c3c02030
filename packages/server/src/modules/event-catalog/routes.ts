import type { FastifyRequest } from 'fastify'
import { readDeclaredType, readDeclaredTypes } from '@contentflow/core/events/catalog/declared-type.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { EventTypeParams } from '../../http/path-ids.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { Deleted, Ok, PageQuery, queryOf } from '../../http/schema.ts'
import { shortPage } from '../../http/short-list.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { findOwnEnvironment } from '../people/index.ts'
import { isInState, listForPipeline, listTypes, readType, readValues } from './list-types.ts'
import {
  EnvironmentQuery,
  ListPage,
  ListQuery,
  PipelinePage,
  PlanSchema,
  TypeBody,
  TypeSchema,
  TypesBody,
  ValuesSchema,
} from './present.ts'
import * as queries from './queries.ts'
import { declareType, declareTypes, undeclareType } from './write-types.ts'

const route = routeIn('Events')

/** The catalogue of events, for members. */
function memberRoutes(app: Routes, ctx: Context): void {
  readingRoutes(app, ctx)
  declaringRoutes(app, ctx)
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/event-types',
    route({
      id: 'listEventTypes',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'Types of events that apps send or somebody declared, by name',
      description:
        'Lists each type with what is declared of it, how many events came, and where they differ from the declaration. `others` counts types beyond those that are kept apart.',
      query: ListQuery,
      out: ListPage,
    }),
    async (request) => {
      const query = queryOf(request)
      const asked = await askedOf(ctx, request, query.environment)
      const search = (query.search ?? '').toLowerCase()
      const found = (await listTypes(ctx, asked)).filter(
        (type) =>
          isInState(type, query.state) && [type.name, type.description, type.owner].some((text) => text.toLowerCase().includes(search)),
      )
      const { items, total, next } = shortPage(found, query, ({ name }) => name)
      return ok({ types: items, others: await queries.findOthers(ctx.db, asked.workspaceId) }, { total, nextCursor: next })
    },
  )
  app.get(
    '/event-types/:eventType',
    route({
      id: 'getEventType',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'One type: its properties, its volume and what uses it',
      description:
        'Answers one type with its properties, declared and seen, its volume by day and the segments, journeys and reports that name it.',
      params: EventTypeParams,
      query: EnvironmentQuery,
      out: Ok(TypeSchema),
    }),
    async (request) => {
      const asked = await askedOf(ctx, request, queryOf(request).environment)
      return ok((await readType(ctx, asked, request.params.eventType)) ?? failWith(404, 'event type not found'))
    },
  )
  app.get(
    '/event-types/:eventType/values',
    route({
      id: 'listEventTypeValues',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'Frequent values of its properties, each of at least 20 people; never names and contacts',
      description:
        'Answers the most frequent values of each property. A value that fewer than 20 people sent, and what looks like a name or contact, is left out.',
      params: EventTypeParams,
      query: EnvironmentQuery,
      out: Ok(ValuesSchema),
    }),
    async (request) => {
      const asked = await askedOf(ctx, request, queryOf(request).environment)
      const { eventType } = request.params
      if (!(await queries.findType(ctx.db, asked.workspaceId, eventType))) failWith(404, 'event type not found')
      return ok(await readValues(ctx, asked, eventType))
    },
  )
}

function declaringRoutes(app: Routes, ctx: Context): void {
  declareAllRoute(app, ctx, 'member')
  app.put(
    '/event-types/:eventType',
    route({
      id: 'declareEventType',
      auth: 'member',
      permission: 'analytics:write',
      summary: 'Declare a type, or change what is declared of it; no event is refused for it',
      description:
        'Says which properties a type has, of which kind, and who looks after it. Events that differ are still stored and shown as violations. A property that reports use is not removed (IN_USE).',
      params: EventTypeParams,
      body: TypeBody,
      out: Ok(TypeSchema),
      bodyLimit: BODY_BYTES.eventTypes,
      refuses: ['EVENT_TYPE_LIMIT', 'IN_USE'],
    }),
    async (request) => {
      const asked = await askedOf(ctx, request, undefined)
      const { eventType: name } = request.params
      const read = readDeclaredType({ ...objectBody(request), name })
      if (!read.ok) return failWith(400, read.error)
      await declareType(ctx, actorOf(request), read.value)
      return ok((await readType(ctx, asked, name)) ?? failWith(404, 'event type not found'))
    },
  )
  app.delete(
    '/event-types/:eventType',
    route({
      id: 'undeclareEventType',
      auth: 'member',
      permission: 'analytics:write',
      summary: 'Undeclare a type; one that nobody declared is taken off the list',
      description: 'Takes the declaration away; the events stay. A type that reports use is refused with IN_USE.',
      params: EventTypeParams,
      out: Deleted,
      refuses: ['IN_USE'],
    }),
    async (request) => {
      await undeclareType(ctx, actorOf(request), request.params.eventType)
      return ok({ deleted: true as const })
    },
  )
}

/** The same for editors and for build pipelines, each under the root of their credential. */
function declareAllRoute(app: Routes, ctx: Context, auth: 'member' | 'write'): void {
  app.put(
    '/event-types',
    route({
      id: auth === 'member' ? 'declareEventTypes' : { client: 'pushEventTypes', management: 'pushEventTypes' },
      auth,
      ...(auth === 'member' && { permission: 'analytics:write' as const }),
      summary: 'Declare all types at once: what is not named is undeclared, and a repeat writes nothing',
      description:
        'Makes the declarations exactly those of the body: new ones are made, changed ones changed, the rest undeclared. With `dryRun` the same plan is answered and nothing is stored.',
      body: TypesBody,
      out: Ok(PlanSchema),
      bodyLimit: BODY_BYTES.eventTypes,
      refuses: ['EVENT_TYPE_LIMIT', 'IN_USE'],
    }),
    async (request) => {
      const { types, dryRun = false, ...others } = objectBody(request)
      const unknown = Object.keys(others)[0]
      if (unknown !== undefined) failWith(400, 'the body takes types and dryRun')
      if (typeof dryRun !== 'boolean') return failWith(400, 'dryRun must be true or false')
      const read = readDeclaredTypes(types)
      if (!read.ok) return failWith(400, read.error)
      return ok(await declareTypes(ctx, actorOf(request), read.value, { isDryRun: dryRun }))
    },
  )
}

/** For build pipelines, by write key. */
function pipelineRoutes(app: Routes, ctx: Context): void {
  const pipeline = routeIn('Build pipeline')
  declareAllRoute(app, ctx, 'write')
  app.get(
    '/event-types',
    pipeline({
      id: 'pullEventTypes',
      auth: 'write',
      summary: 'Declared types, and what apps send besides, by name',
      description: 'Answers the declarations in the form that PUT /event-types takes, with types that apps send and nobody declared.',
      query: PageQuery,
      out: PipelinePage,
    }),
    async (request) => {
      const { workspaceId } = actorOf(request)
      const all = (await queries.listTypes(ctx.db, workspaceId)).filter(({ hiddenAt }) => hiddenAt === null)
      const { items, total, next } = shortPage(all, queryOf(request), ({ name }) => name)
      const types = await listForPipeline(ctx, workspaceId, items)
      return ok({ types, others: await queries.findOthers(ctx.db, workspaceId) }, { total, nextCursor: next })
    },
  )
}

async function askedOf(ctx: Context, request: FastifyRequest, environment: Environment | undefined) {
  const { workspaceId } = memberCaller(request)
  return { workspaceId, environment: environment ?? (await findOwnEnvironment(ctx.db, workspaceId)) }
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  client: (app, { ctx }) => pipelineRoutes(app, ctx),
  management: (app, { ctx }) => memberRoutes(app, ctx),
}
