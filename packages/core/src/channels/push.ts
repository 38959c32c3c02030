/** Push messages over FCM, APNs and HMS, and the tokens these are called with. */
import { cutText } from '../cut-text.ts'
import { byStatus, failed, gone, jsonOf, objectIn, objectOf, paused, retry, retryAfter, sent, wordIn } from './answers.ts'
import {
  addressOf,
  baseUrl,
  FORM,
  formOf,
  isRightToLeft,
  JSON_TYPE,
  PLAIN,
  textOf,
  type Configuration,
  type HttpProvider,
  type Message,
  type ProviderOutcome,
  type ProviderAnswer,
  type ProviderRequest,
} from './channel.ts'

/** With a new token it may go; when it does not, no message does. */
function stale(text: string): ProviderOutcome {
  return { kind: 'failed', text, pauses: true, isTokenStale: true }
}

/** Every token looks like this to an app it was not made for. */
function doubtful(text: string): ProviderOutcome {
  return { kind: 'gone', text, isDoubtful: true }
}

// --- FCM ---

const FCM = 'https://fcm.googleapis.com'
const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token'
const FCM_SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'

/** A member of the account file, of what Google gave. */
export function accountOf(configuration: Configuration, name: string): string {
  const account = configuration['serviceAccount']
  return typeof account === 'object' ? (account[name] ?? '') : ''
}

/** What an account says of itself when it asks for a token; its name is the issuer, and the hour begins at `now` (seconds). */
export function fcmClaims(configuration: Configuration, now: number) {
  return { iss: accountOf(configuration, 'client_email'), scope: FCM_SCOPE, aud: fcmTokenUrl(configuration), iat: now, exp: now + 3_600 }
}

export function fcmTokenRequest(configuration: Configuration, assertion: string): ProviderRequest {
  const body = formOf({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  return { url: fcmTokenUrl(configuration), headers: { 'content-type': FORM }, body }
}

/** G-59: the account's own. */
function fcmTokenUrl(configuration: Configuration): string {
  return accountOf(configuration, 'token_uri') || GOOGLE_TOKENS
}

export const fcm: HttpProvider = {
  type: 'push',
  tokens: 'fcm',
  members: [
    {
      name: 'serviceAccount',
      kind: 'object',
      isRequired: true,
      example: '{…}',
      members: [
        { name: 'project_id', kind: 'text', isRequired: true, pattern: PLAIN, example: 'my-shop' },
        { name: 'client_email', kind: 'text', isRequired: true, example: 'sender@my-shop.iam.gserviceaccount.com' },
        { name: 'private_key', kind: 'pem', isRequired: true, example: '-----BEGIN PRIVATE KEY-----…' },
        { name: 'private_key_id', kind: 'text', example: '0123…' },
        { name: 'token_uri', kind: 'address', example: GOOGLE_TOKENS },
      ],
    },
    baseUrl(FCM),
  ],
  toRequest: (configuration, message, token) => ({
    url: addressOf(configuration, FCM, `/v1/projects/${encodeURIComponent(accountOf(configuration, 'project_id'))}/messages:send`),
    headers: { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE },
    body: JSON.stringify({ message: fcmMessage(message) }),
  }),
  readAnswer: readFcm,
}

export function fcmMessage(message: Message) {
  const { id, to, title, body, imageUrl, button, language } = message
  const link = button?.url.startsWith('https://') ? { link: button.url } : undefined
  return {
    token: to,
    notification: { title, body, ...(imageUrl !== undefined && { image: imageUrl }) },
    // Texts only. The app draws the button and the direction from them.
    data: {
      cf_send: id,
      ...(button && { url: button.url, button: button.label }),
      ...(language !== undefined && { lang: language, dir: isRightToLeft(language) ? 'rtl' : 'ltr' }),
    },
    android: { priority: 'HIGH' },
    apns: {
      headers: { 'apns-priority': '10' },
      payload: { aps: { 'mutable-content': 1, sound: 'default' } },
      ...(imageUrl !== undefined && { fcm_options: { image: imageUrl } }),
    },
    webpush: {
      ...(language !== undefined && { notification: { lang: language, dir: isRightToLeft(language) ? 'rtl' : 'ltr' } }),
      ...(link && { fcm_options: link }),
    },
  }
}

function readFcm(answer: ProviderAnswer): ProviderOutcome {
  const { status } = answer
  if (status >= 200 && status < 300) return sent(wordIn(objectOf(answer)['name']))
  const error = objectIn(objectOf(answer)['error'])
  const said = wordIn(error['message'])
  const code = fcmCode(error['details'])
  if (code === 'UNREGISTERED') return gone(said ?? code)
  // Its other meanings are faults of the message, and name the member.
  if (code === 'INVALID_ARGUMENT' && /registration token/i.test(said ?? '')) return gone(said ?? code)
  if (code === 'SENDER_ID_MISMATCH') return failed(said ?? 'The token is of another project')
  if (code === 'THIRD_PARTY_AUTH_ERROR') return failed(said ?? 'Firebase has no valid key of APNs or of web push')
  if (status === 401 || status === 403) return stale(said ?? 'FCM refused the service account')
  if (status === 404) return paused(said ?? 'FCM does not know this project')
  if (status === 429) return retry(said ?? 'FCM is asked too often', Math.max(60, retryAfter(answer) ?? 0))
  return byStatus(answer, said)
}

/** The detail that is of FCM; others are of the interface as a whole. */
function fcmCode(details: unknown): string | undefined {
  const all = Array.isArray(details) ? (details as never[]) : []
  const own = all.map(objectIn).find((detail) => wordIn(detail['@type'])?.endsWith('google.firebase.fcm.v1.FcmError'))
  return own && wordIn(own['errorCode'])
}

// --- APNs ---

const APNS = { live: 'https://api.push.apple.com', sandbox: 'https://api.sandbox.push.apple.com' }

export const apns: HttpProvider = {
  type: 'push',
  tokens: 'apns',
  members: [
    { name: 'teamId', kind: 'text', isRequired: true, example: 'AB12CD34EF' },
    { name: 'keyId', kind: 'text', isRequired: true, example: 'AB12CD34EF' },
    { name: 'bundleId', kind: 'text', isRequired: true, pattern: PLAIN, example: 'com.example.shop' },
    { name: 'privateKey', kind: 'pem', isRequired: true, example: '-----BEGIN PRIVATE KEY-----…' },
    { name: 'production', kind: 'boolean', example: true },
    baseUrl(APNS.live),
  ],
  toRequest: (configuration, message, token) => ({
    url: addressOf(
      configuration,
      configuration['production'] === false ? APNS.sandbox : APNS.live,
      `/3/device/${encodeURIComponent(message.to)}`,
    ),
    isHttp2: true,
    headers: {
      authorization: `bearer ${token}`,
      'content-type': JSON_TYPE,
      'apns-topic': textOf(configuration, 'bundleId'),
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-id': message.id,
    },
    body: JSON.stringify(apnsPayload(message)),
  }),
  readAnswer: readApns,
}

export function apnsPayload({ id, title, body, imageUrl, button }: Message) {
  return {
    aps: { alert: { title, body }, sound: 'default', 'mutable-content': 1 },
    cf: { id, ...(imageUrl !== undefined && { image: imageUrl }), ...(button && { url: button.url, button: button.label }) },
  }
}

/** `now` in seconds. */
export function apnsClaims(configuration: Configuration, now: number) {
  return { iss: textOf(configuration, 'teamId'), iat: now }
}

const APNS_REASONS = new Map<string, (text: string) => ProviderOutcome>([
  ...['Unregistered', 'ExpiredToken'].map((reason) => [reason, gone] as const),
  ...['BadDeviceToken', 'DeviceTokenNotForTopic'].map((reason) => [reason, doubtful] as const),
  ['ExpiredProviderToken', (text) => ({ kind: 'retry', text, after: 60, isTokenStale: true })],
  ['TooManyRequests', (text) => retry(text, 30)],
  ['TooManyProviderTokenUpdates', (text) => retry(text, 1_200)],
  ['IdleTimeout', (text) => retry(text, 0)],
  ...['InternalServerError', 'ServiceUnavailable', 'Shutdown'].map((reason) => [reason, (text: string) => retry(text, 30)] as const),
])

function readApns(answer: ProviderAnswer): ProviderOutcome {
  if (answer.status === 200) return sent(answer.headers['apns-id'])
  const reason = wordIn(objectOf(answer)['reason'])
  if (reason === undefined) return byStatus(answer)
  return APNS_REASONS.get(reason)?.(reason) ?? (answer.status === 403 ? paused(reason) : byStatus(answer, reason))
}

// --- HMS ---

const HMS = 'https://push-api.cloud.huawei.com'
const HMS_TOKENS = 'https://oauth-login.cloud.huawei.com'

export const hms: HttpProvider = {
  type: 'push',
  tokens: 'hms',
  members: [
    { name: 'appId', kind: 'text', isRequired: true, example: '100000001' },
    { name: 'appSecret', kind: 'text', isRequired: true, example: '…' },
    // What receipts are signed with, as both stand in AppGallery Connect.
    { name: 'callbackUser', kind: 'text', example: 'receipts' },
    { name: 'callbackKey', kind: 'text', pattern: PLAIN, example: '…' },
    baseUrl(HMS),
  ],
  faultOf: (configuration) =>
    (textOf(configuration, 'callbackUser') === '') === (textOf(configuration, 'callbackKey') === '')
      ? undefined
      : 'callbackUser and callbackKey must be set together',
  toRequest: (configuration, message, token) => ({
    url: addressOf(configuration, HMS, `/v1/${encodeURIComponent(textOf(configuration, 'appId'))}/messages:send`),
    headers: { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE },
    body: JSON.stringify({ validate_only: false, message: hmsMessage(message) }),
  }),
  readAnswer: readHms,
}

/** A gateway answers for both hosts. */
export function hmsTokenRequest(configuration: Configuration): ProviderRequest {
  const members = { client_id: textOf(configuration, 'appId'), client_secret: textOf(configuration, 'appSecret') }
  return {
    url: addressOf(configuration, HMS_TOKENS, '/oauth2/v3/token'),
    headers: { 'content-type': FORM },
    body: formOf({ grant_type: 'client_credentials', ...members }),
  }
}

export function hmsMessage({ id, to, title, body, imageUrl, button }: Message) {
  const link = button?.url.startsWith('https://') ? button : undefined
  return {
    notification: { title, body, ...(imageUrl !== undefined && { image: imageUrl }) },
    data: JSON.stringify({ cf_send: id }),
    android: {
      category: 'MARKETING',
      notification: {
        // It cannot be left out: 2 opens an address, 3 the app.
        click_action: link ? { type: 2, url: link.url } : { type: 3 },
        ...(link && { buttons: [{ name: cutText(link.label, 40), action_type: 2, intent: link.url }] }),
      },
    },
    token: [to],
  }
}

const HMS_CODES = new Map<string, (text: string) => ProviderOutcome>([
  ['80300007', doubtful],
  ['80200003', (text) => ({ kind: 'retry', text, isTokenStale: true })],
  ...['80200001', '80200005'].map((code) => [code, stale] as const),
  ...['80300002', '80300011', '80300013', '80600003'].map((code) => [code, paused] as const),
  ['80100017', (text) => retry(text, 60)],
  ['81000001', (text) => retry(text, 30)],
])

/** 200 is no success here: the code in the body says what became of it. */
function readHms(answer: ProviderAnswer): ProviderOutcome {
  const members = objectOf(answer)
  const code = wordIn(members['code'])
  const said = wordIn(members['msg'])
  if (code === undefined) return readHmsStatus(answer)
  if (code === '80000000') return sent(wordIn(members['requestId']))
  // Of one token some failed means that it did.
  if (code === '80100000')
    return Array.isArray(objectIn(jsonOf(said ?? ''))['illegal_tokens']) ? gone('HMS does not know this token') : failed(said ?? code)
  return HMS_CODES.get(code)?.(said ?? code) ?? failed(said ?? `HMS refused with code ${code}`)
}

function readHmsStatus(answer: ProviderAnswer): ProviderOutcome {
  if (answer.status === 500 || answer.status === 503) return retry(`HMS answered ${answer.status}`, 30)
  const outcome = byStatus(answer)
  // Without a code nobody said that it was taken.
  return outcome.kind === 'sent' ? { kind: 'uncertain', text: 'HMS answered without a code' } : outcome
}

// --- tokens that are fetched ---

export type ReadToken = { ok: true; token: string; seconds: number } | { ok: false; outcome: ProviderOutcome }

/** The answer to a request for a token. */
export function readToken(answer: ProviderAnswer): ReadToken {
  const { access_token: token, expires_in: seconds, error, error_description: description, sub_error: detail } = objectOf(answer)
  if (answer.status === 200 && typeof token === 'string' && PLAIN.of.test(token))
    return { ok: true, token, seconds: Math.max(0, Number(seconds) || 0) }
  const said = [error, detail, description].map(wordIn).filter((word) => word !== undefined)
  const text = `No access token: ${said.join(' ') || `the provider answered ${answer.status}`}`
  const read = byStatus(answer, text)
  // Nothing was sent yet, so nothing is uncertain.
  if (read.kind === 'uncertain') return { ok: false, outcome: retry(text) }
  return { ok: false, outcome: read.kind === 'retry' ? read : paused(text) }
}
