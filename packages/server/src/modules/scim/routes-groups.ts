import { applyPatch } from '@contentflow/core/scim/patch.ts'
import { GROUP } from '@contentflow/core/scim/shapes.ts'
import { readResource } from '@contentflow/core/scim/values.ts'
import type { Context } from '../../context.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { queryOf, Type } from '../../http/schema.ts'
import { listAnswer, sendScim } from './routes-answers.ts'
import { isWanted, ListQuery, OneQuery, pageOf, project, Sent } from './routes-asked.ts'
import { changeGroup, createGroup, findWithMembers, listGroups, removeGroup, requireGroup } from './groups.ts'
import { presentGroup } from './present.ts'
import { taken } from './scim-error.ts'

const Params = Type.Object({ id: Type.String() })
const route = routeIn('SCIM')
const provision = { auth: 'directory', permission: 'members:provision' } as const

export function groupRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/Groups',
    route({
      id: 'listScimGroups',
      ...provision,
      summary: 'Groups of the directory',
      description: 'Answers one page of the groups that the directory sent, with their members unless these are left out.',
      query: ListQuery,
    }),
    async (request, reply) => {
      const [caller, query] = [memberCaller(request), queryOf(request)]
      const page = pageOf(query)
      const { total, groups } = await listGroups(ctx.db, caller.workspaceId, { ...page, withMembers: isWanted(query, 'members') })
      const resources = groups.map(({ group, memberIds }) => project(presentGroup(caller, group, memberIds), query))
      return sendScim(reply, 200, listAnswer({ total, resources }, page.startIndex))
    },
  )
  app.get(
    '/Groups/:id',
    route({
      id: 'getScimGroup',
      ...provision,
      summary: 'A group',
      description: 'Answers one group with its members. The ETag is the version.',
      params: Params,
      query: OneQuery,
    }),
    async (request, reply) => {
      const [caller, { id }] = [memberCaller(request), request.params]
      await requireGroup(ctx.db, caller.workspaceId, id)
      const query = queryOf(request)
      const { group, memberIds } = await findWithMembers(ctx.db, caller.workspaceId, id, isWanted(query, 'members'))
      const shown = presentGroup(caller, group, memberIds)
      return sendScim(reply, 200, project(shown, query), shown.meta.version)
    },
  )
  app.post(
    '/Groups',
    route({
      id: 'createScimGroup',
      ...provision,
      summary: 'Send a group',
      description: 'Keeps a group of the directory; its name may give a role.',
      body: Sent,
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      const { group, memberIds } = await createGroup(ctx, caller, taken(readResource(GROUP, objectBody(request))))
      const shown = presentGroup(caller, group, memberIds)
      return sendScim(reply.header('location', shown.meta.location), 201, shown, shown.meta.version)
    },
  )
  changeRoutes(app, ctx)
}

function changeRoutes(app: Routes, ctx: Context): void {
  app.put(
    '/Groups/:id',
    route({
      id: 'updateScimGroup',
      ...provision,
      summary: 'Say all of a group',
      description: 'Replaces name and members of a group. Roles of its members follow.',
      params: Params,
    }),
    async (request, reply) => {
      const [caller, { id }] = [memberCaller(request), request.params]
      await requireGroup(ctx.db, caller.workspaceId, id)
      const sent = taken(readResource(GROUP, objectBody(request)))
      // What leaves out who is in it says nothing of them.
      const make = (before: typeof sent) => ({ members: before['members'] ?? [], ...sent })
      const { group, memberIds } = await changeGroup(ctx, caller, id, { expectedVersion: expectedVersion(request), make })
      const shown = presentGroup(caller, group, memberIds)
      return sendScim(reply, 200, shown, shown.meta.version)
    },
  )
  app.patch(
    '/Groups/:id',
    route({
      id: 'changeScimGroup',
      ...provision,
      summary: 'Change some of a group',
      description: 'Carries out the operations of a PATCH on a group. Roles of its members follow.',
      params: Params,
    }),
    async (request, reply) => {
      const [caller, { id }] = [memberCaller(request), request.params]
      await requireGroup(ctx.db, caller.workspaceId, id)
      const body = objectBody(request)
      const { group } = await changeGroup(ctx, caller, id, {
        expectedVersion: expectedVersion(request),
        make: (before) => taken(applyPatch(GROUP, before, body)),
      })
      // A group may have thousands of people: whoever changes one of them is not sent all of them.
      return reply.header('etag', `W/"${group.version}"`).code(204).send()
    },
  )
  app.delete(
    '/Groups/:id',
    route({
      id: 'deleteScimGroup',
      ...provision,
      summary: 'Take a group away',
      description: 'Takes a group away. Roles that it gave are taken back.',
      params: Params,
    }),
    async (request, reply) => {
      await removeGroup(ctx, memberCaller(request), request.params.id, expectedVersion(request))
      return reply.code(204).send()
    },
  )
}
