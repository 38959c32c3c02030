import { LIMITS } from '@contentflow/core/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../../context.ts'
import { fail, failWith } from '../../../../errors.ts'
import { accountCaller } from '../../../../http/callers/auth.ts'
import { ok, page } from '../../../../http/answers/envelope.ts'
import { publicUrl } from '../../../../http/public-url.ts'
import { hashSecret, randomToken } from '../../../../infra/secrets/crypto.ts'
import { pathOf } from '../../../../http/params.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { bodyOf, Deleted, Empty, Nullable, Ok, Page, PageQuery, queryOf, Time, timeThat, Type } from '../../../../http/schema.ts'
import {
  clearSessionCookie,
  deviceCookie,
  isOwnPage,
  sessionCookie,
  setDeviceCookie,
  setSessionCookie,
} from '../../../../http/callers/session-cookie.ts'
import { mayOpenFirstAccount } from '../accounts.ts'
import { findSetupToken } from './setup-token.ts'
import { placeOf } from '../routes-accounts.ts'
import { shortPage } from '../../../../http/short-list.ts'
import { relyingParty } from '../passkeys/relying-party.ts'
import { deleteOwnSession, deleteSessionById, listSessions, type SessionRow } from './queries-sessions.ts'
import type { Passwords } from './passwords.ts'
import { FirstStepDone, LogInBody, Membership, User } from '../../present.ts'
import type { ProviderCalls } from '../oidc/provider-calls.ts'
import { signOut } from '../oidc/sign-out.ts'
import { logIn, logOutEverywhere, type Arrival, type Session } from './sessions.ts'

const SignOutQuery = Type.Object({
  everywhere: Type.Optional(Type.Boolean({ description: 'Ends every session of this person, in all browsers and programs' })),
})

export const Installation = Type.Object({
  mayOpenFirstAccount: Type.Boolean({ description: 'It waits for its first account' }),
  needsSetupToken: Type.Boolean({ description: 'The first account takes the token that the server printed when it started' }),
  resetsByMail: Type.Boolean({ description: 'A link to a new password comes by mail' }),
  areWorkspacesOpen: Type.Boolean({ description: 'Everybody with an account may open workspaces' }),
  hasPasskeys: Type.Optional(Type.Boolean({ description: 'Only where passkeys are offered, at the address of this request' })),
})
export const NextPassword = Type.Optional(
  Type.String({
    minLength: LIMITS.passwordMinLength,
    maxLength: 200,
    description: 'The new password, where the present one has to be changed first (PASSWORD_CHANGE_REQUIRED)',
  }),
)
const SessionBody = Type.Object({ ...LogInBody.properties, next: NextPassword })

export const OpenSession = Type.Object({
  id: Type.String(),
  userAgent: Type.String({ description: 'Of the browser or program that signed in' }),
  address: Type.String({ description: 'Where it signed in from' }),
  country: Nullable(Type.String({ description: 'Of that address' })),
  isThis: Type.Boolean({ description: 'The one that asks' }),
  methods: Type.Array(Type.String(), { description: 'What was proved in it: pwd, otp, webauthn, sso, mfa' }),
  createdAt: Time,
  lastSeenAt: timeThat('To about a minute'),
  expiresAt: Time,
})
const SignedOut = Type.Object({
  signedOut: Type.Literal(true),
  signOutUrl: Type.Optional(
    Type.String({ description: 'Where the browser signs out at the provider too, if it came by one that has such a page' }),
  ),
})
const SessionParams = pathOf({ id: 'The id of the session' })

async function presentSession(ctx: Context, session: SessionRow, ownHash: string) {
  return {
    id: session.id,
    userAgent: session.user_agent,
    address: session.address,
    country: (await ctx.geoIp.lookUp(session.address)).country,
    isThis: session.token_hash === ownHash,
    methods: session.amr,
    createdAt: session.created_at,
    lastSeenAt: session.last_seen_at,
    expiresAt: session.expires_at,
  }
}

/** Who signs in, and in which browser: one of our own pages has a secret by which it is known again. */
export function arrivalOf(ctx: Context, request: FastifyRequest): Arrival {
  return { ...placeOf(ctx, request), device: isOwnPage(request) ? (deviceCookie(request) ?? randomToken()) : undefined }
}

/**
 * What is answered to a sign-in: one of our own pages gets the token as a cookie, a program as it is. The session that the page
 * had ends where it was the same person's: they signed in again.
 */
export async function openIn<Entered extends Session & { user: { userId: string } }>(
  ctx: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { token, ...session }: Entered,
  { device }: Arrival,
): Promise<Omit<Entered, 'token'> & { token?: string }> {
  if (device === undefined) return { ...session, token }
  const before = sessionCookie(request)
  if (before !== undefined) await deleteOwnSession(ctx.db, session.user.userId, hashSecret(before))
  const at = { request, publicUrl: ctx.config.publicUrl }
  setSessionCookie(at, reply, token, LIMITS.sessionHours * 3600)
  setDeviceCookie(at, reply, device)
  return session
}

/** Sessions of the dashboard: the token stays in a cookie that no script can read. */
export function sessionRoutes(app: Routes, ctx: Context, { passwords, calls }: { passwords: Passwords; calls: ProviderCalls }): void {
  const route = routeIn('Accounts')
  app.get(
    '/auth/installation',
    route({
      id: 'getInstallation',
      auth: 'none',
      summary: 'What this installation offers to whoever is not signed in',
      description:
        'Answers what the sign-in page has to know: whether the first account is missing, whether mail is sent, and whether passkeys work.',
      out: Ok(Installation),
    }),
    async (request) =>
      ok({
        mayOpenFirstAccount: await mayOpenFirstAccount(ctx),
        needsSetupToken: (await findSetupToken(ctx)) !== undefined,
        resetsByMail: ctx.mail.isOn,
        areWorkspacesOpen: ctx.config.areWorkspacesOpen,
        ...(relyingParty(ctx, publicUrl(ctx, request)) && { hasPasskeys: true }),
      }),
  )
  app.post(
    '/auth/session',
    route({
      id: 'openSession',
      auth: 'none',
      summary: 'Sign in a browser: the token comes as a cookie. Only for pages of this server, which send X-CF-Dashboard',
      description:
        'Signs a browser in for the dashboard. Programs use POST /auth/login instead and are refused here with 403. Besides what that refuses, a password that others know has to be changed first (PASSWORD_CHANGE_REQUIRED, send `next`).',
      sends: ['Set-Cookie'],
      body: SessionBody,
      out: { 200: Ok(Type.Object({ expiresAt: Time, user: User, workspaces: Type.Array(Membership) })), 401: FirstStepDone },
      refuses: [
        'LOGIN_RATE_LIMITED',
        'SIGN_IN_BUSY',
        'PASSWORD_CHANGE_REQUIRED',
        'PASSWORD_CHANGED',
        'PASSWORD_WEAK',
        'SECOND_FACTOR_REQUIRED',
        'OTP_WRONG',
      ],
    }),
    async (request, reply) => {
      const { email, password, otp, next } = bodyOf(request)
      if (!isOwnPage(request)) failWith(403, 'Only the pages of this server sign in by cookie; programs use POST /auth/login')
      const visitor = arrivalOf(ctx, request)
      const party = relyingParty(ctx, publicUrl(ctx, request))
      const entered = await logIn(ctx, passwords, { ...visitor, email, password, otp, party, browser: { next } })
      return ok(await openIn(ctx, { request, reply }, entered, visitor))
    },
  )
  app.get(
    '/auth/sessions',
    route({
      id: 'listSessions',
      auth: 'account',
      summary: 'Where you are signed in',
      description:
        'Lists your open sessions with the browser, address and what was proved in each. A session by the provider of one workspace sees only its own.',
      query: PageQuery,
      out: Page('sessions', OpenSession),
    }),
    async (request) => {
      const { accountId, tokenHash, session: own } = accountCaller(request)
      const sessions = await listSessions(ctx.db, accountId, ctx.clock.now(), own.workspaceId)
      const found = shortPage(sessions, queryOf(request), ({ id }) => id)
      return page('sessions', { ...found, items: await Promise.all(found.items.map((session) => presentSession(ctx, session, tokenHash))) })
    },
  )
  app.delete(
    '/auth/sessions/:id',
    route({
      id: 'endSession',
      auth: 'account',
      summary: 'End one of your sessions',
      description: 'Ends one session of yours, which is signed out with its next request.',
      params: SessionParams,
      body: Type.Optional(Empty),
      out: Deleted,
    }),
    async (request) => {
      if (!(await deleteSessionById(ctx.db, accountCaller(request).accountId, request.params.id))) failWith(404, 'session not found')
      return ok({ deleted: true as const })
    },
  )
  app.delete(
    '/auth/session',
    route({
      id: 'closeSession',
      auth: 'account',
      isForEverySession: true,
      summary: 'Sign out; with `everywhere` on all devices',
      description:
        'Ends the session of this browser and takes its cookie away. `signOutUrl` leads to the page of the provider that also signs out there.',
      sends: ['Set-Cookie'],
      query: SignOutQuery,
      out: Ok(SignedOut),
    }),
    async (request, reply) => {
      const { accountId, tokenHash, session } = accountCaller(request)
      const isEverywhere = queryOf(request).everywhere ?? false
      if (isEverywhere && session.workspaceId !== null) fail('SESSION_OF_WORKSPACE')
      const atProvider = await signOut({ ctx, calls }, tokenHash, publicUrl(ctx, request))
      if (isEverywhere) await logOutEverywhere(ctx, accountId)
      clearSessionCookie({ request, publicUrl: ctx.config.publicUrl }, reply)
      return ok({ signedOut: true as const, ...atProvider })
    },
  )
}
