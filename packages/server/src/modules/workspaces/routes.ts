import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import type { Passwords } from './accounts/passwords.ts'
import { accountSettingsRoutes } from './accounts/routes-account.ts'
import { accountRoutes } from './accounts/routes-accounts.ts'
import { calendarRoutes } from './routes-calendar.ts'
import { protectionRoutes } from './routes-protections.ts'
import { memberRoutes } from './accounts/routes-members.ts'
import { operatorRoutes, testHookRoutes, type Jobs } from './routes-operator.ts'
import { sessionRoutes } from './accounts/routes-session.ts'
import { settingsRoutes } from './routes-settings.ts'

export const routes: ModuleRoutes<{ ctx: Context; passwords: Passwords; jobs: Jobs }> = {
  management: (app, { ctx, passwords, jobs }) => {
    accountRoutes(app, ctx, passwords)
    memberRoutes(app, ctx, passwords)
    sessionRoutes(app, ctx, passwords)
    accountSettingsRoutes(app, ctx, passwords)
    settingsRoutes(app, ctx)
    calendarRoutes(app, ctx)
    protectionRoutes(app, ctx)
    operatorRoutes(app, ctx)
    testHookRoutes(app, ctx, jobs)
  },
}
