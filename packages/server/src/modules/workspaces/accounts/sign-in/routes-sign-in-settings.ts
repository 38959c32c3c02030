import { SECOND_FACTOR_POLICIES } from '@contentflow/core/identity/second-factor/policy.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../../context.ts'
import { ok } from '../../../../http/answers/envelope.ts'
import { memberCaller } from '../../../../http/callers/auth.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type } from '../../../../http/schema.ts'
import { findSignInSettings } from './queries-sign-in-settings.ts'
import { changeSignIn } from './sign-in-settings.ts'

const SecondFactor = Type.Enum([...SECOND_FACTOR_POLICIES], { description: 'Which members sign in with a second factor' })
const IdleMinutes = Nullable(
  Type.Integer({
    minimum: LIMITS.sessionIdleMinutesMin,
    maximum: LIMITS.sessionHours * 60,
    description: 'Sessions of members that nobody used for longer end, to about a minute; null: they end by their age alone',
  }),
)
const SsoRequired = Type.Boolean({ description: 'Members come in by a provider alone' })
const BREAK_GLASS = 'Admins who come in with a passkey all the same, by their userId'
export const SignInSettings = Type.Object({
  ssoRequired: SsoRequired,
  breakGlass: Type.Array(Type.String(), { description: BREAK_GLASS }),
  secondFactor: SecondFactor,
  sessionIdleMinutes: IdleMinutes,
})
const Body = Type.Object(
  {
    ssoRequired: Type.Optional(SsoRequired),
    breakGlass: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 2, description: BREAK_GLASS })),
    secondFactor: Type.Optional(SecondFactor),
    sessionIdleMinutes: Type.Optional(IdleMinutes),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ sessionIdleMinutes: 60 }] },
)

/** What a workspace asks of those who sign in to it. */
export function signInSettingsRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Sign-in')
  const path = '/settings/sign-in'
  app.get(
    path,
    route({
      id: 'getSignInSettings',
      auth: 'member',
      permission: 'settings:read',
      summary: 'What the workspace asks of those who sign in',
      description: 'Answers whether a provider or a second factor is required, who gets in all the same, and when unused sessions end.',
      out: Ok(SignInSettings),
    }),
    async (request) => ok(await findSignInSettings(ctx.db, memberCaller(request).workspaceId)),
  )
  app.put(
    path,
    route({
      id: 'updateSignInSettings',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Choose what the workspace asks of those who sign in; what is left out stays',
      description:
        'A provider is required by somebody who has just come in by one, a second factor by somebody who has proved one: nobody shuts themselves out.',
      body: Body,
      out: Ok(SignInSettings),
      refuses: ['SSO_NOT_USED'],
    }),
    async (request) => ok(await changeSignIn(ctx, memberCaller(request), bodyOf(request))),
  )
}
