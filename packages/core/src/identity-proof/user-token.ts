/** The rules for user tokens, which a JWT library has no word for: whom they are for, how long they may live, and which key may have signed them. */
import type { UserTokenFault } from './modes.ts'

/** What is shorter would be guessed. Bytes of a shared secret. */
export const SECRET_BYTES = 32
export const USER_TOKEN_LENGTH = 4_096
/** From `iat` to `exp` at most. */
const LIFETIME_SECONDS = 24 * 3_600
/** Clocks of others may differ by this much. */
const LEEWAY_SECONDS = 60
/** A token that erases somebody was made just now. */
export const ERASURE_AGE_SECONDS = 15 * 60

export type IdentityKeyKind = 'secret' | 'public' | 'jwks'
/** Said by the kind of the key; what the token says has to be the same. */
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
  // Without both nobody can say how long it lives.
  if (!isTime(exp) || !isTime(iat) || exp - iat > LIFETIME_SECONDS) return 'too_long'
  if (exp + LEEWAY_SECONDS <= now || iat - LEEWAY_SECONDS > now || now - iat > maxAgeSeconds + LEEWAY_SECONDS) return 'expired'
  if (nbf !== undefined && (!isTime(nbf) || nbf - LEEWAY_SECONDS > now)) return 'expired'
  return deviceId === undefined || deviceId === expected.deviceId ? undefined : 'device'
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
