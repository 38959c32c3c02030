/** The tokens that push providers are called with: signed here or fetched, kept until shortly before they end, one at a time. */
import type { Configuration, HttpProvider, ProviderOutcome, ProviderAnswer, ProviderRequest } from '@contentflow/core/channels/channel.ts'
import { textOf } from '@contentflow/core/channels/channel.ts'
import { VAPID_SECONDS, vapidClaims } from '@contentflow/core/channels/web-push/web-push.ts'
import { accountOf, apnsClaims, fcmClaims, fcmTokenRequest, hmsTokenRequest, readToken } from '@contentflow/core/channels/push.ts'
import type { Context } from '../../context.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import { lazyPackage } from '../../infra/lazy-package.ts'

const jose = lazyPackage((require) => require('jose') as typeof import('jose'))

/** Why there is no token: what becomes of the message. */
export class NoToken extends Error {
  readonly outcome: ProviderOutcome
  constructor(outcome: ProviderOutcome) {
    super('no token')
    this.outcome = outcome
  }
}

type Kind = NonNullable<HttpProvider['tokens']>
type Call = (request: ProviderRequest) => Promise<ProviderAnswer>
type Made = { token: string; seconds: number }
/** `endsAt`: when it is not begun with any more; never, while it is being made. */
type CachedToken = { token: Promise<string>; madeAt: number; endsAt: number }

/** Of `name` each configuration has a token of its own. `audience`: whom it is for, where each has its own. */
type Wanted = { kind: Kind; name: string; configuration: Configuration; audience: string; call: Call }
export type Tokens = {
  /** Throws `NoToken`. */
  get(wanted: Wanted): Promise<string>
  /** It was refused. False when it is too young to be made anew. */
  renew(wanted: Wanted): boolean
}

const HELD = 1_000
/** A token is not used any more when it ends in less than this. */
const SPARE_SECONDS = 300
/** Apple takes one that is renewed more often than every 20 minutes as too many, and none that is older than an hour. */
const APNS_SECONDS = { kept: 2_700 + SPARE_SECONDS, least: 1_200 }

export function openTokens({ clock }: Pick<Context, 'clock'>): Tokens {
  const held = new GenerationalCache<string, CachedToken>(HELD)
  const make = (wanted: Wanted): CachedToken => {
    const { kind, name } = wanted
    const madeAt = clock.ms()
    const made = makers[kind](wanted, Math.floor(madeAt / 1000))
    const token = made.then(
      ({ token: ready, seconds }) => {
        fresh.endsAt = madeAt + Math.max(1, seconds - SPARE_SECONDS) * 1000
        return ready
      },
      (error: unknown) => {
        // What could not be made is tried again by the next who asks.
        if (held.get(name) === fresh) held.delete(name)
        throw error
      },
    )
    const fresh: CachedToken = { token, madeAt, endsAt: Infinity }
    held.set(name, fresh)
    return fresh
  }
  return {
    get: (wanted) => {
      const kept = held.get(wanted.name)
      return (kept && clock.ms() < kept.endsAt ? kept : make(wanted)).token
    },
    renew: ({ name, kind }) => {
      const kept = held.get(name)
      if (kind === 'apns' && kept && clock.ms() - kept.madeAt < APNS_SECONDS.least * 1000) return false
      held.delete(name)
      return true
    },
  }
}

const makers: Record<Kind, (wanted: Wanted, now: number) => Promise<Made>> = {
  fcm: async ({ configuration, call }, now) => {
    const header = { alg: 'RS256', kid: accountOf(configuration, 'private_key_id') }
    const assertion = await sign(fcmClaims(configuration, now), header, accountOf(configuration, 'private_key'))
    return fetched(await call(fcmTokenRequest(configuration, assertion)))
  },
  apns: async ({ configuration }, now) => {
    const header = { alg: 'ES256', kid: textOf(configuration, 'keyId') }
    return { token: await sign(apnsClaims(configuration, now), header, textOf(configuration, 'privateKey')), seconds: APNS_SECONDS.kept }
  },
  hms: async ({ configuration, call }) => fetched(await call(hmsTokenRequest(configuration))),
  vapid: async ({ configuration, audience }, now) => ({
    token: await signVapid(vapidClaims(configuration, audience, now), configuration),
    seconds: VAPID_SECONDS + SPARE_SECONDS,
  }),
}

function fetched(answer: ProviderAnswer): Made {
  const read = readToken(answer)
  if (!read.ok) throw new NoToken(read.outcome)
  return read
}

/** With the keys as push services write them (RFC 8292): the private one is a number, the public one a point. */
async function signVapid(claims: Record<string, string | number>, configuration: Configuration): Promise<string> {
  try {
    const point = Buffer.from(textOf(configuration, 'publicKey'), 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url')) as [string, string]
    const key = await jose().importJWK({ kty: 'EC', crv: 'P-256', x, y, d: textOf(configuration, 'privateKey') }, 'ES256')
    return await new (jose().SignJWT)(claims).setProtectedHeader({ typ: 'JWT', alg: 'ES256' }).sign(key)
  } catch {
    // The error may quote the key.
    throw new NoToken({ kind: 'failed', text: 'The keys cannot be used: they must be a pair of P-256 in base64url', pauses: true })
  }
}

/** Keys that went through an environment have `\n` where their lines end. */
async function sign(claims: Record<string, string | number>, { alg, kid }: { alg: string; kid: string }, pem: string): Promise<string> {
  try {
    const key = await jose().importPKCS8(pem.replaceAll('\\n', '\n'), alg)
    return await new (jose().SignJWT)(claims).setProtectedHeader({ alg, ...(kid !== '' && { kid }) }).sign(key)
  } catch {
    // The error may quote the key.
    throw new NoToken({ kind: 'failed', text: `The private key cannot be used: it must be a PKCS #8 key for ${alg}`, pauses: true })
  }
}
