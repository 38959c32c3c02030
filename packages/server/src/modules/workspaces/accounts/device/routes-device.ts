import type { Context } from '../../../../context.ts'
import { ok } from '../../../../http/answers/envelope.ts'
import { accountCaller } from '../../../../http/callers/auth.ts'
import { callerOf } from '../../../../http/callers/caller-address.ts'
import { publicUrl } from '../../../../http/public-url.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { bodyOf, Nullable, Ok, Time, Type } from '../../../../http/schema.ts'
import { Membership, User } from '../../present.ts'
import { placeOf } from '../routes-accounts.ts'
import { beginDeviceSignIn, decideDeviceSignIn, findDeviceSignIn, takeDeviceSession } from './device-sign-in.ts'

const BeginBody = Type.Object({
  host: Type.Optional(Type.String({ maxLength: 300, description: 'What the machine is called: shown to whoever confirms it' })),
})
const Begun = Type.Object({
  deviceCode: Type.String({ description: 'For the program alone' }),
  userCode: Type.String({ description: 'To be shown, and compared with what the page shows' }),
  verificationUrl: Type.String({ description: 'The page on which its person confirms it' }),
  verificationUrlComplete: Type.String({ description: 'The same, with the code' }),
  expiresAt: Time,
  intervalSeconds: Type.Integer({ description: 'Between two questions for the session' }),
})
const TakeBody = Type.Object({ deviceCode: Type.String({ minLength: 1, maxLength: 100 }) })
const Taken = Type.Object({ token: Type.String(), expiresAt: Time, user: User, workspaces: Type.Array(Membership) })
const CodeParams = Type.Object({ code: Type.String({ maxLength: 40, description: 'The code that the program shows' }) })
export const DeviceSignIn = Type.Object({
  code: Type.String(),
  host: Type.String({ description: 'As the program calls its machine' }),
  address: Type.String({ description: 'Where it asked from' }),
  country: Nullable(Type.String({ description: 'Of that address' })),
  userAgent: Type.String(),
  askedAt: Time,
  expiresAt: Time,
})
const Decision = Type.Object({ allow: Type.Boolean() })

/** Signing in a program by a browser. */
export function deviceRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Accounts')
  app.post(
    '/auth/device',
    route({
      id: 'requestDeviceSignIn',
      auth: 'none',
      summary: 'Begin to sign in a program: its person confirms the code in a browser within 10 minutes',
      description:
        'Answers a code to show to the person and one for the program itself, which asks POST /auth/device/token with it until the person decided.',
      body: BeginBody,
      out: { 201: Ok(Begun) },
      refuses: ['LOGIN_RATE_LIMITED', 'SIGN_IN_BUSY'],
    }),
    async (request, reply) => {
      const { host = '' } = bodyOf(request)
      const rates = callerOf(request.raw, ctx.config.trustedProxies)
      const begun = await beginDeviceSignIn(ctx, { ...placeOf(ctx, request), rates, host })
      const page = `${publicUrl(ctx, request)}/device`
      return reply.code(201).send(ok({ ...begun, verificationUrl: page, verificationUrlComplete: `${page}?code=${begun.userCode}` }))
    },
  )
  app.post(
    '/auth/device/token',
    route({
      id: 'openDeviceSession',
      auth: 'none',
      summary: 'The session of a program, once its person has confirmed it; SIGN_IN_PENDING until then',
      description:
        'Answers the session once the person confirmed it. Until then it is 400 SIGN_IN_PENDING with Retry-After, and 403 SIGN_IN_REFUSED when they refused.',
      body: TakeBody,
      out: Ok(Taken),
      refuses: ['SIGN_IN_PENDING', 'SIGN_IN_REFUSED', 'SIGN_IN_OVER', 'LOGIN_RATE_LIMITED'],
    }),
    async (request) => ok(await takeDeviceSession(ctx, bodyOf(request).deviceCode, placeOf(ctx, request))),
  )
  app.get(
    '/auth/device/:code',
    route({
      id: 'getDeviceSignIn',
      auth: 'account',
      summary: 'A program that waits to be signed in, by its code: from where it asked',
      description: 'Shows the person what waits under a code before they confirm it: the name of the machine and where it asked from.',
      params: CodeParams,
      out: Ok(DeviceSignIn),
      refuses: ['DEVICE_CODE_UNKNOWN', 'LOGIN_RATE_LIMITED'],
    }),
    async (request) => {
      const { code, host, address, user_agent, created_at, expires_at } = await findDeviceSignIn(
        ctx,
        accountCaller(request),
        request.params.code,
      )
      const { country } = await ctx.geoIp.lookUp(address)
      return ok({ code, host, address, country, userAgent: user_agent, askedAt: created_at, expiresAt: expires_at })
    },
  )
  app.put(
    '/auth/device/:code',
    route({
      id: 'decideDeviceSignIn',
      auth: 'account',
      isForEverySession: true,
      summary: 'Confirm or refuse that a program is signed in as you; confirming takes a sign-in of the last 10 minutes',
      description:
        'Lets the waiting program in as you, or refuses it. Confirming takes a session that is younger than 10 minutes (REAUTHENTICATE).',
      params: CodeParams,
      body: Decision,
      out: Ok(Type.Object({ allowed: Type.Boolean() })),
      refuses: ['DEVICE_CODE_UNKNOWN', 'REAUTHENTICATE', 'LOGIN_RATE_LIMITED'],
    }),
    async (request) => {
      const { allow } = bodyOf(request)
      await decideDeviceSignIn(ctx, accountCaller(request), request.params.code, allow)
      return ok({ allowed: allow })
    },
  )
}
