import { limitsOf } from '@contentflow/core/access/allows.ts'
import { PERMISSIONS, permissionsOf, type DocumentedRole } from '@contentflow/core/access/permissions.ts'
import { ROLE_PRESETS } from '@contentflow/core/access/presets.ts'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers/envelope.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Type } from '../../http/schema.ts'
import { checkAccess } from './check.ts'
import { AccessSchema, CheckBody, CheckSchema, RoleBody, RoleSchema } from './present.ts'
import { listRoles } from './queries-roles.ts'
import { changeRole, createRole, removeRole, requireRole } from './roles.ts'

const Params = pathOf({ id: 'The id of the role' })
const DOCUMENTED: readonly DocumentedRole[] = ['viewer', 'editor', 'admin']

/** Roles of the workspace. */
export function roleRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Access')
  app.get(
    '/roles',
    route({
      id: 'listRoles',
      auth: 'member',
      permission: 'members:read',
      summary: 'Roles that this workspace made',
      description:
        'Lists the roles that this workspace made, with their permissions and limits. The roles viewer, editor and admin are not among them.',
      out: Ok(Type.Object({ roles: Type.Array(RoleSchema) })),
    }),
    async (request) => ok({ roles: await listRoles(ctx.db, memberCaller(request).workspaceId) }),
  )
  app.get(
    '/roles/:id',
    route({
      id: 'getRole',
      auth: 'member',
      permission: 'members:read',
      summary: 'A role',
      description: 'Answers one role that this workspace made, with its permissions and limits, such as block types or languages.',
      params: Params,
      out: Ok(RoleSchema),
    }),
    async (request) => ok(await requireRole(ctx.db, memberCaller(request).workspaceId, request.params.id)),
  )
  app.post(
    '/roles',
    route({
      id: 'createRole',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Make a role of what you hold yourself',
      description:
        'Makes a role from permissions that you hold yourself; more is refused with GRANT_TOO_WIDE. Limits narrow it, for example to block types or languages.',
      body: RoleBody,
      out: { 201: Ok(RoleSchema) },
      refuses: ['ROLE_LIMIT', 'NAME_TAKEN', 'GRANT_TOO_WIDE'],
    }),
    async (request, reply) => reply.code(201).send(ok(await createRole(ctx, memberCaller(request), bodyOf(request)))),
  )
  app.put(
    '/roles/:id',
    route({
      id: 'updateRole',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Say of a role what it is from now on, for whoever has it',
      description:
        'Replaces name, permissions and limits. Whoever has the role has the new rights from their next request on. A role that holds more than you do is refused.',
      params: Params,
      headers: IfMatch,
      body: RoleBody,
      out: Ok(RoleSchema),
      refuses: ['NAME_TAKEN', 'GRANT_TOO_WIDE', 'VERSION_CHANGED'],
    }),
    async (request) => {
      const { id } = request.params
      await requireRole(ctx.db, memberCaller(request).workspaceId, id)
      const asked = { body: bodyOf(request), expectedVersion: expectedVersion(request) }
      return ok(await changeRole(ctx, memberCaller(request), id, asked))
    },
  )
  app.delete(
    '/roles/:id',
    route({
      id: 'deleteRole',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Delete a role that nobody has',
      description: 'Deletes a role. While members or service accounts have it, it is refused with ROLE_IN_USE.',
      params: Params,
      out: Deleted,
      refuses: ['ROLE_IN_USE', 'GRANT_TOO_WIDE'],
    }),
    async (request) => {
      await removeRole(ctx, memberCaller(request), request.params.id)
      return ok({ deleted: true as const })
    },
  )
}

/** What permissions there are, and why somebody may do something or may not. */
export function accessRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Access')
  app.get(
    '/access/permissions',
    route({
      id: 'getPermissions',
      auth: 'member',
      permission: 'members:read',
      summary: 'Every permission, roles to start from, and what you hold',
      description:
        'Answers all permissions with the documented roles that hold each and what can limit it, ready-made sets for new roles, and what you hold yourself.',
      out: Ok(AccessSchema),
    }),
    async (request) => {
      const { grant } = memberCaller(request)
      const permissions = PERMISSIONS.map((name) => ({
        name,
        roles: DOCUMENTED.filter((role) => permissionsOf(role, role === 'admin').has(name)),
        limitedBy: [...limitsOf(name)],
      }))
      const presets = ROLE_PRESETS.map((preset) => ({ ...preset, permissions: [...preset.permissions], limitBy: [...preset.limitBy] }))
      return ok({ permissions, presets, yours: { permissions: [...grant.permissions].sort(), limits: grant.limits } })
    },
  )
  app.post(
    '/access/check',
    route({
      id: 'checkAccess',
      auth: 'member',
      permission: 'members:read',
      isRead: true,
      summary: 'Whether a member or a service account may do something, and what is missing',
      description:
        'Answers whether somebody may do a named thing now, and the permission, limit or state of the workspace that is in the way. Nothing is done.',
      body: CheckBody,
      out: Ok(CheckSchema),
    }),
    async (request) => {
      const { target = {}, ...asked } = bodyOf(request)
      return ok(await checkAccess(ctx.db, memberCaller(request).workspaceId, { ...asked, target }))
    },
  )
}
