import type { Context } from '../../../../context.ts'
import { failWith } from '../../../../errors.ts'
import { ok } from '../../../../http/answers/envelope.ts'
import { accountCaller, memberCaller } from '../../../../http/callers/auth.ts'
import { isOwnPage } from '../../../../http/callers/session-cookie.ts'
import { publicUrl } from '../../../../http/public-url.ts'
import { pathOf } from '../../../../http/params.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { bodyOf, Deleted, Empty, Ok, Time, Type } from '../../../../http/schema.ts'
import type { AccountMails } from '../account-mails.ts'
import { findMember } from '../members/queries-members.ts'
import { relyingParty } from '../passkeys/relying-party.ts'
import { UsedCredential } from '../passkeys/present-passkeys.ts'
import { Email, EnteredCode, Membership, User } from '../../present.ts'
import type { Passwords } from '../sign-in/passwords.ts'
import { arrivalOf, NextPassword, openIn } from '../sign-in/routes-session.ts'
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './authenticator.ts'
import { refuseOldSession } from '../../../../http/callers/recent-session.ts'
import { factorsOf, renewRecoveryCodes } from './factors.ts'
import { removeFactorsByEmail, removeFactorsOfMember } from './remove-factors.ts'
import { logInSecond } from './sign-in-second.ts'

const SecondBody = Type.Object({
  challenge: Type.String({ maxLength: 300, description: 'Of the refusal SECOND_FACTOR_REQUIRED' }),
  otp: Type.Optional(EnteredCode),
  credential: Type.Optional(UsedCredential),
  next: NextPassword,
})
/** `token`: of programs; pages of this server get a cookie. */
export const Entered = Type.Object({
  token: Type.Optional(Type.String({ description: 'For programs; a page of this server gets a cookie' })),
  expiresAt: Time,
  user: User,
  workspaces: Type.Array(Membership),
})
export const SecondFactors = Type.Object({
  authenticator: Type.Boolean({ description: 'Whether there is an authenticator app' }),
  passkeys: Type.Integer({ description: 'How many there are' }),
  recoveryCodesLeft: Type.Integer(),
})
export const NewAuthenticator = Type.Object({
  secret: Type.String({ description: 'To be typed into the app, in base32' }),
  uri: Type.String({ description: 'To be shown as a QR code' }),
})
export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Optional(
    Type.Array(Type.String(), { description: 'Each opens the account once, instead of a code. Shown this once' }),
  ),
})
const CodeBody = Type.Object({ code: EnteredCode })
const EmailBody = Type.Object({ email: Email })
const MemberParams = pathOf({ userId: 'The id of the member, from GET /members' })

/** A second step at sign-in: its codes, and what they are made with. */
export function secondFactorRoutes(app: Routes, ctx: Context, { passwords, mails }: { passwords: Passwords; mails: AccountMails }): void {
  const route = routeIn('Accounts')
  app.post(
    '/auth/login/second',
    route({
      id: 'logInSecond',
      auth: 'none',
      summary: 'The second step of a sign-in: answer its challenge with a code or a passkey',
      description:
        'Takes the challenge of a 401 SECOND_FACTOR_REQUIRED with either a code or a passkey, and opens the session. A challenge is answered once and within 5 minutes (SIGN_IN_OVER).',
      sends: ['Set-Cookie'],
      body: SecondBody,
      out: Ok(Entered),
      refuses: [
        'SIGN_IN_OVER',
        'OTP_WRONG',
        'PASSKEY_REFUSED',
        'PASSKEYS_OFF',
        'LOGIN_RATE_LIMITED',
        'SIGN_IN_BUSY',
        'PASSWORD_CHANGE_REQUIRED',
        'PASSWORD_CHANGED',
        'PASSWORD_WEAK',
      ],
    }),
    async (request, reply) => {
      const { challenge, otp, credential, next } = bodyOf(request)
      if ((otp === undefined) === (credential === undefined)) failWith(400, 'Send either otp or credential')
      const visitor = arrivalOf(ctx, request)
      const entered = await logInSecond(ctx, passwords, {
        ...visitor,
        challenge,
        otp,
        credential,
        party: relyingParty(ctx, publicUrl(ctx, request)),
        ...(isOwnPage(request) && { browser: { next } }),
      })
      return ok(await openIn(ctx, { request, reply }, entered, visitor))
    },
  )
  app.get(
    '/auth/second-factor',
    route({
      id: 'getSecondFactor',
      auth: 'account',
      summary: 'Which second factors your account has',
      description: 'Answers whether you have an authenticator app, how many passkeys, and how many recovery codes are left.',
      out: Ok(SecondFactors),
    }),
    async (request) => ok(await factorsOf(ctx, accountCaller(request).accountId)),
  )
  authenticatorRoutes(app, ctx)
  removalRoutes(app, ctx, mails)
}

/** The authenticator app of whoever asks, and the codes for when it is lost. */
function authenticatorRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Accounts')
  app.post(
    '/auth/totp',
    route({
      id: 'beginAuthenticator',
      auth: 'account',
      summary: 'A secret for an authenticator app, which counts once a code of it is sent back',
      description:
        'Answers a secret for the app, which counts only after PUT /auth/totp confirmed it. Takes a session that is younger than 10 minutes.',
      body: Type.Optional(Empty),
      out: Ok(NewAuthenticator),
      refuses: ['REAUTHENTICATE'],
    }),
    async (request) => {
      const caller = accountCaller(request)
      refuseOldSession(ctx, caller)
      return ok(await beginAuthenticator(ctx, caller))
    },
  )
  app.put(
    '/auth/totp',
    route({
      id: 'confirmAuthenticator',
      auth: 'account',
      summary: 'Confirm an authenticator app by one of its codes; with the first second factor your other sessions end',
      description:
        'Takes a code of the app and switches it on. The first second factor comes with recovery codes, which are shown this once.',
      body: CodeBody,
      out: Ok(RecoveryCodes),
      refuses: ['REAUTHENTICATE', 'AUTHENTICATOR_NOT_BEGUN', 'OTP_WRONG', 'LOGIN_RATE_LIMITED'],
    }),
    async (request) => {
      const caller = accountCaller(request)
      const { code } = bodyOf(request)
      refuseOldSession(ctx, caller)
      return ok(await confirmAuthenticator(ctx, caller, code))
    },
  )
  app.delete(
    '/auth/totp',
    route({
      id: 'removeAuthenticator',
      auth: 'account',
      summary: 'Remove your authenticator app; with the last second factor the recovery codes go',
      description: 'Codes of the app open nothing from then on. Takes a session that is younger than 10 minutes.',
      body: Type.Optional(Empty),
      out: Deleted,
      refuses: ['REAUTHENTICATE'],
    }),
    async (request) => {
      const caller = accountCaller(request)
      refuseOldSession(ctx, caller)
      await removeAuthenticator(ctx, caller.accountId)
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/auth/recovery-codes',
    route({
      id: 'renewRecoveryCodes',
      auth: 'account',
      summary: 'New recovery codes; those that you had open nothing any more',
      description: 'Answers new recovery codes, shown this once. Takes a session that is younger than 10 minutes.',
      body: Type.Optional(Empty),
      out: Ok(RecoveryCodes),
      refuses: ['REAUTHENTICATE', 'SECOND_FACTOR_OFF'],
    }),
    async (request) => {
      const caller = accountCaller(request)
      refuseOldSession(ctx, caller)
      return ok(await renewRecoveryCodes(ctx, caller.accountId))
    },
  )
}

/** For a phone that was lost. */
function removalRoutes(app: Routes, ctx: Context, mails: AccountMails): void {
  app.delete(
    '/members/:userId/second-factor',
    routeIn('Members')({
      id: 'removeSecondFactor',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Take all second factors of a member of this workspace alone away, and end their sessions',
      description:
        'For a member who lost their phone. A member of other workspaces too is refused with ACCOUNT_SHARED. They are told by mail where the installation sends mail.',
      params: MemberParams,
      body: Type.Optional(Empty),
      out: Deleted,
      refuses: ['ACCOUNT_SHARED', 'REAUTHENTICATE'],
    }),
    async (request) => {
      const caller = memberCaller(request)
      const { userId } = request.params
      if (!(await findMember(ctx.db, caller.workspaceId, userId))) failWith(404, 'member not found')
      // Of their own account they may no more here than at DELETE /auth/totp.
      if (userId === caller.accountId) refuseOldSession(ctx, caller)
      await removeFactorsOfMember(ctx, mails, caller.workspaceId, userId)
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/operator/accounts/second-factor',
    routeIn('Operator')({
      id: 'removeSecondFactorAsOperator',
      auth: 'operator',
      summary: 'Take all second factors of an account away, and end its sessions',
      description: 'For a person who lost their phone. They sign in with their password alone afterwards.',
      body: EmailBody,
      out: Deleted,
    }),
    async (request) => {
      await removeFactorsByEmail(ctx, mails, bodyOf(request).email)
      return ok({ deleted: true as const })
    },
  )
}
