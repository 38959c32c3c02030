/** The rules for user tokens that a JWT library does not check: for whom a token is, how long it may live, and which key may sign it. */
import type { UserTokenFault } from './modes.ts'

/** Bytes that a shared secret needs at least; a shorter one can be guessed. */
export const SECRET_BYTES = 32
export const USER_TOKEN_LENGTH = 4_096
/** The longest time from `iat` to `exp`. */
const LIFETIME_SECONDS = 24 * 3_600
/** The clock of the server that signs may differ from ours by this much. */
const LEEWAY_SECONDS = 60
/** A token for an erasure may be this old at most. */
export const ERASURE_AGE_SECONDS = 15 * 60

export type IdentityKeyKind = 'secret' | 'public' | 'jwks'
/** The kind of the key decides the algorithm. A token that names another one is refused. */
export const ALGORITHMS: Record<IdentityKeyKind, 'HS256' | 'ES256'> = { secret: 'HS256', public: 'ES256', jwks: 'ES256' }

export type Expected = {
  userId: string
  /** Ids of workspaces, one of which the token is for. */
  audiences: readonly string[]
  /** The installation that sends it. */
  deviceId: string | undefined
  /** How old it may be at most, where that is less than its lifetime. */
  maxAgeSeconds?: number | undefined
  /** Seconds. */
  now: number
}

/** What is wrong with the claims of a token whose signature is right. */
export function faultOfClaims(claims: Record<string, unknown>, expected: Expected): UserTokenFault | undefined {
  const { aud, sub, exp, iat, nbf, device_id: deviceId } = claims
  const { now, maxAgeSeconds = LIFETIME_SECONDS } = expected
  const audiences = Array.isArray(aud) ? (aud as unknown[]) : [aud]
  if (!audiences.some((each) => typeof each === 'string' && expected.audiences.includes(each))) return 'audience'
  if (sub !== expected.userId) return 'subject'
  // Without `exp` and `iat` the lifetime of the token is not known.
  if (!isTime(exp) || !isTime(iat) || exp - iat > LIFETIME_SECONDS) return 'too_long'
  if (exp + LEEWAY_SECONDS <= now || iat - LEEWAY_SECONDS > now || now - iat > maxAgeSeconds + LEEWAY_SECONDS) return 'expired'
  if (nbf !== undefined && (!isTime(nbf) || nbf - LEEWAY_SECONDS > now)) return 'expired'
  return deviceId === undefined || deviceId === expected.deviceId ? undefined : 'device'
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
