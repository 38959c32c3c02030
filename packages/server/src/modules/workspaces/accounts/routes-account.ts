import type { Context } from '../../../context.ts'
import { actorOf, memberCaller, accountCaller } from '../../../http/callers/auth.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Ok, Time, Type } from '../../../http/schema.ts'
import { changePassword } from './change-account.ts'
import { deleteMe, restoreMe } from './delete-account.ts'
import { User } from '../present.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { updateAccountName } from './queries-accounts.ts'
import * as queries from '../queries.ts'
import { Name, Password, Workspace } from '../present.ts'

const NameBody = Type.Object({ name: Name })
const DeleteBody = Type.Object({
  password: Type.Optional(
    Type.String({ maxLength: 200, description: 'Left out by an account without one, which has signed in within the last 10 minutes' }),
  ),
})
const PasswordBody = Type.Object({ current: Type.String({ maxLength: 200 }), next: Password })

/** What people change of their own account, and the name of a workspace. */
export function accountSettingsRoutes(app: Routes, ctx: Context, passwords: Passwords): void {
  const route = routeIn('Accounts')
  app.put(
    '/auth/me',
    route({
      id: 'updateMe',
      auth: 'account',
      summary: 'Change your name',
      description: 'Changes the name that others see beside what you do. The email is changed by POST /auth/email.',
      body: NameBody,
      out: Ok(Type.Object({ user: User })),
    }),
    async (request) => {
      const { accountId, email } = accountCaller(request)
      const { name } = bodyOf(request)
      await updateAccountName(ctx.db, accountId, name)
      return ok({ user: { userId: accountId, email, name } })
    },
  )
  app.delete(
    '/auth/me',
    route({
      id: 'deleteMe',
      auth: 'account',
      summary: 'Delete your account, in 14 days; your other sessions end',
      description:
        'Plans the deletion of your account in 14 days and ends your other sessions. The last admin of a workspace makes somebody else admin first (LAST_ADMIN). POST /auth/me/restore takes it back.',
      body: DeleteBody,
      out: { 202: Ok(Type.Object({ endsAt: Time })) },
      refuses: ['PASSWORD_WRONG', 'PASSWORD_CHANGED', 'REAUTHENTICATE', 'LOGIN_RATE_LIMITED', 'SIGN_IN_BUSY', 'LAST_ADMIN'],
    }),
    async (request, reply) => reply.code(202).send(ok(await deleteMe(ctx, passwords, accountCaller(request), bodyOf(request).password))),
  )
  app.post(
    '/auth/me/restore',
    route({
      id: 'restoreMe',
      auth: 'account',
      summary: 'Keep your account after all',
      description: 'Takes back the planned deletion of your account. Without one it changes nothing.',
      out: Ok(Type.Object({ restored: Type.Literal(true) })),
    }),
    async (request) => {
      await restoreMe(ctx, accountCaller(request).accountId)
      return ok({ restored: true as const })
    },
  )
  app.put(
    '/auth/password',
    route({
      id: 'changePassword',
      auth: 'account',
      summary: 'Change your password; your other sessions end',
      description: 'Sets a new password after the current one was checked. This session goes on and all others end.',
      body: PasswordBody,
      out: Ok(Type.Object({ changed: Type.Literal(true) })),
      refuses: ['PASSWORD_WRONG', 'PASSWORD_CHANGED', 'PASSWORD_WEAK', 'LOGIN_RATE_LIMITED', 'SIGN_IN_BUSY'],
    }),
    async (request) => {
      const { current, next } = bodyOf(request)
      await changePassword(ctx, passwords, accountCaller(request), current, next)
      return ok({ changed: true as const })
    },
  )
  app.put(
    '/workspaces/current',
    route({
      id: 'renameWorkspace',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Rename the workspace',
      description:
        'Changes the name of the workspace of X-Tenant-Id, which members see in the dashboard and people on the pages of links in mails.',
      body: NameBody,
      out: Ok(Workspace),
    }),
    async (request) => {
      const { workspaceId: id } = memberCaller(request)
      const { name } = bodyOf(request)
      await ctx.change(actorOf(request), async ({ tx, now, audited }) => {
        await queries.updateWorkspaceName(tx, id, name, now)
        audited('workspace', id, undefined, { name })
      })
      return ok({ id, name })
    },
  )
}
