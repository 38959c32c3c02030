/** What a browser keeps of a sign-in that is under way: sealed, so that nobody reads or makes it, and for ten minutes. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../../context.ts'
import { cookiesOf, setPassingCookie } from '../../../../http/callers/session-cookie.ts'
import { hashSecret } from '../../../../infra/secrets/crypto.ts'

const STATE = 'cf_oidc'
const LINK = 'cf_link'
export const PASSING_SECONDS = 600
/** Sign-ins of one provider that a browser may have begun, in as many tabs; the headers of a request have to hold them. */
const MOST_STATES = 6

/** What the way back from a provider is held against. `isTrial`: nobody is signed in by it. */
export type SignInState = {
  state: string
  nonce: string
  verifier: string
  returnTo: string
  redirectUri: string
  isTrial: boolean
  endsAt: number
}
/** An identity that no account has yet. */
export type WaitingIdentity = { providerId: string; subject: string; email: string | null; endsAt: number }

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** The cookie comes along to the routes of its provider alone. */
export function keepState(ctx: Context, exchange: Exchange, providerId: string, state: SignInState): void {
  const known = [...cookiesOf(exchange.request, `${STATE}_`).keys()]
  for (const name of known.slice(0, Math.max(0, known.length - MOST_STATES + 1))) forget(ctx, exchange, providerId, name)
  const value = ctx.secrets.seal(JSON.stringify(state), placeOfState(providerId))
  const path = pathOf(providerId)
  setPassingCookie(at(ctx, exchange), exchange.reply, {
    name: nameOf(state.state),
    value,
    maxAgeSeconds: PASSING_SECONDS,
    path,
    sameSite: 'Lax',
  })
}

/** What this browser began under this state; it is forgotten. */
export function takeState(ctx: Context, exchange: Exchange, providerId: string, state: string): SignInState | undefined {
  const name = nameOf(state)
  const sealed = cookiesOf(exchange.request, name).get(name)
  if (sealed === undefined) return undefined
  forget(ctx, exchange, providerId, name)
  const found = open(ctx, sealed, placeOfState(providerId)) as SignInState | undefined
  return found?.state === state ? found : undefined
}

export function keepIdentity(ctx: Context, exchange: Exchange, identity: WaitingIdentity): void {
  const value = ctx.secrets.seal(JSON.stringify(identity), PLACE_OF_LINK)
  setLink(ctx, exchange, value)
}

export function findIdentityThatWaits(ctx: Context, request: FastifyRequest): WaitingIdentity | undefined {
  const sealed = cookiesOf(request, LINK).get(LINK)
  return sealed === undefined ? undefined : (open(ctx, sealed, PLACE_OF_LINK) as WaitingIdentity | undefined)
}

export function forgetIdentity(ctx: Context, exchange: Exchange): void {
  setLink(ctx, exchange, '')
}

function setLink(ctx: Context, exchange: Exchange, value: string): void {
  const cookie = { name: LINK, value, maxAgeSeconds: PASSING_SECONDS, path: '/api/v1/auth/link', sameSite: 'Strict' as const }
  setPassingCookie(at(ctx, exchange), exchange.reply, cookie)
}

const PLACE_OF_LINK = { workspaceId: '', row: 'cookies/link' }

function placeOfState(providerId: string) {
  return { workspaceId: '', row: `cookies/${providerId}` }
}

function at(ctx: Context, { request }: Exchange) {
  return { request, publicUrl: ctx.config.publicUrl }
}

function pathOf(providerId: string): string {
  return `/api/v1/auth/oidc/${providerId}`
}

/** One for each sign-in, so that two tabs do not take each other's. */
function nameOf(state: string): string {
  return `${STATE}_${hashSecret(state).slice(0, 12)}`
}

function forget(ctx: Context, exchange: Exchange, providerId: string, name: string): void {
  const path = pathOf(providerId)
  setPassingCookie(at(ctx, exchange), exchange.reply, { name, value: '', maxAgeSeconds: 0, path, sameSite: 'Lax' })
}

function open(ctx: Context, sealed: string, place: typeof PLACE_OF_LINK): { endsAt: number } | undefined {
  try {
    const found = JSON.parse(ctx.secrets.open(sealed, place)) as { endsAt: number }
    return found.endsAt > ctx.clock.ms() ? found : undefined
  } catch {
    // Whatever is wrong with it, this browser began nothing.
    return undefined
  }
}
