import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import { domainOf } from '@contentflow/core/sign-in/provider.ts'
import { readReturnTo } from '@contentflow/core/sign-in/return-to.ts'
import { failWith } from '../../../../errors.ts'
import { ok } from '../../../../http/answers/envelope.ts'
import { sentBody } from '../../../../http/bodies/body.ts'
import { accountCaller } from '../../../../http/callers/auth.ts'
import { callerOf } from '../../../../http/callers/caller-address.ts'
import { setSessionCookie } from '../../../../http/callers/session-cookie.ts'
import { publicUrl } from '../../../../http/public-url.ts'
import { pathOf } from '../../../../http/params.ts'
import { routeIn, type Routes } from '../../../../http/routes.ts'
import { Nullable, Ok, queryOf, Type } from '../../../../http/schema.ts'
import { placeOf } from '../routes-accounts.ts'
import { providerCounters, spendTry } from '../sign-in/tries.ts'
import { linkIdentity, providerOfWaiting } from './link-identity.ts'
import { findIdentityThatWaits, forgetIdentity, keepIdentity, keepState, takeState } from './passing-cookies.ts'
import { isAway, SignInError } from './provider-errors.ts'
import { findProvider, providersToShow, type Provider } from './providers.ts'
import { beginSignIn, finishSignIn, type SignInOutcome, type SignInParts } from './sign-in-at-provider.ts'
import { takeLogoutToken } from './sign-out.ts'

const ProviderParams = pathOf({ id: 'The id of the provider' })
const ProvidersQuery = Type.Object({
  email: Type.Optional(
    Type.String({ maxLength: 254, description: 'Of whoever wants to sign in: its domain decides, not whether it is known' }),
  ),
})
const StartQuery = Type.Object({
  returnTo: Type.Optional(Type.String({ maxLength: 2_000, description: 'A page of this server' })),
  try: Type.Optional(Type.Boolean({ description: 'Signs nobody in: shows what the provider says, and what that would give' })),
})
const Named = Type.Object({ id: Type.String(), name: Type.String() })
export const OfferedProviders = Type.Object({ providers: Type.Array(Named) })
export const WaitingLink = Type.Object({
  waiting: Nullable(Type.Object({ provider: Named, email: Nullable(Type.String()) }, { title: 'WaitingIdentity' })),
})
/** Of the answer to a provider's form, which holds one token. */
const FORM_BYTES = 65_536

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Signing in with providers of OpenID Connect, and out again. */
export function oidcRoutes(app: Routes, parts: SignInParts): void {
  const { ctx } = parts
  const route = routeIn('Sign-in')
  app.get(
    '/auth/providers',
    route({
      id: 'listOfferedProviders',
      auth: 'none',
      summary: 'Providers that the sign-in page offers',
      description:
        'Answers the providers of the installation and, with `email`, those of the workspace whose domain it has. Whether there is such an account is not told.',
      query: ProvidersQuery,
      out: Ok(OfferedProviders),
    }),
    async (request) => {
      const { email } = queryOf(request)
      const shown = await providersToShow(ctx, email === undefined ? undefined : domainOf(email))
      return ok({ providers: shown.map(named) })
    },
  )
  app.get(
    '/auth/oidc/:id/start',
    route({
      id: 'startSignIn',
      auth: 'none',
      summary: 'Go to the provider to sign in: 303',
      description:
        'Sends the browser to the provider. An address of this server in `returnTo` is opened afterwards. What goes wrong leads to the sign-in page with its reason.',
      sends: ['Location', 'Set-Cookie'],
      params: ProviderParams,
      query: StartQuery,
      out: { 303: Type.Null() },
      refuses: ['LOGIN_RATE_LIMITED'],
    }),
    async (request, reply) => {
      const provider = await requireProvider(parts, request.params.id)
      const { returnTo, try: isTrial = false } = queryOf(request)
      if (!provider.isOn && !isTrial) failWith(404, 'provider not found')
      await spendTry(ctx, providerCounters(callerOf(request.raw, ctx.config.trustedProxies)), 'LOGIN_RATE_LIMITED')
      return start(parts, { request, reply }, provider, { returnTo: readReturnTo(returnTo), isTrial })
    },
  )
  app.get(
    '/auth/oidc/:id/callback',
    route({
      id: 'finishSignIn',
      auth: 'none',
      summary: 'Where the provider sends people back to: opens a session as a cookie, and leads on: 303',
      description:
        'Called by the browser when the provider sends it back. It opens a session, keeps an identity that has to be linked to an account first, or leads to the sign-in page with the reason.',
      sends: ['Location', 'Set-Cookie'],
      params: ProviderParams,
      out: { 303: Type.Null() },
    }),
    async (request, reply) => {
      const provider = await requireProvider(parts, request.params.id)
      return finish(parts, { request, reply }, provider)
    },
  )
  logoutRoute(app, parts)
  linkRoutesOf(app, parts)
}

async function start(
  parts: SignInParts,
  exchange: Exchange,
  provider: Provider,
  { returnTo, isTrial }: { returnTo: string; isTrial: boolean },
): Promise<FastifyReply> {
  const { ctx } = parts
  const { request, reply } = exchange
  const redirectUri = `${publicUrl(ctx, request)}/api/v1/auth/oidc/${provider.id}/callback`
  try {
    const { address, state } = await beginSignIn(parts, provider, { returnTo, redirectUri, isTrial })
    keepState(ctx, exchange, provider.id, state)
    return reply.redirect(address, 303)
  } catch (error) {
    if (error instanceof SignInError) return toSignInPage(reply, error.fault)
    if (isAway(error)) return toSignInPage(reply, 'sso_away')
    throw error
  }
}

async function finish(parts: SignInParts, exchange: Exchange, provider: Provider): Promise<FastifyReply> {
  const { ctx } = parts
  const { request, reply } = exchange
  const query = request.url.split('?', 2)[1] ?? ''
  const state = takeState(ctx, exchange, provider.id, new URLSearchParams(query).get('state') ?? '')
  if (!state || !(provider.isOn || state.isTrial)) return toSignInPage(reply, 'sso_failed')
  const outcome = await finishSignIn(parts, provider, { state, query, client: placeOf(ctx, request) })
  return leadOn(parts, exchange, { provider, returnTo: state.returnTo }, outcome)
}

function leadOn(
  { ctx }: SignInParts,
  exchange: Exchange,
  { provider, returnTo }: { provider: Provider; returnTo: string },
  outcome: SignInOutcome,
): FastifyReply {
  const { request, reply } = exchange
  switch (outcome.is) {
    case 'in':
      setSessionCookie({ request, publicUrl: ctx.config.publicUrl }, reply, outcome.session.token, LIMITS.sessionHours * 3600)
      return reply.redirect(returnTo, 303)
    case 'link':
      keepIdentity(ctx, exchange, outcome.identity)
      return toSignInPage(reply, 'link_required')
    case 'tried': {
      // Behind `#`, it reaches no server and no log.
      const told = Buffer.from(JSON.stringify({ provider: named(provider), ...outcome.trial })).toString('base64url')
      return reply.redirect(`/sign-in/tried#${told}`, 303)
    }
    case 'refused':
      return toSignInPage(reply, outcome.fault)
    default:
      return outcome satisfies never
  }
}

function toSignInPage(reply: FastifyReply, fault: string): FastifyReply {
  return reply.redirect(`/sign-in?error=${fault}`, 303)
}

function logoutRoute(app: Routes, parts: SignInParts): void {
  const { ctx } = parts
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // A form, of whatever type a provider calls it.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) => done(null, body))
    scope.post(
      '/auth/oidc/:id/backchannel-logout',
      routeIn('Sign-in')({
        id: 'signOutByProvider',
        auth: 'none',
        summary: 'A provider says that somebody signed out: ends the sessions that its token names',
        description:
          'Called by the provider with a signed logout token. The sessions that it names end; a token that is wrong or was used is 400.',
        params: ProviderParams,
        refuses: ['LOGIN_RATE_LIMITED'],
      }),
      async (request, reply) => {
        const provider = await requireProvider(parts, (request.params as { id: string }).id)
        const sent = sentBody(request)
        const tokens = new URLSearchParams(typeof sent === 'string' ? sent : '').getAll('logout_token')
        if (tokens.length !== 1) failWith(400, 'logout_token is missing')
        await spendTry(ctx, providerCounters(callerOf(request.raw, ctx.config.trustedProxies)), 'LOGIN_RATE_LIMITED')
        await takeLogoutToken(parts, provider, String(tokens[0]))
        return reply.code(200).header('cache-control', 'no-store').send()
      },
    )
  })
}

function linkRoutesOf(app: Routes, { ctx }: SignInParts): void {
  const route = routeIn('Sign-in')
  app.get(
    '/auth/link',
    route({
      id: 'getWaitingIdentity',
      auth: 'account',
      summary: 'The identity at a provider that waits in this browser to be tied to your account',
      description:
        'Answers the identity that this browser brought from a provider and that belongs to no account yet; null when there is none.',
      out: Ok(WaitingLink),
    }),
    async (request) => {
      const identity = findIdentityThatWaits(ctx, request)
      const provider = identity && (await findProvider(ctx, identity.providerId))
      return ok({ waiting: identity && provider?.isOn ? { provider: named(provider), email: identity.email } : null })
    },
  )
  app.post(
    '/auth/link',
    route({
      id: 'linkIdentity',
      auth: 'account',
      summary: 'Tie the identity that waits to your account, to which you have just signed in with password or passkey',
      description:
        'From then on that identity signs in to your account. It takes a sign-in by password or passkey within the last 10 minutes (SIGN_IN_AGAIN).',
      sends: ['Set-Cookie'],
      out: Ok(Type.Object({ linked: Type.Literal(true), provider: Named })),
      refuses: ['LINK_NOT_WAITING', 'SIGN_IN_AGAIN', 'IDENTITY_TAKEN'],
    }),
    async (request, reply) => {
      const identity = findIdentityThatWaits(ctx, request)
      await providerOfWaiting(ctx, identity)
      const provider = await linkIdentity(ctx, accountCaller(request), identity)
      forgetIdentity(ctx, { request, reply })
      return ok({ linked: true as const, provider: named(provider) })
    },
  )
}

function named({ id, name }: Provider) {
  return { id, name }
}

async function requireProvider({ ctx }: SignInParts, id: string): Promise<Provider> {
  return (await findProvider(ctx, id)) ?? failWith(404, 'provider not found')
}
