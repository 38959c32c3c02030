import { createHmac } from 'node:crypto'

/** A secret of `Settings → Protection`, which your server and the workspace share. */
export type IdentityKey = {
  /** The id of the workspace, for which tokens are made. */
  workspaceId: string
  /** At least 32 bytes. */
  secret: string
  /** Names the key when the workspace has several. */
  keyId?: string
}

/** Tokens live this long unless told otherwise: an erasure takes none that is older than 15 minutes. */
const LIFE_SECONDS = 600
/** The server takes none that lives longer. */
const LONGEST_SECONDS = 86_400

/**
 * A token that says who a person is, for `userToken` of the client in an application. Give it only to whoever is signed in as
 * this person. Throws a `RangeError` for a life that the server would refuse. `now`: milliseconds since 1970.
 */
export function signUserToken(
  { workspaceId, secret, keyId }: IdentityKey,
  userId: string,
  { seconds = LIFE_SECONDS, deviceId, now = Date.now() }: { seconds?: number; deviceId?: string; now?: number } = {},
): string {
  if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) throw new RangeError(`seconds is above 0 and at most ${LONGEST_SECONDS}`)
  const iat = Math.floor(now / 1000)
  const signed = [
    { alg: 'HS256', typ: 'JWT', kid: keyId },
    { sub: userId, aud: workspaceId, iat, exp: iat + Math.round(seconds), device_id: deviceId },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
