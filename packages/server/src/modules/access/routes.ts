import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import { endingRoutes } from './routes-ending.ts'
import { accessRoutes, roleRoutes } from './routes-roles.ts'
import { serviceRoutes } from './routes-services.ts'

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    roleRoutes(app, ctx)
    accessRoutes(app, ctx)
    serviceRoutes(app, ctx)
    endingRoutes(app, ctx)
  },
}
