/** What admins see of their directory in the settings. */
import type { Context } from '../../context.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Nullable, Ok, Page, PageQuery, queryOf, Time, Type } from '../../http/schema.ts'
import { shortPage } from '../../http/short-list.ts'
import { countGroups } from './queries-groups.ts'
import { listStates } from './queries-states.ts'
import { countStates, STATES } from './states.ts'

const route = routeIn('Sign-in')
const Count = Type.Integer({ minimum: 0 })

export const Provisioning = Type.Object({
  address: Type.String({ description: 'To be entered at the directory, with the token of a service account' }),
  users: Type.Object({ total: Count, waiting: Count, member: Count, noRole: Count, inactive: Count, stays: Count }),
  groups: Count,
  changedAt: Nullable(Time),
})
export const ProvisionedUser = Type.Object({
  id: Type.String(),
  userName: Type.String(),
  displayName: Nullable(Type.String()),
  state: Type.Enum([...STATES], {
    description:
      '`waiting`: has not signed in yet; `noRole`: no group gives a role; `stays`: inactive, and a member nevertheless, as the last admin or by hand',
  }),
  userId: Nullable(Type.String({ description: 'Of the member' })),
})

export function overviewRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/settings/scim',
    route({
      id: 'getProvisioning',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'What the directory sends by SCIM, in numbers, and where it sends it',
      description: 'Answers the address to enter at the directory, and how many people and groups it sent and what they are here.',
      out: Ok(Provisioning),
    }),
    async (request) => {
      const { workspaceId, reachedAt } = memberCaller(request)
      const users = await listStates(ctx.db, workspaceId)
      const changedAt = users.reduce<Date | null>((last, { updatedAt }) => (last && last > updatedAt ? last : updatedAt), null)
      const groups = await countGroups(ctx.db, workspaceId)
      return ok({ address: `${reachedAt}/scim/v2`, users: { total: users.length, ...countStates(users) }, groups, changedAt })
    },
  )
  app.get(
    '/settings/scim/users',
    route({
      id: 'listProvisionedUsers',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'People as the directory sends them, and what they are here',
      description: 'Lists people with what became of each: a member, waiting for their first sign-in, without a role, or inactive.',
      query: PageQuery,
      out: Page('users', ProvisionedUser),
    }),
    async (request) => {
      const users = await listStates(ctx.db, memberCaller(request).workspaceId)
      return page(
        'users',
        shortPage(users, queryOf(request), ({ id }) => id),
        ({ updatedAt: _updatedAt, ...user }) => user,
      )
    },
  )
}
