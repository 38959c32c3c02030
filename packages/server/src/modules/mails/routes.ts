import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import { brandRoutes } from './routes-brand.ts'
import { htmlRoutes } from './routes-html.ts'
import { libraryRoutes } from './routes-library.ts'

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    libraryRoutes(app, ctx)
    brandRoutes(app, ctx)
    htmlRoutes(app, ctx)
  },
}
