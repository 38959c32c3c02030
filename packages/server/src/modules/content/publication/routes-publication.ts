import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { actorOf } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { expectedVersion, IfMatch } from '../../../http/if-match.ts'
import { pathOf, BLOCK_KEY, INSTANCE_ID } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import {
  AskedSchema,
  bodyOf,
  Deleted,
  EnvironmentName,
  Ok,
  Page,
  PageQuery,
  queryOf,
  timeOf,
  TimeParam,
  Type,
  type Static,
} from '../../../http/schema.ts'
import { zoneOfDays } from '../../calendar/index.ts'
import type { Target } from './instances.ts'
import { InstanceSchema } from '../revisions/present.ts'
import * as queries from '../revisions/queries.ts'
import { getInstance } from '../revisions/queries-instances.ts'
import { presentSaved } from '../revisions/warn.ts'
import { restoreInstance } from './deleted.ts'
import { contentOfRevision } from '../revisions/move-pointers.ts'
import { HistorySchema, MovedSchema, presentMoved, presentScheduled, presentServed, ScheduledSchema, ServedSchema } from './present.ts'
import { publishInstance, unpublishInstance } from './publish.ts'
import { findPointerAt, pageHistory } from '../revisions/queries-events.ts'
import { listPublications } from '../revisions/queries-publications.ts'
import { cancelScheduled, reschedule } from './scheduled.ts'

export const InstanceParams = pathOf({ key: BLOCK_KEY, id: INSTANCE_ID })
const ScheduledParams = pathOf({ key: BLOCK_KEY, id: INSTANCE_ID, scheduleId: 'The id of the planned moment' })
const targets = {
  target: Type.Optional(EnvironmentName),
  targets: Type.Optional(Type.Array(EnvironmentName, { minItems: 1, maxItems: 2, uniqueItems: true })),
}
const PublishBody = Type.Object({
  ...targets,
  revision: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'The newest one when left out' })),
  at: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601, in the future; at once when left out' })),
})
const UnpublishBody = Type.Object(targets)
const MoveBody = Type.Object({ at: Type.String({ maxLength: 40, description: 'ISO 8601, in the future' }) })
const AtQuery = Type.Object({
  time: TimeParam('ISO 8601; now when left out'),
  environment: Type.Enum(['live', 'test'], { default: 'live', description: 'Whose content is asked for' }),
})

export type InstanceRequest = FastifyRequest<{ Params: Static<typeof InstanceParams> }>

export function targetOf(request: InstanceRequest): Target {
  const { key, id } = request.params
  return { ...actorOf(request), blockKey: key, id }
}

/** 404 comes before what is wrong with the body (G-04). */
export async function existingTarget(ctx: Context, request: InstanceRequest): Promise<Target> {
  const target = targetOf(request)
  await queries.getActiveDefinition(ctx.db, target.workspaceId, target.blockKey)
  await getInstance(ctx.db, target.workspaceId, target.blockKey, target.id)
  return target
}

/** A day without a time begins by the clocks of the workspace (G-90). */
async function momentOf(ctx: Context, { workspaceId }: { workspaceId: string }, name: string, text: string | undefined) {
  return timeOf(name, text, await zoneOfDays(ctx.db, workspaceId, text))
}

const route = routeIn('Instances')
const path = '/blocks/:key/instances/:id'

/** What clients get of an instance now, got before, and will get (G-37, G-82). */
export function publicationRoutes(app: Routes, ctx: Context): void {
  app.post(
    `${path}/publish`,
    route({
      id: 'publishInstance',
      auth: 'member',
      permission: 'content:publish',
      summary: 'Publish to live (default), test or both: the newest revision or a named one, now or at a moment',
      description:
        'Gives one revision to the apps of the environments that are named, at once or at `at`. 202 with `scheduled` says it waits for its moment; 202 with `requestId` that it waits for a second person. With If-Match only the version that you looked at is published. Content whose required fields are empty is 400.',
      body: PublishBody,
      headers: IfMatch,
      params: InstanceParams,
      out: {
        200: Ok(InstanceSchema),
        202: Type.Union([Ok(AskedSchema), Ok(Type.Object({ ...InstanceSchema.properties, scheduled: ScheduledSchema }))]),
      },
      refuses: ['VERSION_CHANGED', 'TEST_ENV_RETIRED', 'WORKSPACE_FULL', 'ADDRESS_NOT_PROVED', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      const existing = await existingTarget(ctx, request)
      const { target = 'live', targets: named, revision, at } = bodyOf(request)
      const wish = { targets: named ?? [target], revision, at: await momentOf(ctx, existing, 'at', at) }
      const { instance, definition, asked, scheduled, warnings } = await publishInstance(ctx, existing, wish, expectedVersion(request))
      if (asked) return reply.code(202).send(ok(asked))
      const shown = await presentSaved(ctx, existing.workspaceId, { instance, definition }, warnings)
      return scheduled ? reply.code(202).send(ok({ ...shown, scheduled: presentScheduled(scheduled) })) : reply.send(ok(shown))
    },
  )
  app.post(
    `${path}/unpublish`,
    route({
      id: 'unpublishInstance',
      auth: 'member',
      permission: 'content:publish',
      summary: 'Take out of live, test, or both (default)',
      description:
        'Takes the instance away from the apps of one or both environments; its content stays. While publishing takes a second person, members without approval rights ask for it (202) where something is live.',
      body: UnpublishBody,
      params: InstanceParams,
      out: { 200: Ok(InstanceSchema), 202: Ok(AskedSchema) },
      refuses: ['ADDRESS_NOT_PROVED'],
    }),
    async (request, reply) => {
      const existing = await existingTarget(ctx, request)
      const { target, targets: named } = bodyOf(request)
      const { asked, ...saved } = await unpublishInstance(ctx, existing, named ?? (target ? [target] : ['live', 'test']))
      return asked ? reply.code(202).send(ok(asked)) : reply.send(ok(await presentSaved(ctx, existing.workspaceId, saved)))
    },
  )
  app.post(
    `${path}/restore`,
    route({
      id: 'restoreInstance',
      auth: 'member',
      permission: 'content:write',
      summary: 'Bring a deleted instance back, as a draft',
      description: 'Takes a deleted instance out of the bin. It comes back as a draft and has to be published again.',
      params: InstanceParams,
      out: Ok(InstanceSchema),
      refuses: ['WORKSPACE_FULL', 'ANSWER_TOO_LONG'],
    }),
    async (request) => {
      const target = targetOf(request)
      return ok(await presentSaved(ctx, target.workspaceId, await restoreInstance(ctx, target)))
    },
  )
  scheduleRoutes(app, ctx)
  pastRoutes(app, ctx)
}

function scheduleRoutes(app: Routes, ctx: Context): void {
  app.get(
    `${path}/schedule`,
    route({
      id: 'listScheduledPublications',
      auth: 'member',
      permission: 'content:read',
      summary: 'What of an instance is to be published when, the soonest first',
      description: 'Lists the planned publications of one instance with their moment, revision, environments and who planned them.',
      params: InstanceParams,
      out: Ok(Type.Object({ schedule: Type.Array(ScheduledSchema) })),
    }),
    async (request) => {
      const { workspaceId, id } = await existingTarget(ctx, request)
      return ok({ schedule: (await listPublications(ctx.db, workspaceId, id)).map(presentScheduled) })
    },
  )
  app.put(
    `${path}/schedule/:scheduleId`,
    route({
      id: 'rescheduleInstance',
      auth: 'member',
      permission: 'content:publish',
      summary: 'Publish it at another moment',
      description:
        'Moves one planned publication to another moment in the future. While publishing takes a second person the old moment stays until somebody agreed (202).',
      params: ScheduledParams,
      body: MoveBody,
      out: { 200: Ok(MovedSchema), 202: Ok(AskedSchema) },
      refuses: ['ADDRESS_NOT_PROVED'],
    }),
    async (request, reply) => {
      const existing = await existingTarget(ctx, request)
      const at = (await momentOf(ctx, existing, 'at', bodyOf(request).at)) ?? failWith(400, 'at is required')
      const { asked, publication, warnings } = await reschedule(ctx, existing, request.params.scheduleId, at)
      return asked ? reply.code(202).send(ok(asked)) : reply.send(ok(presentMoved(publication, warnings)))
    },
  )
  app.delete(
    `${path}/schedule/:scheduleId`,
    route({
      id: 'unscheduleInstance',
      auth: 'member',
      permission: 'content:publish',
      summary: 'Do not publish it after all',
      description: 'Deletes one planned publication. Apps go on getting what they get.',
      params: ScheduledParams,
      out: Deleted,
    }),
    async (request) => {
      await cancelScheduled(ctx, await existingTarget(ctx, request), request.params.scheduleId)
      return ok({ deleted: true as const })
    },
  )
}

function pastRoutes(app: Routes, ctx: Context): void {
  app.get(
    `${path}/history`,
    route({
      id: 'listInstanceHistory',
      auth: 'member',
      permission: 'content:read',
      summary: 'Who saved, published, scheduled or deleted what, newest first',
      description: 'Lists what was done with one instance and by whom: saves, publications, plans, requests and deletion.',
      params: InstanceParams,
      query: PageQuery,
      out: Page('history', HistorySchema),
    }),
    async (request) => {
      const { workspaceId, id } = await existingTarget(ctx, request)
      const { limit, cursor } = queryOf(request)
      return page('history', await pageHistory(ctx.db, workspaceId, id, { after: cursor, limit }))
    },
  )
  app.get(
    `${path}/at`,
    route({
      id: 'getInstanceAt',
      auth: 'member',
      permission: 'content:read',
      summary: 'What an environment was served of an instance at a time',
      description:
        'Answers the content that one environment was served at a moment, which is what an app could show then. `content` is null when nothing was published.',
      params: InstanceParams,
      query: AtQuery,
      out: Ok(ServedSchema),
    }),
    async (request) => {
      const { workspaceId, blockKey, id } = await existingTarget(ctx, request)
      const { time: text, environment } = queryOf(request)
      const time = (await momentOf(ctx, { workspaceId }, 'time', text)) ?? ctx.clock.now()
      const pointer = (of: 'live' | 'test') => findPointerAt(ctx.db, workspaceId, id, of, time)
      const revision = (environment === 'test' ? await pointer('test') : null) ?? (await pointer('live'))
      const { fields } = await queries.getActiveDefinition(ctx.db, workspaceId, blockKey)
      const instance = await getInstance(ctx.db, workspaceId, blockKey, id)
      const content = revision === null ? null : await contentOfRevision({ tx: ctx.db, workspaceId }, instance, revision)
      return ok({ environment, time, revision, content: presentServed(content, fields) })
    },
  )
}
