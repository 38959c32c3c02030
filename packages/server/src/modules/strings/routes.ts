import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import type { StringsReading } from './delivery/reading.ts'
import { stringsDeliveryRoutes } from './delivery/routes-delivery.ts'
import { draftRoutes } from './editor/routes-drafts.ts'
import { stringRoutes } from './editor/routes-editor.ts'
import { historyRoutes } from './history/routes-history.ts'
import { stringImportRoutes } from './files/routes-imports.ts'
import { localeRoutes } from './routes-locales.ts'
import { stringsPipelineRoutes } from './pipeline/routes-pipeline.ts'
import { sensorRoutes } from './editor/routes-sensors.ts'

export const routes: ModuleRoutes<{ ctx: Context; strings: StringsReading }> = {
  client: (app, { ctx, strings }) => {
    stringsDeliveryRoutes(app, strings)
    stringsPipelineRoutes(app, ctx)
  },
  management: (app, { ctx }) => {
    stringRoutes(app, ctx)
    historyRoutes(app, ctx)
    stringImportRoutes(app, ctx)
    draftRoutes(app, ctx)
    sensorRoutes(app, ctx)
    localeRoutes(app, ctx)
    stringsPipelineRoutes(app, ctx)
  },
}
