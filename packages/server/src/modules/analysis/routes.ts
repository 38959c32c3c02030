import type { FastifyReply, FastifyRequest } from 'fastify'
import type { QuestionKind } from '@contentflow/core/analysis/question.ts'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { EnvironmentAsked, Ok, queryOf, Type } from '../../http/schema.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { toCsv } from './csv.ts'
import {
  asCsvToo,
  ExploreBody,
  ExploreSchema,
  FunnelBody,
  FunnelPeopleBody,
  FunnelPeopleSchema,
  FunnelSchema,
  FunnelSegmentBody,
  MadeSegmentSchema,
  RetentionBody,
  RetentionSchema,
} from './present.ts'
import { answer, answerPeople, readAsked, type Answered } from './questions/ask.ts'
import { makeSegment } from './questions/make-segment.ts'
import { reportRoutes } from './reports/routes-reports.ts'

const route = routeIn('Analysis')
const Query = Type.Object({ environment: EnvironmentAsked })
const REFUSES = ['ANALYSIS_BUSY', 'ANALYSIS_TOO_LARGE', 'ROLE_REQUIRED'] as const

/** Questions about what people did, for members. */
function analysisRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/analysis/explore',
    route({
      id: 'exploreEvents',
      auth: 'member',
      permission: 'analytics:read',
      isRead: true,
      sends: ['Content-Disposition'],
      summary: 'How many events or people, or what sum, over time',
      description:
        'Counts events, people or a sum over time, split by a property where asked. With `Accept: text/csv` the answer is a table. 429 ANALYSIS_BUSY while others ask, 422 ANALYSIS_TOO_LARGE when too many events are in question.',
      query: Query,
      body: ExploreBody,
      out: asCsvToo(ExploreSchema),
      refuses: REFUSES,
    }),
    async (request, reply) => send(request, reply, await ask(ctx, request, 'explore', queryOf(request).environment)),
  )
  app.post(
    '/analysis/funnel',
    route({
      id: 'askFunnel',
      auth: 'member',
      permission: 'analytics:read',
      isRead: true,
      sends: ['Content-Disposition'],
      summary: 'How many people go from step to step within a window',
      description:
        'Answers how many people took each step in order within the window, and how long it took them. With `Accept: text/csv` the answer is a table.',
      query: Query,
      body: FunnelBody,
      out: asCsvToo(FunnelSchema),
      refuses: REFUSES,
    }),
    async (request, reply) => send(request, reply, await ask(ctx, request, 'funnel', queryOf(request).environment)),
  )
  app.post(
    '/analysis/funnel/people',
    route({
      id: 'listFunnelPeople',
      auth: 'member',
      permission: 'people:read',
      isRead: true,
      summary: 'Who took a step of a funnel, or went no further',
      description:
        'Lists people who took the named step, or with `dropped` those who went no further. A question about a segment by imported or industry data takes the permission people:enrichment.',
      query: Query,
      body: FunnelPeopleBody,
      out: Ok(FunnelPeopleSchema),
      refuses: REFUSES,
    }),
    async (request) => ok(await askPeople(ctx, request, queryOf(request).environment)),
  )
  app.post(
    '/analysis/funnel/segment',
    route({
      id: 'makeSegmentOfFunnel',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Make a segment of the people of a step: by a rule where one says exactly those, else of up to 1,000 added by hand',
      description:
        'Saves a segment from the people of one step. `way` in the answer says whether a rule describes them or they were added by hand. With strict approvals this may take approval rights.',
      query: Query,
      body: FunnelSegmentBody,
      out: { 201: Ok(MadeSegmentSchema) },
      refuses: [...REFUSES, 'SEGMENT_LIMIT', 'TRACKERS_EXCEEDED', 'SEGMENT_CIRCLE', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => reply.code(201).send(ok(await makeSegmentOfPeople(ctx, request, queryOf(request).environment))),
  )
  app.post(
    '/analysis/retention',
    route({
      id: 'askRetention',
      auth: 'member',
      permission: 'analytics:read',
      isRead: true,
      sends: ['Content-Disposition'],
      summary: 'Who comes back, by when they began',
      description:
        'Answers of those who began in each day, week or month how many came back in the following ones. With `Accept: text/csv` the answer is a table.',
      query: Query,
      body: RetentionBody,
      out: asCsvToo(RetentionSchema),
      refuses: REFUSES,
    }),
    async (request, reply) => send(request, reply, await ask(ctx, request, 'retention', queryOf(request).environment)),
  )
  reportRoutes(app, ctx)
}

async function ask(ctx: Context, request: FastifyRequest, kind: QuestionKind, environment: Environment | undefined): Promise<Answered> {
  const caller = memberCaller(request)
  const question = await readAsked(ctx, caller.workspaceId, kind, objectBody(request) as Json)
  return answer(ctx, { caller, environment }, question)
}

async function askPeople(ctx: Context, request: FastifyRequest, environment: Environment | undefined) {
  const caller = memberCaller(request)
  const { question, people } = await readPeople(ctx, caller.workspaceId, objectBody(request))
  return answerPeople(ctx, { caller, environment }, question, people)
}

async function makeSegmentOfPeople(ctx: Context, request: FastifyRequest, environment: Environment | undefined) {
  const caller = memberCaller(request)
  const { name, ...asked } = objectBody(request)
  if (typeof name !== 'string') return failWith(400, 'name is required')
  const { question, people } = await readPeople(ctx, caller.workspaceId, asked)
  return makeSegment(ctx, actorOf(request), { caller, environment }, { question, name, people })
}

/** A funnel, and which of its people. */
async function readPeople(ctx: Context, workspaceId: string, { step, dropped = false, ...definition }: Record<string, unknown>) {
  const question = await readAsked(ctx, workspaceId, 'funnel', definition as Json)
  if (question.kind !== 'funnel') return failWith(400, 'steps are needed')
  const last = question.steps.length
  if (typeof step !== 'number' || !Number.isInteger(step) || step < 1 || step > last)
    return failWith(400, `step must be a whole number from 1 to ${last}`)
  if (typeof dropped !== 'boolean') return failWith(400, 'dropped must be true or false')
  return { question, people: { step: step - 1, isDropped: dropped } }
}

function send(request: FastifyRequest, reply: FastifyReply, answered: Answered): FastifyReply {
  if (!/\btext\/csv\b/.test(request.headers.accept ?? '')) return reply.send(ok(answered))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${answered.kind}.csv"`)
    .send(toCsv(answered))
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => analysisRoutes(app, ctx),
}
