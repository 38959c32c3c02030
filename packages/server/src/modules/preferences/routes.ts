import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import type { Dispatcher } from '../sends/index.ts'
import { clientPreferenceRoutes } from './routes-client.ts'
import { preferencePageRoutes } from './routes-page.ts'

export const routes: ModuleRoutes<{ ctx: Context; dispatcher: Dispatcher }> = {
  client: (app, { ctx }) => clientPreferenceRoutes(app, ctx),
  management: (app, { ctx, dispatcher }) => preferencePageRoutes(app, ctx, dispatcher.channels),
}
