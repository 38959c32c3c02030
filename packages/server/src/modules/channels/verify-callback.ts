/** Whether a call really comes from the provider: each signs in its own way, over the bytes as they came. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { formIn, type CallbackProvider } from '@contentflow/core/channels/callbacks.ts'
import { textOf, type Configuration } from '@contentflow/core/channels/channel.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'

export type Callback = { headers: ReadonlyMap<string, string>; body: Buffer; url: string; at: number }

/** A call older than this, or so far ahead, is one that somebody kept; Mailgun may repeat its own for hours. */
const [TOLERANCE_MS, MAILGUN_TOLERANCE_MS] = [5 * 60_000, 9 * HOUR_MS]

/** Twilio and Mailgun sign what stands inside of the body, so it is read before it is known to be theirs. They send a few kilobytes. */
const UNSIGNED_BYTES = 65_536

/** False also when the channel holds no key to check it by. */
export function isFromProvider(provider: CallbackProvider, configuration: Configuration, callback: Callback): boolean {
  const secret = textOf(configuration, SECRETS[provider])
  return secret !== '' && CHECKS[provider](secret, callback, configuration)
}

/** Of providers that sign a time and a word but not the body: what they signed, and how long it is believed. Asked of a call that is theirs. */
export function signedOnce(provider: CallbackProvider, { headers, body }: Pick<Callback, 'headers' | 'body'>): SignedOnce | undefined {
  if (provider === 'mailgun') {
    const { timestamp, token } = signatureIn(body)
    return { text: `${timestamp}.${token}`, untilMs: Number(timestamp) * 1_000 + MAILGUN_TOLERANCE_MS }
  }
  if (provider !== 'hms') return undefined
  const { timestamp, nonce } = huaweiSignature(headers)
  return { text: `${timestamp}.${nonce}`, untilMs: Number(timestamp) + TOLERANCE_MS }
}

type SignedOnce = { text: string; untilMs: number }

/** The member of the configuration that callbacks are checked by. */
const SECRETS: { [provider in CallbackProvider]: string } = {
  sendgrid: 'callbackKey',
  mailgun: 'callbackKey',
  resend: 'callbackSecret',
  twilio: 'authToken',
  'twilio-whatsapp': 'authToken',
  hms: 'callbackKey',
}

const CHECKS: { [provider in CallbackProvider]: (secret: string, callback: Callback, configuration: Configuration) => boolean } = {
  sendgrid: (key, { headers, body, at }) => {
    const timestamp = headers.get('x-twilio-email-event-webhook-timestamp') ?? ''
    const signature = Buffer.from(headers.get('x-twilio-email-event-webhook-signature') ?? '', 'base64')
    if (!isFresh(Number(timestamp) * 1_000, at, TOLERANCE_MS)) return false
    try {
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
      return verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), { key: publicKey, dsaEncoding: 'der' }, signature)
    } catch {
      // What was configured is no key.
      return false
    }
  },
  mailgun: (key, { body, at }) => {
    if (body.length > UNSIGNED_BYTES) return false
    const said = signatureIn(body)
    const expected = createHmac('sha256', key)
      .update(said.timestamp + said.token)
      .digest('hex')
    return isFresh(Number(said.timestamp) * 1_000, at, MAILGUN_TOLERANCE_MS) && isSame(expected, said.signature)
  },
  resend: (secret, { headers, body, at }) => {
    const header = (name: string) => headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''
    const [id, timestamp] = [header('id'), header('timestamp')]
    const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]))
      .digest('base64')
    const given = header('signature').split(' ')
    return isFresh(Number(timestamp) * 1_000, at, TOLERANCE_MS) && given.some((each) => isSame(`v1,${expected}`, each))
  },
  twilio: checkTwilio,
  'twilio-whatsapp': checkTwilio,
  hms: (key, { headers, at }, configuration) => {
    const { timestamp, nonce, given } = huaweiSignature(headers)
    const signed = timestamp + nonce + textOf(configuration, 'callbackUser')
    const isRight = (secret: Buffer) => isSame(createHmac('sha256', secret).update(signed).digest('base64'), given)
    return isFresh(Number(timestamp), at, TOLERANCE_MS) && hmsSecrets(key).some(isRight)
  },
}

function huaweiSignature(headers: Callback['headers']): { timestamp: string; nonce: string; given: string } {
  // Values are base64, and may end in the sign behind names.
  const members = (headers.get('x-huawei-callback-id') ?? '').split(';', 10).map((member) => member.trim())
  const [timestamp = '', nonce = '', given = ''] = ['timestamp=', 'nonce=', 'value='].map((name) =>
    members.find((member) => member.startsWith(name))?.slice(name.length),
  )
  return { timestamp, nonce, given }
}

/** Older keys are the secret, newer ones its base64. What is too short to be one is not read as that. */
function hmsSecrets(key: string): Buffer[] {
  const decoded = Buffer.from(key, 'base64')
  return [Buffer.from(key), ...(decoded.length >= 16 && decoded.toString('base64') === key ? [decoded] : [])]
}

function checkTwilio(token: string, { headers, body, url }: Callback): boolean {
  if (body.length > UNSIGNED_BYTES) return false
  const said = [...formIn(body.toString())].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => name + value)
  const given = headers.get('x-twilio-signature') ?? ''
  // It writes the port of https, or does not.
  return [url, withPort(url)].some((address) => {
    const expected = createHmac('sha1', token)
      .update(address + said.join(''))
      .digest('base64')
    return isSame(expected, given)
  })
}

function withPort(url: string): string {
  return url.replace(/^(https:\/\/[^/:]+)(\/|$)/, '$1:443$2')
}

function signatureIn(body: Buffer): { timestamp: string; token: string; signature: string } {
  try {
    const { signature } = JSON.parse(body.toString()) as { signature?: { timestamp?: unknown; token?: unknown; signature?: unknown } }
    return { timestamp: String(signature?.timestamp), token: String(signature?.token), signature: String(signature?.signature) }
  } catch {
    return { timestamp: '', token: '', signature: '' }
  }
}

function isFresh(time: number, at: number, tolerance: number): boolean {
  return Math.abs(at - time) <= tolerance
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
