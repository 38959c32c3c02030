/** Reads what providers report after sending: that a message arrived, bounced, or was unwelcome. */
import { isPlainObject, type Json } from '../blocks/field.ts'
import { saysNoSuchMailbox } from './out-of-service.ts'
import { replaceOdd } from '../json/odd-characters.ts'
import { jsonOf, objectIn, wordIn } from './answers.ts'

/**
 * `bounced`: there is no such contact. `complained` and `left`: the person wants no more. `sendId` is ours, `providerId`
 * the provider's; at least one is known. `token`: of a push message, whose it was.
 */
export type ProviderReceipt = {
  what: 'delivered' | 'failed' | 'bounced' | 'complained' | 'left'
  sendId?: string
  providerId?: string
  token?: string
  text: string
}

/** Providers whose callbacks are signed. */
export const CALLBACK_PROVIDERS = ['sendgrid', 'mailgun', 'resend', 'twilio', 'twilio-whatsapp', 'hms'] as const
export type CallbackProvider = (typeof CALLBACK_PROVIDERS)[number]

export function isCallbackProvider(provider: string): provider is CallbackProvider {
  return (CALLBACK_PROVIDERS as readonly string[]).includes(provider)
}

/** Events of one call; what is of no interest, or cannot be read, is left out. */
export function readCallback(provider: CallbackProvider, body: string): ProviderReceipt[] {
  const told = READERS[provider](body)
  return told.filter(({ sendId, providerId }) => sendId !== undefined || providerId !== undefined)
}

const READERS: { [provider in CallbackProvider]: (body: string) => ProviderReceipt[] } = {
  sendgrid: (body) => {
    const events = jsonOf(body)
    return Array.isArray(events) ? events.filter(isPlainObject).flatMap((event) => one(readSendgrid(event))) : []
  },
  mailgun: (body) => one(readMailgun(objectIn(objectIn(jsonOf(body))['event-data']))),
  resend: (body) => {
    const event = objectIn(jsonOf(body))
    return one(readResend(wordIn(event['type']) ?? '', objectIn(event['data'])))
  },
  twilio: (body) => one(readTwilio(formIn(body))),
  'twilio-whatsapp': (body) => one(readTwilio(formIn(body))),
  hms: (body) => {
    const { statuses } = objectIn(jsonOf(body))
    return Array.isArray(statuses) ? statuses.filter(isPlainObject).flatMap((status) => one(readHms(status))) : []
  },
}

type Members = { [member: string]: Json }
type Read = (Omit<ProviderReceipt, 'sendId' | 'providerId'> & { sendId?: string | undefined; providerId?: string | undefined }) | undefined

function one(read: Read): ProviderReceipt[] {
  if (!read) return []
  const { sendId, providerId, ...told } = read
  return [{ ...told, ...(sendId !== undefined && { sendId }), ...(providerId !== undefined && { providerId }) }]
}

function readSendgrid(event: Members): Read {
  const by = { sendId: wordIn(event['cf_send']), providerId: wordIn(event['sg_message_id'])?.split('.', 1)[0] }
  const text = wordIn(event['reason']) ?? wordIn(event['event']) ?? ''
  switch (event['event']) {
    case 'delivered':
      return { ...by, what: 'delivered', text }
    case 'bounce':
      return { ...by, what: event['type'] !== 'blocked' && isNoSuchMailbox(event['status'], text) ? 'bounced' : 'failed', text }
    case 'dropped':
      return { ...by, what: 'failed', text }
    case 'spamreport':
      return { ...by, what: 'complained', text }
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { ...by, what: 'left', text }
    default:
      return undefined
  }
}

/** Providers call everything hard that they do not try again: full mailboxes, block lists. The status or the words say what it was. */
function isNoSuchMailbox(status: Json | undefined, text: string): boolean {
  return saysNoSuchMailbox(`${wordIn(status) ?? ''} ${text}`)
}

function readMailgun(event: Members): Read {
  const status = objectIn(event['delivery-status'])
  const id = wordIn(objectIn(objectIn(event['message'])['headers'])['message-id'])
  const by = { sendId: wordIn(objectIn(event['user-variables'])['cf_send']), providerId: id && `<${id.replace(/^<|>$/g, '')}>` }
  const text = wordIn(status['message']) || wordIn(status['description']) || wordIn(event['reason']) || wordIn(event['event']) || ''
  switch (event['event']) {
    case 'delivered':
      return { ...by, what: 'delivered', text }
    case 'failed': {
      if (event['severity'] !== 'permanent') return undefined
      return { ...by, what: isNoSuchMailbox(status['enhanced-code'], text) ? 'bounced' : 'failed', text }
    }
    case 'rejected':
      return { ...by, what: 'failed', text }
    case 'complained':
      return { ...by, what: 'complained', text }
    case 'unsubscribed':
      return { ...by, what: 'left', text }
    default:
      return undefined
  }
}

function readResend(type: string, data: Members): Read {
  const bounce = objectIn(data['bounce'])
  const tags = data['tags']
  const tag = Array.isArray(tags) ? tags.map(objectIn).find(({ name }) => name === 'cf_send')?.['value'] : objectIn(tags)['cf_send']
  const by = { sendId: wordIn(tag), providerId: wordIn(data['email_id']) }
  const text = wordIn(bounce['message']) ?? wordIn(objectIn(data['failed'])['reason']) ?? type
  switch (type) {
    case 'email.delivered':
      return { ...by, what: 'delivered', text }
    case 'email.bounced':
      return {
        ...by,
        what: bounce['type'] === 'Permanent' && (bounce['subType'] === 'NoEmail' || saysNoSuchMailbox(text)) ? 'bounced' : 'failed',
        text,
      }
    case 'email.failed':
    case 'email.suppressed':
      return { ...by, what: 'failed', text }
    case 'email.complained':
      return { ...by, what: 'complained', text }
    default:
      return undefined
  }
}

/** 30006 is also a carrier that is not reached just now. */
const TWILIO_HARD = new Set(['30005'])

function readTwilio(form: ReadonlyMap<string, string>): Read {
  const providerId = form.get('MessageSid') ?? form.get('SmsSid')
  const code = form.get('ErrorCode') ?? ''
  const text = form.get('ChannelStatusMessage') || (code && `Twilio reported code ${code}`) || (form.get('MessageStatus') ?? '')
  switch (form.get('MessageStatus') ?? form.get('SmsStatus')) {
    case 'delivered':
    case 'read':
      return { providerId, what: 'delivered', text }
    case 'failed':
    case 'undelivered':
      return { providerId, what: TWILIO_HARD.has(code) ? 'bounced' : code === '21610' || code === '63033' ? 'left' : 'failed', text }
    default:
      return undefined
  }
}

/** The app is not installed; another account is on the device, nothing is shown there, or it was away for 30 days. */
const HMS_STATUSES = new Map<number, ProviderReceipt['what']>([
  [0, 'delivered'],
  [2, 'bounced'],
  [5, 'failed'],
  [6, 'failed'],
  [10, 'failed'],
])

/** One receipt, of either version: the second has its status further inside. */
function readHms(receipt: Members): Read {
  const status = Number(objectIn(receipt['deliveryStatus'])['result'] ?? receipt['status'])
  const what = HMS_STATUSES.get(status)
  const [providerId, token] = [wordIn(receipt['requestId']), wordIn(receipt['token'])]
  return what && { providerId, what, text: `HMS reported status ${status}`, ...(token !== undefined && { token }) }
}

/** Reads a form; the first value of each name counts. */
export function formIn(body: string): Map<string, string> {
  const form = new Map<string, string>()
  for (const part of body.split('&')) {
    const at = part.indexOf('=')
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    if (name !== '' && !form.has(decode(name))) form.set(decode(name), replaceOdd(decode(value)))
  }
  return form
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
