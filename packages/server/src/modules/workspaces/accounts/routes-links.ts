import type { Context } from '../../../context.ts'
import { accountCaller, memberCaller } from '../../../http/callers/auth.ts'
import { callerOf } from '../../../http/callers/caller-address.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Ok, Time, Type } from '../../../http/schema.ts'
import { Email, Password, User } from '../present.ts'
import type { AccountMails } from './account-mails.ts'
import { addressOfLink, askForNewEmail, askForReset, resetPassword, takeNewEmail } from './links.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { requireHeld } from './members/members.ts'
import { findMember } from './members/queries-members.ts'
import { makeLinkForEmail, makeLinkForMember } from './sign-in/reset-links.ts'
import { failWith } from '../../../errors.ts'

const Token = Type.String({ minLength: 1, maxLength: 200, description: 'What stands behind # in the link' })
const EmailBody = Type.Object({ email: Email })
const ResetBody = Type.Object({ token: Token, next: Password })
const NewEmailBody = Type.Object({ email: Email, password: Type.String({ maxLength: 200, description: 'The current one' }) })
const TokenBody = Type.Object({ token: Token })
const Accepted = Type.Object({ accepted: Type.Literal(true) })
export const ResetLink = Type.Object({
  link: Type.String({ description: 'To be passed on: whoever opens it chooses the new password. Shown this once' }),
  token: Type.String(),
  expiresAt: Time,
})
const MemberParams = pathOf({ userId: 'The id of the member, from GET /members' })

/** Ways back into an account, and to another address. */
export function linkRoutes(app: Routes, ctx: Context, { passwords, mails }: { passwords: Passwords; mails: AccountMails }): void {
  const route = routeIn('Accounts')
  app.post(
    '/auth/password-reset',
    route({
      id: 'askForPasswordReset',
      auth: 'none',
      summary: 'Mail a link to a new password; the answer is the same whether there is such an account',
      description:
        'Sends a link that is valid for 30 minutes and once, if there is such an account and the installation sends mail. The answer tells strangers neither.',
      body: EmailBody,
      out: { 202: Ok(Accepted) },
      refuses: ['LINKS_RATE_LIMITED'],
    }),
    async (request, reply) => {
      await askForReset(ctx, mails, callerOf(request.raw, ctx.config.trustedProxies), bodyOf(request).email)
      return reply.code(202).send(ok({ accepted: true as const }))
    },
  )
  app.put(
    '/auth/password-reset',
    route({
      id: 'resetPassword',
      auth: 'none',
      summary: 'Choose a new password by a link; every session of the account ends',
      description:
        'Takes the token of a link and sets the password. The link is used up, and everybody who was signed in has to sign in again.',
      body: ResetBody,
      out: Ok(Type.Object({ changed: Type.Literal(true) })),
      refuses: ['LINK_OVER', 'PASSWORD_WEAK', 'SIGN_IN_BUSY'],
    }),
    async (request) => {
      const { token, next } = bodyOf(request)
      await resetPassword(ctx, passwords, { address: callerOf(request.raw, ctx.config.trustedProxies), token, next })
      return ok({ changed: true as const })
    },
  )
  app.post(
    '/auth/email',
    route({
      id: 'askForNewEmail',
      auth: 'account',
      summary: 'Mail a link to a new address of your account',
      description:
        'Sends a link to the new address after the password was checked. Until it is opened the old address stays. Where the installation sends no mail it is MAIL_OFF.',
      body: NewEmailBody,
      out: { 202: Ok(Accepted) },
      refuses: ['MAIL_OFF', 'PASSWORD_WRONG', 'LOGIN_RATE_LIMITED', 'LINKS_RATE_LIMITED', 'SIGN_IN_BUSY'],
    }),
    async (request, reply) => {
      await askForNewEmail(ctx, { passwords, mails }, accountCaller(request), bodyOf(request))
      return reply.code(202).send(ok({ accepted: true as const }))
    },
  )
  app.put(
    '/auth/email',
    route({
      id: 'takeNewEmail',
      auth: 'account',
      summary: 'Change your address by the link that was mailed to it; your other sessions end',
      description: 'Takes the token of the link that was sent to the new address. Only the account that asked can use it.',
      body: TokenBody,
      out: Ok(Type.Object({ user: User })),
      refuses: ['LINK_OVER'],
    }),
    async (request) => ok({ user: await takeNewEmail(ctx, accountCaller(request), bodyOf(request).token) }),
  )
  app.post(
    '/members/:userId/reset-link',
    routeIn('Members')({
      id: 'makeResetLink',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Make a link to a new password, for a member of this workspace alone',
      description:
        'Answers a link that you pass on: its bearer chooses the new password. A member who belongs to other workspaces too is refused with ACCOUNT_SHARED, and one who holds more than you with GRANT_TOO_WIDE.',
      params: MemberParams,
      out: { 201: Ok(ResetLink) },
      refuses: ['ACCOUNT_SHARED', 'GRANT_TOO_WIDE', 'LINKS_RATE_LIMITED'],
    }),
    async (request, reply) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params
      if (!(await findMember(ctx.db, workspaceId, userId))) failWith(404, 'member not found')
      await requireHeld(ctx.db, memberCaller(request), userId)
      const link = await makeLinkForMember(ctx, mails, workspaceId, userId)
      return reply.code(201).send(ok({ ...link, link: addressOfLink(publicUrl(ctx, request), 'reset', link.token) }))
    },
  )
  app.post(
    '/operator/accounts/reset-link',
    routeIn('Operator')({
      id: 'makeResetLinkAsOperator',
      auth: 'operator',
      summary: 'Make a link to a new password, for anybody',
      description: 'Answers a link that you pass on: its bearer chooses the new password of the account with this email.',
      body: EmailBody,
      out: { 201: Ok(ResetLink) },
      refuses: ['LINKS_RATE_LIMITED'],
    }),
    async (request, reply) => {
      const link = await makeLinkForEmail(ctx, mails, bodyOf(request).email)
      return reply.code(201).send(ok({ ...link, link: addressOfLink(publicUrl(ctx, request), 'reset', link.token) }))
    },
  )
}
