/** Subscriptions of browsers, as they are registered: the JSON text of a `PushSubscription`. */
import { isPlainObject, type Json } from '../../blocks/field.ts'

/** `p256dh` and `auth`: base64url of 65 and of 16 bytes (RFC 8291). `origin`: of the push service; `host` with its port where it names one. */
export type Subscription = { endpoint: string; p256dh: string; auth: string; origin: string; host: string }

const ENDPOINT = /^(https:\/\/([a-z0-9.-]+(?::\d{1,5})?))\/[\x21-\x7e]*$/i
/** An uncompressed point of P-256: its first byte is 4. */
const POINT = /^B[A-P][\w-]{85}=?$/
const SECRET = /^[\w-]{22}(?:==)?$/
const LONGEST_ENDPOINT = 2_048

/** Undefined: it is no subscription that a message can be encrypted for. */
export function readSubscription(token: string): Subscription | undefined {
  const read = parse(token)
  if (read === undefined || !isPlainObject(read)) return undefined
  const { endpoint, keys } = read
  if (typeof endpoint !== 'string' || endpoint.length > LONGEST_ENDPOINT || keys === undefined || !isPlainObject(keys)) return undefined
  const [, origin = '', host = ''] = ENDPOINT.exec(endpoint) ?? []
  const { p256dh, auth } = keys
  if (origin === '' || typeof p256dh !== 'string' || typeof auth !== 'string') return undefined
  if (!POINT.test(p256dh) || !SECRET.test(auth)) return undefined
  return { endpoint, p256dh, auth, origin: origin.toLowerCase(), host: host.toLowerCase() }
}

function parse(token: string): Json | undefined {
  if (!looksLikeSubscription(token)) return undefined
  try {
    return JSON.parse(token) as Json
  } catch {
    return undefined
  }
}

/** What no token of FCM, APNs or HMS begins with; `carriedBy` in SQL asks the same. */
export function looksLikeSubscription(token: string): boolean {
  return token.startsWith('{')
}

/** What Chrome, Firefox, Safari and Edge register at (decision 67). */
const HOSTS = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com']

/** Whether a push service may be called: the address comes from whoever holds the key of the app. `more`: names of hosts, with `*.` before those of which any is. */
export function isPushService({ host }: Pick<Subscription, 'host'>, more: readonly string[]): boolean {
  return [...HOSTS, ...more].some((each) => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each))
}
