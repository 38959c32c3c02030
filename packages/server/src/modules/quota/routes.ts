import type { Context } from '../../context.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes } from '../../http/routes.ts'
import { Ok, Type } from '../../http/schema.ts'
import { readUsage } from './quota.ts'

const route = routeIn('Settings')

const Bytes = Type.Integer({ minimum: 0 })

export const Usage = Type.Object(
  {
    held: Bytes,
    most: Type.Integer({ description: 'With more, a write is refused: WORKSPACE_FULL' }),
    parts: Type.Object({
      instances: Type.Integer({ minimum: 0, description: 'As they are newest, and as they are served' }),
      definitions: Bytes,
      strings: Bytes,
      campaigns: Bytes,
      journeys: Bytes,
      segments: Bytes,
    }),
    files: Type.Object(
      { held: Bytes, most: Type.Integer({ description: 'With more, a file is refused: LIBRARY_FULL' }) },
      { description: 'Of the content library, as they were uploaded' },
    ),
  },
  { description: 'In bytes' },
)

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    app.get(
      '/settings/usage',
      route({
        id: 'getUsage',
        auth: 'member',
        permission: 'settings:read',
        readsAll: true,
        summary: 'How much the workspace holds, and how much it may hold',
        description: 'Answers the bytes that the workspace holds by kind, and the most it may hold.',
        out: Ok(Usage),
      }),
      async (request) => ok(await readUsage(ctx, memberCaller(request).workspaceId)),
    )
  },
}
