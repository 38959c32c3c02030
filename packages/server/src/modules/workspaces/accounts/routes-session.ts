import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { accountCaller } from '../../../http/auth.ts'
import { ok } from '../../../http/envelope.ts'
import { randomToken } from '../../../infra/crypto.ts'
import type { Routes } from '../../../http/routes.ts'
import { bodyOf, Ok, queryOf, Time, Type } from '../../../http/schema.ts'
import { clearSessionCookie, deviceCookie, isOwnPage, setDeviceCookie, setSessionCookie } from '../../../http/session-cookie.ts'
import { mayOpenFirstAccount } from './accounts.ts'
import { placeOf } from './routes-accounts.ts'
import type { Passwords } from './passwords.ts'
import { LogInBody, Membership, User } from '../present.ts'
import { logIn, logOut, logOutEverywhere } from './sessions.ts'

const SignOutQuery = Type.Object({
  everywhere: Type.Optional(Type.Boolean({ description: 'Ends every session of this person, in all browsers and programs' })),
})

const SessionBody = Type.Object({
  ...LogInBody.properties,
  next: Type.Optional(
    Type.String({
      minLength: LIMITS.passwordMinLength,
      maxLength: 200,
      description: 'The new password, where the present one has to be changed first (PASSWORD_CHANGE_REQUIRED)',
    }),
  ),
})

/** Sessions of the dashboard: the token stays in a cookie that no script can read. */
export function sessionRoutes(app: Routes, ctx: Context, passwords: Passwords): void {
  const tags = ['Accounts']
  app.get(
    '/auth/installation',
    {
      config: { auth: 'none' },
      schema: {
        tags,
        summary: 'Whether this installation waits for its first account',
        response: { 200: Ok(Type.Object({ mayOpenFirstAccount: Type.Boolean() })) },
      },
    },
    async () => ok({ mayOpenFirstAccount: await mayOpenFirstAccount(ctx) }),
  )
  app.post(
    '/auth/session',
    {
      config: { auth: 'none' },
      schema: {
        tags,
        summary: 'Sign in a browser: the token comes as a cookie. Only for pages of this server, which send X-CF-Dashboard',
        body: SessionBody,
        response: { 200: Ok(Type.Object({ expiresAt: Time, user: User, workspaces: Type.Array(Membership) })) },
      },
    },
    async (request, reply) => {
      const { email, password, next } = bodyOf(request)
      if (!isOwnPage(request)) failWith(403, 'Only the pages of this server sign in by cookie; programs use POST /auth/login')
      const visitor = { ...placeOf(ctx, request), device: deviceCookie(request) ?? randomToken() }
      const { token, ...session } = await logIn(ctx, passwords, { ...visitor, email, password, browser: { next } })
      setSessionCookie(request, reply, token, LIMITS.sessionHours * 3600)
      setDeviceCookie(request, reply, visitor.device)
      return ok(session)
    },
  )
  app.delete(
    '/auth/session',
    {
      config: { auth: 'account' },
      schema: {
        tags,
        summary: 'Sign out; with `everywhere` on all devices',
        querystring: SignOutQuery,
        response: { 200: Ok(Type.Object({ signedOut: Type.Literal(true) })) },
      },
    },
    async (request, reply) => {
      const { accountId, tokenHash } = accountCaller(request)
      if (queryOf(request).everywhere) await logOutEverywhere(ctx, accountId)
      else await logOut(ctx, tokenHash)
      clearSessionCookie(reply)
      return ok({ signedOut: true as const })
    },
  )
}
