import type { Context } from '../../context.ts'
import type { ModuleRoutes } from '../../http/routes.ts'
import type { AccountMails } from './accounts/account-mails.ts'
import type { Passwords } from './accounts/sign-in/passwords.ts'
import { accountSettingsRoutes } from './accounts/routes-account.ts'
import { accountRoutes } from './accounts/routes-accounts.ts'
import { deviceRoutes } from './accounts/device/routes-device.ts'
import { openProviderCalls } from './accounts/oidc/provider-calls.ts'
import { oidcRoutes } from './accounts/oidc/routes-oidc.ts'
import { providerRoutes } from './accounts/oidc/routes-providers.ts'
import { calendarRoutes } from './routes-calendar.ts'
import { holdoutRoutes } from './routes-holdout.ts'
import { linkSchemeRoutes } from './routes-link-schemes.ts'
import { protectionRoutes } from './routes-protections.ts'
import { linkRoutes } from './accounts/routes-links.ts'
import { passkeyRoutes } from './accounts/passkeys/routes-passkeys.ts'
import { secondFactorRoutes } from './accounts/second-factor/routes-second-factor.ts'
import { signInSettingsRoutes } from './accounts/sign-in/routes-sign-in-settings.ts'
import { memberRoutes } from './accounts/members/routes-members.ts'
import { operatorRoutes, testHookRoutes, type Jobs } from './routes-operator.ts'
import { sessionRoutes } from './accounts/sign-in/routes-session.ts'
import { settingsRoutes } from './routes-settings.ts'

export const routes: ModuleRoutes<{ ctx: Context; passwords: Passwords; mails: AccountMails; jobs: Jobs }> = {
  management: (app, { ctx, passwords, mails, jobs }) => {
    accountRoutes(app, ctx, passwords)
    memberRoutes(app, ctx, passwords)
    linkRoutes(app, ctx, { passwords, mails })
    const calls = openProviderCalls(ctx)
    sessionRoutes(app, ctx, { passwords, calls })
    deviceRoutes(app, ctx)
    oidcRoutes(app, { ctx, calls })
    providerRoutes(app, ctx)
    secondFactorRoutes(app, ctx, { passwords, mails })
    passkeyRoutes(app, ctx)
    signInSettingsRoutes(app, ctx)
    accountSettingsRoutes(app, ctx, passwords)
    settingsRoutes(app, ctx)
    calendarRoutes(app, ctx)
    protectionRoutes(app, ctx)
    linkSchemeRoutes(app, ctx)
    holdoutRoutes(app, ctx)
    operatorRoutes(app, ctx)
    testHookRoutes(app, ctx, jobs)
  },
}
