import { roundedCount } from '@contentflow/core/targeting/write-only.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { readOnce } from '../../infra/once/once.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { objectBody } from '../../http/bodies/body.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { Deleted, EnvironmentAsked, Nullable, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { shortPage } from '../../http/short-list.ts'
import { summarizeInstancesFor } from '../content/index.ts'
import { findOwnEnvironment } from '../people/index.ts'
import { changeMembersByHand } from './bulk.ts'
import { openFields } from './list-fields.ts'
import {
  BulkBody,
  BulkSchema,
  ChangeBody,
  FieldsPage,
  INSTANCES_NAMED,
  USES_NAMED,
  hideUses,
  presentSegment,
  PreviewBody,
  PreviewSchema,
  SegmentBody,
  SegmentSchema,
} from './present.ts'
import { warnOfTypes } from '../behaviour/index.ts'
import { previewSegment } from './preview.ts'
import * as queries from './queries.ts'
import type { Segment } from './queries.ts'
import { listCampaignsFor, listJourneysFor, listMessagesFor } from './queries-uses.ts'
import { recomputeNow } from './membership/recompute.ts'
import { changeSegment, createSegment, deleteSegment } from './segments.ts'
import { guardWriteOnly, roundedFor } from './write-only.ts'

const Params = pathOf({ id: 'The id of the segment' })
const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
})
const FieldsQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the field' })),
})
const MembersQuery = Type.Object({ ...PageQuery.properties, environment: EnvironmentAsked })
const DeleteQuery = Type.Object({ force: Type.Boolean({ default: false, description: 'Delete it although something uses it' }) })
const MembersPage = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    userIds: Type.Array(Type.String()),
    deviceIds: Type.Array(Type.String(), { description: 'Members without a user: devices that consented' }),
    members: Type.Array(
      Type.Object({
        userId: Nullable(Type.String()),
        deviceId: Nullable(Type.String({ description: 'Of an anonymous person' })),
        name: Nullable(Type.String()),
        email: Nullable(Type.String()),
        phone: Nullable(Type.String()),
      }),
      { description: 'The same people in their order, with the name and the contacts of each' },
    ),
  }),
  metadata: Page('members', Type.Object({})).properties.metadata,
})
const route = routeIn('Segments')

/** Segments for the dashboard (M-SEG, G-43) and for loading from servers (M-BULK-17). */
function segmentRoutes(app: Routes, ctx: Context): void {
  readingRoutes(app, ctx)
  writingRoutes(app, ctx)
  fieldsRoute(app, ctx)
  bulkRoute(app, ctx)
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/segments',
    route({
      id: 'listSegments',
      auth: 'member',
      permission: 'segments:read',
      summary: 'List segments, oldest first',
      description:
        'Lists segments with their rules, the number of stored members and what uses each. Counts of segments by industry or imported data are rounded for viewers.',
      query: ListQuery,
      out: Page('segments', SegmentSchema),
    }),
    async (request) => {
      const caller = memberCaller(request)
      const { limit, cursor, search } = queryOf(request)
      const found = await queries.pageSegments(ctx.db, caller.workspaceId, { after: cursor, limit, search })
      return page('segments', { ...found, items: await presentAll(ctx, caller, found.items) })
    },
  )
  app.get(
    '/segments/:id',
    route({
      id: 'getSegment',
      auth: 'member',
      permission: 'segments:read',
      summary: 'Read a segment; the ETag is its version',
      description:
        'Answers one segment with its rules, the number of its members and what uses it. Send the ETag as If-Match with the next change.',
      sends: ['ETag'],
      params: Params,
      out: Ok(SegmentSchema),
    }),
    async (request, reply) => answer(ctx, request, reply, await existing(ctx, request)),
  )
  app.get(
    '/segments/:id/members',
    route({
      id: 'listSegmentMembers',
      auth: 'member',
      permission: 'people:read',
      summary: 'Stored members; of industry data and imported data for editors and admins',
      description:
        'Lists people who are in the segment as it is stored: users and consenting devices without one. Contacts are masked for whoever lacks `people:contacts`.',
      params: Params,
      query: MembersQuery,
      out: MembersPage,
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await existing(ctx, request)
      await guardWriteOnly(ctx, memberCaller(request), { segments: [id] })
      const { limit, cursor, environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const { items, next, total } = await queries.pageMembers(ctx.db, workspaceId, environment, id, { after: cursor, limit })
      const userIds = items.flatMap((row) => row.user_id ?? [])
      const deviceIds = items.flatMap((row) => row.device_id ?? [])
      const members = items.map(({ user_id, device_id, name, email, phone }) => ({
        userId: user_id,
        deviceId: device_id,
        name,
        email,
        phone,
      }))
      return ok({ userIds, deviceIds, members }, { total, nextCursor: next })
    },
  )
  app.post(
    '/segments/preview',
    route({
      id: 'previewSegment',
      auth: 'member',
      permission: 'segments:read',
      isRead: true,
      // With rules on events that nobody keeps histories for, those of up to two million events are in memory.
      readsAll: true,
      summary: 'Who would be a member; nothing is stored. Of industry data and imported data for editors and admins',
      description: 'Works out who would be in a segment with these rules and answers the number and some of them.',
      body: PreviewBody,
      out: Ok(PreviewSchema),
      bodyLimit: BODY_BYTES.segment,
    }),
    async (request) => ok(await previewSegment(ctx, memberCaller(request), objectBody(request))),
  )
}

function writingRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/segments',
    route({
      id: 'createSegment',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Make a segment',
      description:
        'Saves a segment and works out its members. `warnings` names event types in the rules that no app sends. With strict approvals, a name that content uses already takes approval rights.',
      sends: ['ETag'],
      body: SegmentBody,
      out: { 201: Ok(SegmentSchema) },
      bodyLimit: BODY_BYTES.segment,
      refuses: ['SEGMENT_LIMIT', 'TRACKERS_EXCEEDED', 'SEGMENT_CIRCLE', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => {
      const segment = await createSegment(ctx, actorOf(request), objectBody(request))
      return answer(ctx, request, reply.code(201), segment, await warnOfTypes(ctx, memberCaller(request).workspaceId, segment.rules))
    },
  )
  app.put(
    '/segments/:id',
    route({
      id: 'updateSegment',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Change a segment; members left out stay. Content that names it keeps the old name, unless its uses are renamed too',
      description:
        'Changes name, rules or exclusions and works the members out again. Content that names the segment by its old name keeps it, unless the uses are renamed too. With strict approvals, a change of the people of a segment in use takes approval rights; a new name for the same people does not.',
      sends: ['ETag'],
      params: Params,
      headers: IfMatch,
      body: ChangeBody,
      out: Ok(SegmentSchema),
      bodyLimit: BODY_BYTES.segment,
      refuses: ['VERSION_CHANGED', 'SEGMENT_CIRCLE', 'TRACKERS_EXCEEDED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request, reply) => {
      const { id } = await existing(ctx, request)
      const { segment, warnings } = await changeSegment(ctx, actorOf(request), id, objectBody(request), expectedVersion(request))
      const ofTypes = await warnOfTypes(ctx, memberCaller(request).workspaceId, segment.rules)
      return answer(ctx, request, reply, segment, [...warnings, ...ofTypes])
    },
  )
  app.delete(
    '/segments/:id',
    route({
      id: 'deleteSegment',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Delete a segment that nothing uses',
      description:
        'Deletes a segment. One that is in use is refused with 409, unless `force` is sent; what is for it then reaches nobody. With strict approvals, deleting one in use takes approval rights.',
      params: Params,
      headers: IfMatch,
      query: DeleteQuery,
      out: Deleted,
      refuses: ['VERSION_CHANGED', 'APPROVAL_NEEDED'],
    }),
    async (request) => {
      const { id } = await existing(ctx, request)
      const { force: isForced } = queryOf(request)
      await deleteSegment(ctx, actorOf(request), id, { isForced, expectedVersion: expectedVersion(request) })
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/segments/:id/refresh',
    route({
      id: 'refreshSegment',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Work the stored members out again',
      description:
        'Works out the members of one segment anew, which the server does by itself when people or rules change. Answers the segment with its new number.',
      sends: ['ETag'],
      params: Params,
      out: { 202: Ok(SegmentSchema) },
    }),
    async (request, reply) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await existing(ctx, request)
      await recomputeNow(ctx, workspaceId, [id])
      return answer(ctx, request, reply.code(202), await readOnce(ctx.db, () => existing(ctx, request)))
    },
  )
}

function fieldsRoute(app: Routes, ctx: Context): void {
  const listFields = openFields(ctx)
  app.get(
    '/segments/fields',
    route({
      id: 'listSegmentFields',
      auth: 'member',
      permission: 'segments:read',
      summary: 'Fields a rule can name: the fixed ones, then the attributes that people have, most frequent first',
      description: 'Lists what a rule can ask for, each with its type and frequent values.',
      query: FieldsQuery,
      out: FieldsPage,
    }),
    async (request) => {
      const { fields, ...facts } = await listFields(memberCaller(request).workspaceId)
      const query = queryOf(request)
      const search = (query.search ?? '').toLowerCase()
      const found = fields.filter(({ field }) => field.toLowerCase().includes(search))
      const { items, total, next } = shortPage(found, query, ({ field }) => field)
      return ok({ fields: items, ...facts }, { total, nextCursor: next })
    },
  )
}

function bulkRoute(app: Routes, ctx: Context): void {
  app.post(
    '/users/bulk/segments',
    route({
      id: 'setSegmentsOfPeople',
      auth: 'member',
      permission: 'people:write',
      summary: 'Add people to a segment by hand, or take them out',
      description:
        'Adds up to 5,000 people to a segment, or takes them out, by their user ids and whatever its rules say. The answer counts people found and changed, and names the user ids that nobody has.',
      body: BulkBody,
      out: Ok(BulkSchema),
      bodyLimit: BODY_BYTES.userIds,
    }),
    async (request) => ok(await changeMembersByHand(ctx, actorOf(request), objectBody(request))),
  )
}

function existing(ctx: Context, request: FastifyRequest<{ Params: { id: string } }>): Promise<Segment> {
  return queries.getSegment(ctx.db, memberCaller(request).workspaceId, request.params.id)
}

async function answer(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  segment: Segment,
  warnings: readonly string[] = [],
): Promise<FastifyReply> {
  const [presented] = await presentAll(ctx, memberCaller(request), [segment], warnings)
  return reply.header('etag', `"${segment.version}"`).send(ok(presented))
}

async function presentAll(ctx: Context, caller: MemberCaller, segments: readonly Segment[], warnings: readonly string[] = []) {
  const { workspaceId } = caller
  const rounded = await roundedFor(ctx, caller)
  const environment = await findOwnEnvironment(ctx.db, workspaceId)
  const ids = segments.map(({ id }) => id)
  const counts = await queries.countMembers(ctx.db, workspaceId, environment, ids)
  const names = await queries.findNames(ctx.db, workspaceId, [...new Set(segments.flatMap(({ excluded }) => excluded))])
  const excluding = await queries.listExcluding(ctx.db, workspaceId, ids)
  const segmentNames = segments.map(({ name }) => name)
  const aimed = await summarizeInstancesFor(ctx.db, workspaceId, segmentNames, INSTANCES_NAMED)
  const campaigns = await listCampaignsFor(ctx.db, workspaceId, segmentNames)
  const journeys = await listJourneysFor(ctx.db, workspaceId, ids)
  const leaving = await listMessagesFor(ctx.db, workspaceId, segmentNames)
  return segments.map((segment) => {
    const { instances, count } = aimed.get(segment.name) ?? { instances: [], count: 0 }
    const messages = leaving.get(segment.name)?.slice(0, USES_NAMED) ?? []
    const usedBy = hideUses(caller.grant, {
      instances,
      instanceCount: count,
      segments: excluding.get(segment.id) ?? [],
      campaigns: campaigns.get(segment.name)?.slice(0, USES_NAMED) ?? [],
      journeys: journeys.get(segment.id)?.slice(0, USES_NAMED) ?? [],
      ...(messages.length > 0 && { messages }),
    })
    const members = counts.get(segment.id) ?? 0
    return presentSegment(segment, rounded.has(segment.id) ? roundedCount(members) : { count: members }, names, usedBy, warnings)
  })
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => segmentRoutes(app, ctx),
}
