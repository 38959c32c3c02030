import type { FastifyInstance } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller, accountCaller } from '../../http/auth.ts'
import { ok, page } from '../../http/envelope.ts'
import { bodyOf, Deleted, Empty, Nullable, Ok, Page, PageQuery, queryOf, Time, Type } from '../../http/schema.ts'
import { callerOf } from '../../http/rate-limit.ts'
import { createWorkspace, signUp } from './accounts.ts'
import { addMember, changeMember, joinWorkspace, removeMember } from './members.ts'
import type { Passwords } from './passwords.ts'
import * as queries from './queries-members.ts'
import { logIn, logOut } from './sessions.ts'
import { LogInBody, Membership, RoleName, User } from './present.ts'
import { pageOf } from '../../http/short-list.ts'

const Email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['admin@example.com'] })
export const Password = Type.String({ minLength: LIMITS.passwordMinLength, maxLength: 200, examples: ['correct horse battery'] })
export const Name = Type.String({ minLength: 1, maxLength: 150 })
const SourceLocale = Type.Optional(Nullable(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, default: 'en' })))

const SignUpBody = Type.Object({ email: Email, password: Password, name: Name, workspaceName: Name, sourceLocale: SourceLocale })
const WorkspaceBody = Type.Object({ name: Name, sourceLocale: SourceLocale })
const MemberBody = Type.Object({ email: Email, name: Name, password: Password, role: RoleName, canApprove: Type.Optional(Type.Boolean()) })
const MemberChange = Type.Object({ role: Type.Optional(RoleName), canApprove: Type.Optional(Type.Boolean()) })

export const Workspace = Type.Object({ id: Type.String(), name: Type.String() })
const member = { userId: Type.String(), email: Type.String(), name: Type.String(), role: RoleName, canApprove: Type.Boolean() }
const InvitedUntil = Type.Optional(Type.String({ ...Time, description: 'Has not joined yet, and may until then' }))
const Member = Type.Object({ ...member, invitedUntil: InvitedUntil })
const Invitation = Type.Object(
  { token: Type.String(), expiresAt: Time },
  { description: 'The account was there before: whoever brings this token to POST /workspaces/join becomes the member. Shown this once' },
)
const AddedMember = Type.Object({ ...member, invitedUntil: InvitedUntil, invitation: Type.Optional(Invitation) })
const JoinBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) })
const Session = { token: Type.String(), expiresAt: Time, user: User }
const MemberParams = Type.Object({ userId: Type.String() })

/** Accounts, workspaces and members (G-02, G-05, G-06). */
export function workspaceRoutes(app: FastifyInstance, ctx: Context, passwords: Passwords): void {
  accountRoutes(app, ctx, passwords)
  memberRoutes(app, ctx, passwords)
}

function accountRoutes(app: FastifyInstance, ctx: Context, passwords: Passwords): void {
  const tags = ['Accounts']
  app.post(
    '/auth/signup',
    {
      config: { auth: 'none' },
      schema: {
        tags,
        summary: 'Open an account with its first workspace',
        body: SignUpBody,
        response: { 201: Ok(Type.Object({ ...Session, workspace: Workspace })) },
      },
    },
    async (request, reply) => {
      const body = bodyOf(request, SignUpBody)
      return reply.code(201).send(
        ok(
          await signUp(ctx, passwords, callerOf(request.raw, ctx.config.trustedProxies), {
            ...body,
            sourceLocale: body.sourceLocale === undefined ? 'en' : body.sourceLocale,
          }),
        ),
      )
    },
  )
  app.post(
    '/auth/login',
    {
      config: { auth: 'none' },
      schema: {
        tags,
        summary: 'Sign in; the token lasts one day',
        body: LogInBody,
        response: { 200: Ok(Type.Object({ ...Session, workspaces: Type.Array(Membership) })) },
      },
    },
    async (request) => {
      const { email, password } = bodyOf(request, LogInBody)
      return ok(await logIn(ctx, passwords, { address: callerOf(request.raw, ctx.config.trustedProxies) }, email, password))
    },
  )
  app.post(
    '/auth/logout',
    {
      config: { auth: 'account' },
      schema: { tags, summary: 'Sign out; the token ends', response: { 200: Ok(Type.Object({ signedOut: Type.Literal(true) })) } },
    },
    async (request) => {
      await logOut(ctx, accountCaller(request).tokenHash)
      return ok({ signedOut: true as const })
    },
  )
  app.get(
    '/auth/me',
    {
      config: { auth: 'account' },
      schema: {
        tags,
        summary: 'Who is signed in, and their workspaces',
        response: { 200: Ok(Type.Object({ user: User, workspaces: Type.Array(Membership) })) },
      },
    },
    async (request) => {
      const { accountId, email, name } = accountCaller(request)
      return ok({ user: { userId: accountId, email, name }, workspaces: await queries.listMemberships(ctx.db, accountId) })
    },
  )
  app.get(
    '/workspaces',
    {
      config: { auth: 'account' },
      schema: {
        tags,
        summary: 'Workspaces of the signed-in person',
        querystring: PageQuery,
        response: { 200: Page('workspaces', Membership) },
      },
    },
    async (request) => {
      const workspaces = await queries.listMemberships(ctx.db, accountCaller(request).accountId)
      return page('workspaces', ...pageOf(workspaces, ({ id }) => id, queryOf(request, PageQuery)))
    },
  )
  app.post(
    '/workspaces',
    {
      config: { auth: 'account' },
      schema: { tags, summary: 'Open a further workspace', body: WorkspaceBody, response: { 201: Ok(Workspace) } },
    },
    async (request, reply) => {
      const { name, sourceLocale = 'en' } = bodyOf(request, WorkspaceBody)
      return reply.code(201).send(ok(await createWorkspace(ctx, accountCaller(request).accountId, name, sourceLocale)))
    },
  )
  app.post(
    '/workspaces/join',
    {
      config: { auth: 'account' },
      schema: { tags, summary: 'Join the workspace of an invitation', body: JoinBody, response: { 200: Ok(Membership) } },
    },
    async (request) => {
      const { token } = bodyOf(request, JoinBody)
      return ok(await joinWorkspace(ctx, accountCaller(request).accountId, token))
    },
  )
}

function memberRoutes(app: FastifyInstance, ctx: Context, passwords: Passwords): void {
  const tags = ['Members']
  app.get(
    '/members',
    {
      config: { auth: 'member' },
      schema: { tags, summary: 'Members of the workspace', querystring: PageQuery, response: { 200: Page('members', Member) } },
    },
    async (request) => {
      const members = await queries.listMembers(ctx.db, memberCaller(request).workspaceId)
      return page('members', ...pageOf(members, ({ userId }) => userId, queryOf(request, PageQuery)))
    },
  )
  app.post(
    '/members',
    {
      config: { auth: 'member', role: 'admin' },
      schema: { tags, summary: 'Add a member', body: MemberBody, response: { 201: Ok(AddedMember) } },
    },
    async (request, reply) => {
      const body = bodyOf(request, MemberBody)
      return reply.code(201).send(ok(await addMember(ctx, passwords, memberCaller(request), body)))
    },
  )
  app.put(
    '/members/:userId',
    {
      config: { auth: 'member', role: 'admin' },
      schema: { tags, summary: 'Change role or approval right', params: MemberParams, body: MemberChange, response: { 200: Ok(Member) } },
    },
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params as { userId: string }
      await requireMember(ctx, workspaceId, userId)
      return ok(await changeMember(ctx, workspaceId, userId, bodyOf(request, MemberChange)))
    },
  )
  app.delete(
    '/members/:userId',
    {
      config: { auth: 'member', role: 'admin' },
      schema: { tags, summary: 'Remove a member', params: MemberParams, body: Type.Optional(Empty), response: { 200: Deleted } },
    },
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params as { userId: string }
      await requireMember(ctx, workspaceId, userId)
      await removeMember(ctx, workspaceId, userId)
      return ok({ deleted: true as const })
    },
  )
}

async function requireMember(ctx: Context, workspaceId: string, userId: string): Promise<void> {
  if (!(await queries.findMember(ctx.db, workspaceId, userId))) failWith(404, 'member not found')
}
