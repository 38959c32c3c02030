/** What the claims of a provider's tokens have to say. Signatures, issuer, audience and end are checked before. */

type Claims = Readonly<Record<string, unknown>>
/** `now`: in seconds. */
type Expected = { clientId: string; nonce: string; now: number }

const TOLERANCE_SECONDS = 60
const SUBJECT_LENGTH = 255
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Why a token does not say who signed in; undefined: it does. */
export function idTokenFault(claims: Claims, { clientId, nonce, now }: Expected): string | undefined {
  const { sub, aud, azp } = claims
  if (!isSubject(sub)) return 'sub'
  if (claims['nonce'] !== nonce) return 'nonce'
  if (!isOfNow(claims['iat'], now)) return 'iat'
  // That it is not over was checked where there is one.
  if (typeof claims['exp'] !== 'number') return 'exp'
  if (azp !== undefined && azp !== clientId) return 'azp'
  if (Array.isArray(aud) && aud.length > 1 && azp !== clientId) return 'azp'
  return undefined
}

/** Why a token signs nobody out; undefined: it does. */
export function logoutTokenFault(claims: Claims, now: number): string | undefined {
  const { sub, sid, events, jti } = claims
  if ('nonce' in claims) return 'nonce'
  if (!isSubject(jti)) return 'jti'
  if (!isOfNow(claims['iat'], now)) return 'iat'
  if (typeof events !== 'object' || events === null || !isPlain((events as Claims)[LOGOUT_EVENT])) return 'events'
  if (sub === undefined && sid === undefined) return 'sub'
  if (sub !== undefined && !isSubject(sub)) return 'sub'
  if (sid !== undefined && !isSubject(sid)) return 'sid'
  return undefined
}

/** An id that a provider gives, which is stored as it is: what no database keeps would make two of them one. */
export function isSubject(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= SUBJECT_LENGTH && !value.includes('\0') && !/\p{Surrogate}/u.test(value)
  )
}

function isOfNow(iat: unknown, now: number): boolean {
  return typeof iat === 'number' && Number.isFinite(iat) && iat <= now + TOLERANCE_SECONDS
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
