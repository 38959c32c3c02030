import type { Context } from '../../context.ts'
import { ok } from '../../http/answers/envelope.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { compareHoldout } from './compare-holdout.ts'
import { HoldoutReportOut } from './present.ts'

const route = routeIn('Experiments')

export function holdoutReportRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/settings/holdout/report',
    route({
      id: 'getHoldoutReport',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'What all messages together change: people who are held out beside the others, as of last night',
      description:
        'Compares people who get no messages with the others, by the events that they sent since the share was set. It is counted each night.',
      out: HoldoutReportOut,
    }),
    async (request) => ok(await compareHoldout(ctx.db, memberCaller(request).workspaceId)),
  )
}
