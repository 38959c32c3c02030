import type { Context } from '../../../context.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type } from '../../../http/schema.ts'
import { DISPATCH } from '../dispatch/dispatches.ts'
import { countFirstMessages, findPerHour, releaseHeld, setPerHour } from './queries-first-messages.ts'

const PerHour = Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Null: no limit' }))
export const FirstMessages = Type.Object({
  perHour: PerHour,
  lastHour: Type.Integer({ description: 'That left in this clock hour' }),
  heldNow: Type.Integer({ description: 'That wait for the next hour' }),
})

/** How many messages an hour may be the first to an address that nobody but an app named. */
export function firstMessageRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/first-messages'
  const Answer = { 200: Ok(FirstMessages) }
  const read = async (workspaceId: string) =>
    ok({ perHour: await findPerHour(ctx.db, workspaceId), ...(await countFirstMessages(ctx.db, workspaceId, ctx.clock.now())) })
  app.get(
    path,
    route({
      id: 'getFirstMessages',
      auth: 'member',
      permission: 'settings:read',
      summary: 'How many messages may be the first to addresses that only apps named',
      description: 'Answers the limit an hour, how many such messages left in this hour and how many wait.',
      out: Answer,
    }),
    async (request) => read(memberCaller(request).workspaceId),
  )
  app.put(
    path,
    route({
      id: 'setFirstMessages',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Limit messages that are the first to addresses that only apps named; more wait for the next hour',
      description:
        'Bounds how many emails an hour are the first to an address that only an app named; null lifts the limit. More wait for the next hour and none is lost.',
      body: Type.Object({ perHour: PerHour }, { examples: [{ perHour: 500 }] }),
      out: Answer,
    }),
    async (request) => {
      const of = actorOf(request)
      const { perHour } = bodyOf(request)
      await ctx.change(of, async ({ tx, workspaceId, now, nudge, audited }) => {
        audited('setting', 'first-messages', { perHour: await findPerHour(tx, workspaceId) }, { perHour })
        await setPerHour(tx, workspaceId, perHour)
        if (await releaseHeld(tx, workspaceId, now)) nudge(DISPATCH)
      })
      return read(of.workspaceId)
    },
  )
}
