/** Push messages to browsers with keys of one's own (RFC 8030, RFC 8291, RFC 8292), without an account of anybody's. */
import { byStatus, failed, gone, jsonOf, objectIn, paused, retry, retryAfter, sent, wordIn } from '../answers.ts'
import { textOf, type Configuration, type HttpProvider, type ProviderAnswer, type ProviderOutcome } from '../channel.ts'
import { payloadOf } from './payload.ts'
import { isPushService, readSubscription } from './subscription.ts'

/** Four weeks: what push services keep at most. */
export const LONGEST_TTL = 2_419_200
/** A token is used for half of the 24 hours that RFC 8292 allows; it is good for a little longer. */
const [KEPT_SECONDS, SPARE_SECONDS] = [43_200, 3_600]

const SUBJECT =
  /^(?:mailto:[^\s@<>]+@|https:\/\/)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?:\/[\x21-\x7e]*)?$/i
const HOST_LIST = /^(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?(?:[ ,]+(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?)*$/i
const WEB_PAGE = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[\x21-\x7e]*)?$/i

/** Decision 67. */
export const webPush: HttpProvider = {
  type: 'push',
  tokens: 'vapid',
  members: [
    {
      name: 'subject',
      kind: 'text',
      isRequired: true,
      pattern: { of: SUBJECT, says: 'must be mailto: and an address, or begin with https://, at a public name' },
      example: 'mailto:push@shop.example',
    },
    {
      name: 'homeUrl',
      kind: 'text',
      isRequired: true,
      pattern: { of: WEB_PAGE, says: 'must be an address that begins with https://' },
      example: 'https://shop.example/',
    },
    {
      name: 'iconUrl',
      kind: 'text',
      pattern: { of: WEB_PAGE, says: 'must be an address that begins with https://' },
      example: 'https://shop.example/icon-192.png',
    },
    {
      name: 'publicKey',
      kind: 'text',
      pattern: { of: /^B[A-P][\w-]{85}$/, says: 'must be a public key of P-256 in base64url, 87 characters' },
      example: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg…',
    },
    {
      name: 'privateKey',
      kind: 'text',
      pattern: { of: /^[\w-]{43}$/, says: 'must be the private key in base64url, 43 characters' },
      example: '…',
    },
    {
      name: 'hosts',
      kind: 'text',
      pattern: { of: HOST_LIST, says: 'must be names of hosts with spaces between them, such as *.push.example' },
      example: 'push.example',
    },
  ],
  faultOf: (configuration) =>
    (textOf(configuration, 'publicKey') === '') === (textOf(configuration, 'privateKey') === '')
      ? undefined
      : 'publicKey and privateKey must be set together',
  lackOf: (configuration) => (textOf(configuration, 'publicKey') === '' ? 'It has no keys yet: save it, and they are made' : undefined),
  unaskedOf: (configuration, { to }) => {
    const subscription = readSubscription(to)
    if (!subscription) return 'The token is no subscription of a browser'
    if (isPushService(subscription, hostsOf(configuration))) return undefined
    return 'The subscription is of a push service that this channel does not name'
  },
  audienceOf: ({ to }) => readSubscription(to)?.origin ?? '',
  secretsOf: ({ to }) => [readSubscription(to)?.endpoint ?? ''],
  toRequest: (configuration, message, token) => {
    const { endpoint = '', p256dh = '', auth = '' } = readSubscription(message.to) ?? {}
    const { topic, ttlSeconds = LONGEST_TTL, urgency = 'normal' } = message
    return {
      url: endpoint,
      isHttp2: true,
      encryptFor: { p256dh, auth },
      headers: {
        authorization: `vapid t=${token}, k=${textOf(configuration, 'publicKey')}`,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/notification+json',
        ttl: String(Math.max(0, Math.min(LONGEST_TTL, Math.floor(ttlSeconds)))),
        urgency,
        ...(topic !== undefined && { topic }),
      },
      body: payloadOf(configuration, message),
    }
  },
  readAnswer,
}

function hostsOf(configuration: Configuration): string[] {
  return textOf(configuration, 'hosts')
    .toLowerCase()
    .split(/[ ,]+/)
    .filter((host) => host !== '')
}

/** What a VAPID token says (RFC 8292); `now` in seconds. Apple takes none that ends later than a day from now. */
export function vapidClaims(configuration: Configuration, audience: string, now: number) {
  return { aud: audience, exp: now + KEPT_SECONDS + SPARE_SECONDS, sub: textOf(configuration, 'subject') }
}
export const VAPID_SECONDS = KEPT_SECONDS

/** FCM says it in words, Mozilla by number 109, Apple by a reason. */
const OTHER_KEY = /VapidPkHashMismatch|do(?:es)? not correspond|public key mismatch/i
/** The token or the keys of the channel, whichever browser is written to. */
const OWN_FAULT = /jwt|vapid|authori[sz]ation|expir/i

function readAnswer(answer: ProviderAnswer): ProviderOutcome {
  const { status } = answer
  if (status >= 200 && status < 300) return sent(answer.headers['location'])
  const said = wordsOf(answer)
  if (status === 404 || status === 410) return gone(said || 'The subscription has ended')
  // A browser that subscribed with another key; or the channel has not the key that all of them did.
  if ([400, 401, 403].includes(status) && OTHER_KEY.test(said)) return { kind: 'gone', text: said, isDoubtful: true }
  if (status === 400) return OWN_FAULT.test(said) ? paused(said) : failed(said || 'The push service refused')
  if (status === 429) return retry(said || 'The push service is asked too often', retryAfter(answer))
  // Nothing is shown twice: a message of one topic takes the place of the one before.
  if (status >= 500) return retry(said || `The push service answered ${status}`, retryAfter(answer))
  return byStatus(answer, said)
}

/** Of one line of text, or of what Mozilla and Apple write as JSON. */
function wordsOf({ body }: ProviderAnswer): string {
  const read = objectIn(jsonOf(body))
  const named = [read['reason'], read['message'], read['error']].map(wordIn).find((word) => word !== undefined && word !== '')
  return named ?? (body.trimStart().startsWith('<') ? '' : body.trim())
}
