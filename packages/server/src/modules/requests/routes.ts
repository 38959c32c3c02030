import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import { exportRoutes } from './export/routes-export.ts'
import { receivedRoutes } from './received/routes-received.ts'

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    exportRoutes(app, ctx)
    receivedRoutes(app, ctx)
  },
}
