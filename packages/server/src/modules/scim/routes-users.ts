import { applyPatch } from '@contentflow/core/scim/patch.ts'
import { USER } from '@contentflow/core/scim/shapes.ts'
import { readResource } from '@contentflow/core/scim/values.ts'
import type { Context } from '../../context.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { queryOf, Type } from '../../http/schema.ts'
import { listAnswer, sendScim } from './routes-answers.ts'
import { ListQuery, OneQuery, pageOf, project, Sent } from './routes-asked.ts'
import { presentUser } from './present.ts'
import { taken } from './scim-error.ts'
import { changeUser, createUser, listUsers, removeUser, requireUser } from './users.ts'

const Params = Type.Object({ id: Type.String() })
const route = routeIn('SCIM')
const provision = { auth: 'directory', permission: 'members:provision' } as const

export function userRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/Users',
    route({
      id: 'listScimUsers',
      ...provision,
      isRecordedRead: true,
      summary: 'Users of the directory',
      description: 'Answers one page of the people that the directory sent; `filter` finds some of them.',
      query: ListQuery,
    }),
    async (request, reply) => {
      const [caller, query] = [memberCaller(request), queryOf(request)]
      const page = pageOf(query)
      const { total, users } = await listUsers(ctx.db, caller.workspaceId, page)
      const resources = users.map((user) => project(presentUser(caller, user), query))
      return sendScim(reply, 200, listAnswer({ total, resources }, page.startIndex))
    },
  )
  app.get(
    '/Users/:id',
    route({
      id: 'getScimUser',
      ...provision,
      isRecordedRead: true,
      summary: 'A user',
      description: 'Answers one person as the directory sent them. The ETag is the version.',
      params: Params,
      query: OneQuery,
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      const user = presentUser(caller, await requireUser(ctx.db, caller.workspaceId, request.params.id))
      return sendScim(reply, 200, project(user, queryOf(request)), user.meta.version)
    },
  )
  app.post(
    '/Users',
    route({
      id: 'createScimUser',
      ...provision,
      summary: 'Send a user',
      description: 'Keeps a person of the directory. They become a member with their first sign-in, with the role that their groups give.',
      body: Sent,
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      const user = presentUser(caller, await createUser(ctx, caller, taken(readResource(USER, objectBody(request)))))
      return sendScim(reply.header('location', user.meta.location), 201, user, user.meta.version)
    },
  )
  changeRoutes(app, ctx)
}

function changeRoutes(app: Routes, ctx: Context): void {
  app.put(
    '/Users/:id',
    route({
      id: 'updateScimUser',
      ...provision,
      summary: 'Say all of a user',
      description: 'Replaces what is kept of a person; inactive ones lose their membership.',
      params: Params,
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      await requireUser(ctx.db, caller.workspaceId, request.params.id)
      const sent = taken(readResource(USER, objectBody(request)))
      // What leaves out whether they are active says nothing of it.
      const make = (before: typeof sent) => ({ active: before['active'] ?? true, ...sent })
      const changed = await changeUser(ctx, caller, request.params.id, { expectedVersion: expectedVersion(request), make })
      const user = presentUser(caller, changed)
      return sendScim(reply, 200, user, user.meta.version)
    },
  )
  app.patch(
    '/Users/:id',
    route({
      id: 'changeScimUser',
      ...provision,
      summary: 'Change some of a user',
      description: 'Carries out the operations of a PATCH in the dialects of Okta and Entra.',
      params: Params,
      query: OneQuery,
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      await requireUser(ctx.db, caller.workspaceId, request.params.id)
      const body = objectBody(request)
      const changed = await changeUser(ctx, caller, request.params.id, {
        expectedVersion: expectedVersion(request),
        make: (before) => taken(applyPatch(USER, before, body)),
      })
      const user = presentUser(caller, changed)
      return sendScim(reply, 200, project(user, queryOf(request)), user.meta.version)
    },
  )
  app.delete(
    '/Users/:id',
    route({
      id: 'deleteScimUser',
      ...provision,
      summary: 'Take a user away',
      description: 'Takes a person away, and their membership with them; a last admin stays.',
      params: Params,
    }),
    async (request, reply) => {
      await removeUser(ctx, memberCaller(request), request.params.id, expectedVersion(request))
      return reply.code(204).send()
    },
  )
}
