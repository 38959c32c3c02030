import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import { aboutRoutes } from './routes-about.ts'
import { overviewRoutes } from './routes-overview.ts'
import { groupRoutes } from './routes-groups.ts'
import { userRoutes } from './routes-users.ts'

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => overviewRoutes(app, ctx),
  scim: (app, { ctx }) => {
    aboutRoutes(app)
    userRoutes(app, ctx)
    groupRoutes(app, ctx)
  },
}
