import { WARNED_DAYS } from '@contentflow/core/access/warnings.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers/envelope.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Ok, Type } from '../../http/schema.ts'
import { EndingSchema, presentEnding } from './present.ts'
import { listEndings } from './queries-ending.ts'

/** What is about to end, for whoever may replace it. */
export function endingRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Access')
  app.get(
    '/access/ending',
    route({
      id: 'listEndingCredentials',
      auth: 'member',
      permission: 'keys:read',
      summary: `Tokens and keys that end within ${WARNED_DAYS[0]} days, of those that you may replace`,
      description:
        'Lists tokens of service accounts and keys that end soon, so that they can be replaced in time. Only those whose replacement your permissions allow.',
      out: Ok(Type.Object({ ending: Type.Array(EndingSchema) })),
    }),
    async (request) => {
      const { workspaceId, grant } = memberCaller(request)
      const now = ctx.clock.now()
      const found = await listEndings(ctx.db, workspaceId, { after: now, until: new Date(now.getTime() + WARNED_DAYS[0] * DAY_MS) })
      const mayReplace = (kind: string) => grant.permissions.has(kind === 'token' ? 'members:manage' : 'keys:manage')
      return ok({ ending: found.filter(({ kind }) => mayReplace(kind)).map(presentEnding) })
    },
  )
}
