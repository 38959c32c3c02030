import { languageTag } from '@contentflow/core/locale/language-tag.ts'
import type { FastifyRequest } from 'fastify'
import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import type { Context } from '../../../context.ts'
import { accountCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Nullable, Ok, Page, PageQuery, queryOf, Time, Type } from '../../../http/schema.ts'
import { callerOf } from '../../../http/callers/caller-address.ts'
import { isOwnPage } from '../../../http/callers/session-cookie.ts'
import { shortPage } from '../../../http/short-list.ts'
import { createWorkspace, signUp } from './accounts.ts'
import { readCalendar } from '../calendar-setting.ts'
import { joinWorkspace } from './members/members.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { Calendar, Email, FirstStepDone, LogInBody, Me, Membership, Name, Password, User, Workspace } from '../present.ts'
import { findAccount } from './queries-accounts.ts'
import { membershipsIn } from './members/memberships.ts'
import { relyingParty } from './passkeys/relying-party.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { logIn, logOut } from './sign-in/sessions.ts'

const SourceLocale = Type.Optional(
  Nullable(Type.String({ pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$', maxLength: 35, default: 'en' })),
)
export const beginning = { sourceLocale: SourceLocale, calendar: Type.Optional(Calendar) }

const SetupToken = Type.Optional(
  Type.String({ maxLength: 200, description: 'Of the first account, where the server printed one when it started' }),
)
const SignUpBody = Type.Object({ email: Email, password: Password, name: Name, workspaceName: Name, setupToken: SetupToken, ...beginning })
const WorkspaceBody = Type.Object({ name: Name, ...beginning })

const JoinBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) })
const Session = { token: Type.String(), expiresAt: Time, user: User }

/** Accounts and their workspaces (G-02, G-05). */
export function accountRoutes(app: Routes, ctx: Context, passwords: Passwords): void {
  const route = routeIn('Accounts')
  app.post(
    '/auth/signup',
    route({
      id: 'signUp',
      auth: 'none',
      summary: 'Open an account with its first workspace',
      description:
        'Opens an account, its first workspace with it as admin, and a session. Who may do this is a setting of the installation (CF_SIGNUP); where nobody may, it is 403. On a server that others reach, the first account takes the set-up token that the server printed.',
      body: SignUpBody,
      out: { 201: Ok(Type.Object({ ...Session, workspace: Workspace })) },
      refuses: ['SIGNUP_RATE_LIMITED', 'PASSWORD_WEAK', 'SETUP_TOKEN_REQUIRED', 'TIME_ZONE_UNKNOWN', 'SIGN_IN_BUSY'],
    }),
    async (request, reply) => {
      const body = bodyOf(request)
      return reply
        .code(201)
        .send(
          ok(await signUp(ctx, passwords, { ...placeOf(ctx, request), isOwnPage: isOwnPage(request) }, { ...body, ...beginningOf(body) })),
        )
    },
  )
  app.post(
    '/auth/login',
    route({
      id: 'logIn',
      auth: 'none',
      summary: 'Sign in; the token lasts one day',
      description:
        'Answers a token that is sent as `Authorization: Bearer`, with the workspaces of the person. An account with a second factor is answered 401 with a challenge, unless its code comes along as `otp`. Wrong passwords are counted for each address and account (LOGIN_RATE_LIMITED).',
      body: LogInBody,
      out: { 200: Ok(Type.Object({ ...Session, workspaces: Type.Array(Membership) })), 401: FirstStepDone },
      refuses: ['LOGIN_RATE_LIMITED', 'SIGN_IN_BUSY', 'SECOND_FACTOR_REQUIRED', 'OTP_WRONG'],
    }),
    async (request) => {
      const { email, password, otp } = bodyOf(request)
      const party = relyingParty(ctx, publicUrl(ctx, request))
      return ok(await logIn(ctx, passwords, { ...placeOf(ctx, request), email, password, otp, party }))
    },
  )
  app.post(
    '/auth/logout',
    route({
      id: 'logOut',
      auth: 'account',
      isForEverySession: true,
      summary: 'Sign out; the token ends',
      description: 'Ends the session of the token that is sent. Other sessions of the person go on.',
      out: Ok(Type.Object({ signedOut: Type.Literal(true) })),
    }),
    async (request) => {
      await logOut(ctx, accountCaller(request).tokenHash)
      return ok({ signedOut: true as const })
    },
  )
  app.get(
    '/auth/me',
    route({
      id: 'getMe',
      auth: 'account',
      summary: 'Who is signed in, and their workspaces',
      description: 'Answers name, email, workspaces with roles, and whether the account is about to be deleted.',
      out: Ok(Me),
    }),
    async (request) => {
      const { accountId, email, name, session } = accountCaller(request)
      const account = await findAccount(ctx.db, accountId)
      const workspaces = await membershipsIn(ctx.db, accountId, session)
      return ok({
        user: { userId: accountId, email, name },
        workspaces,
        ...(account?.ends_at && { endsAt: account.ends_at }),
        ...(account?.password_set === false && { hasPassword: false as const }),
        ...(session.idleMinutes !== null && { sessionIdleMinutes: session.idleMinutes }),
      })
    },
  )
  app.get(
    '/workspaces',
    route({
      id: 'listWorkspaces',
      auth: 'account',
      summary: 'Workspaces of the signed-in person',
      description: 'Lists the workspaces that this session opens, each with your role and whether you approve.',
      query: PageQuery,
      out: Page('workspaces', Membership),
    }),
    async (request) => {
      const { accountId, session } = accountCaller(request)
      const workspaces = await membershipsIn(ctx.db, accountId, session)
      return page(
        'workspaces',
        shortPage(workspaces, queryOf(request), ({ id }) => id),
      )
    },
  )
  app.post(
    '/workspaces',
    route({
      id: 'createWorkspace',
      auth: 'account',
      summary: 'Open a further workspace',
      description:
        'Opens a workspace with you as its admin. The installation may leave that to its operator (WORKSPACES_BY_OPERATOR) or bound how many one account opens (WORKSPACE_LIMIT).',
      body: WorkspaceBody,
      out: { 201: Ok(Workspace) },
      refuses: ['TIME_ZONE_UNKNOWN', 'WORKSPACES_BY_OPERATOR', 'WORKSPACE_LIMIT', 'WORKSPACES_RATE_LIMITED'],
    }),
    async (request, reply) => {
      const body = bodyOf(request)
      return reply.code(201).send(ok(await createWorkspace(ctx, accountCaller(request).accountId, body.name, beginningOf(body))))
    },
  )
  app.post(
    '/workspaces/join',
    route({
      id: 'joinWorkspace',
      auth: 'account',
      summary: 'Join the workspace of an invitation',
      description:
        'Makes you a member of the workspace that the token of an invitation names. Each invitation is taken once and within a week.',
      body: JoinBody,
      out: Ok(Membership),
      refuses: ['WORKSPACE_SUSPENDED', 'INVITATION_OVER'],
    }),
    async (request) => {
      const { token } = bodyOf(request)
      return ok(await joinWorkspace(ctx, accountCaller(request), token))
    },
  )
}

/** Where somebody calls from, as their sessions tell it. */
export function placeOf(ctx: Context, request: FastifyRequest): { address: string; userAgent: string } {
  return { address: callerOf(request.raw, ctx.config.trustedProxies), userAgent: request.headers['user-agent'] ?? '' }
}

/** A workspace is in English unless it says otherwise; null says that it has no language yet. */
export function beginningOf({ sourceLocale = 'en', calendar }: { sourceLocale?: string | null; calendar?: WorkspaceCalendar }) {
  return { sourceLocale: sourceLocale && languageTag(sourceLocale), calendar: calendar ? readCalendar(calendar) : null }
}
