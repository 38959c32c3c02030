import type { Context } from '../../../../context.ts'
import { failWith } from '../../../../errors.ts'
import { memberCaller } from '../../../../http/callers/auth.ts'
import { ok, page } from '../../../../http/answers/envelope.ts'
import { pathOf } from '../../../../http/params.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { bodyOf, Deleted, Empty, Nullable, Ok, Page, PageQuery, queryOf, Time, timeThat, Type } from '../../../../http/schema.ts'
import { isOwnPage } from '../../../../http/callers/session-cookie.ts'
import { shortPage } from '../../../../http/short-list.ts'
import { addMember, changeMember, removeMember } from './members.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import { Email, Name, Password, RoleName } from '../../present.ts'
import * as queries from './queries-members.ts'

const RoleId = Type.String({
  maxLength: 100,
  description: 'A role of the workspace (GET /roles); it counts instead of role, which is then viewer',
})
const MemberBody = Type.Object({
  email: Email,
  name: Name,
  password: Password,
  role: RoleName,
  roleId: Type.Optional(RoleId),
  canApprove: Type.Optional(Type.Boolean()),
})
const MemberChange = Type.Object({
  role: Type.Optional(RoleName),
  roleId: Type.Optional(Nullable(RoleId)),
  canApprove: Type.Optional(Type.Boolean()),
})
const ownRole = { roleId: Type.Optional(Type.String()), roleName: Type.Optional(Type.String()) }
const member = { userId: Type.String(), email: Type.String(), name: Type.String(), role: RoleName, ...ownRole, canApprove: Type.Boolean() }
const InvitedUntil = Type.Optional(timeThat('Has not joined yet, and may until then'))
const Source = Type.Optional(
  Type.Enum(['oidc', 'scim'], { description: 'Only of a member of whom a directory says what they are: changed there' }),
)
export const Member = Type.Object({ ...member, invitedUntil: InvitedUntil, source: Source })
const Invitation = Type.Object(
  { token: Type.String(), expiresAt: Time },
  { description: 'The account was there before: whoever brings this token to POST /workspaces/join becomes the member. Shown this once' },
)
export const AddedMember = Type.Object({ ...member, invitedUntil: InvitedUntil, source: Source, invitation: Type.Optional(Invitation) })
const MemberParams = pathOf({ userId: 'The id of the member, from GET /members' })

/** Who works in a workspace (G-06). */
export function memberRoutes(app: Routes, ctx: Context, passwords: Passwords): void {
  const route = routeIn('Members')
  app.get(
    '/members',
    route({
      id: 'listMembers',
      auth: 'member',
      permission: 'members:read',
      summary: 'Members of the workspace',
      description: 'Lists members with role and approval right, and people who were invited and have not joined yet.',
      query: PageQuery,
      out: Page('members', Member),
    }),
    async (request) => {
      const members = await queries.listMembers(ctx.db, memberCaller(request).workspaceId)
      return page(
        'members',
        shortPage(members, queryOf(request), ({ userId }) => userId),
      )
    },
  )
  app.post(
    '/members',
    route({
      id: 'addMember',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Add a member',
      description:
        'Adds somebody with an email that has no account as a member with the password you send. An email that has one gets an invitation, whose token is in this answer only. Nobody gives more rights than they hold (GRANT_TOO_WIDE). Members of a linked sandbox follow.',
      body: MemberBody,
      out: { 201: Ok(AddedMember) },
      refuses: ['GRANT_TOO_WIDE', 'LOGIN_RATE_LIMITED', 'SIGNUP_RATE_LIMITED', 'SIGN_IN_BUSY', 'PASSWORD_WEAK'],
    }),
    async (request, reply) => {
      const body = bodyOf(request)
      return reply.code(201).send(ok(await addMember(ctx, passwords, memberCaller(request), { ...body, isOwnPage: isOwnPage(request) })))
    },
  )
  app.put(
    '/members/:userId',
    route({
      id: 'updateMember',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Change role or approval right',
      description:
        'Changes role or approval right; members left out stay. The last admin stays admin. A member whom a directory manages is changed there (MEMBER_MANAGED).',
      params: MemberParams,
      body: MemberChange,
      out: Ok(Member),
      refuses: ['GRANT_TOO_WIDE', 'MEMBER_MANAGED'],
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params
      await requireMember(ctx, workspaceId, userId)
      return ok(await changeMember(ctx, memberCaller(request), userId, bodyOf(request)))
    },
  )
  app.delete(
    '/members/:userId',
    route({
      id: 'removeMember',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Remove a member',
      description:
        'Takes somebody out of the workspace, and out of its linked sandbox. Their account stays. The last admin cannot be removed.',
      params: MemberParams,
      body: Type.Optional(Empty),
      out: Deleted,
      refuses: ['GRANT_TOO_WIDE', 'MEMBER_MANAGED'],
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params
      await requireMember(ctx, workspaceId, userId)
      await removeMember(ctx, memberCaller(request), userId)
      return ok({ deleted: true as const })
    },
  )
}

async function requireMember(ctx: Context, workspaceId: string, userId: string): Promise<void> {
  if (!(await queries.findMember(ctx.db, workspaceId, userId))) failWith(404, 'member not found')
}
