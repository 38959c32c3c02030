/** Text messages, and WhatsApp, over Twilio, Taqnyat and a gateway of one's own. */
import { byStatus, failed, gone, objectOf, paused, retry, retryAfter, sent, wordIn } from './answers.ts'
import {
  addressOf,
  baseUrl,
  FORM,
  formOf,
  JSON_TYPE,
  PLAIN,
  textOf,
  type Configuration,
  type HttpProvider,
  type Member,
  type Message,
  type ProviderOutcome,
  type ProviderAnswer,
} from './channel.ts'
import { textOfMessage } from '../messages/text-message.ts'

const SENDER: Member = { name: 'sender', kind: 'text', isRequired: true, example: 'MATJAR-AD' }

// --- Twilio ---

const TWILIO = 'https://api.twilio.com'

const TWILIO_MEMBERS: readonly Member[] = [
  {
    name: 'accountSid',
    kind: 'text',
    isRequired: true,
    pattern: { of: /^\w+$/, says: 'must be the id of the account, letters and digits' },
    example: 'AC…',
  },
  { name: 'authToken', kind: 'text', isRequired: true, example: '…' },
  { name: 'from', kind: 'text', example: '+15005550006' },
  { name: 'messagingServiceSid', kind: 'text', example: 'MG…' },
  { name: 'helpText', kind: 'text', example: 'Souq Lane: help@souq.example' },
  baseUrl(TWILIO),
]

function twilioFault(configuration: Configuration): string | undefined {
  const hasSender = textOf(configuration, 'from') !== '' || textOf(configuration, 'messagingServiceSid') !== ''
  return hasSender ? undefined : 'from or messagingServiceSid must be set'
}

const toTwilio = (configuration: Configuration, message: Message, mark: string) => {
  const service = textOf(configuration, 'messagingServiceSid')
  const { template } = message
  return {
    url: addressOf(configuration, TWILIO, `/2010-04-01/Accounts/${textOf(configuration, 'accountSid')}/Messages.json`),
    headers: { 'content-type': FORM },
    basic: { name: textOf(configuration, 'accountSid'), password: textOf(configuration, 'authToken') },
    body: formOf({
      To: marked(mark, message.to),
      ...(service === '' ? { From: marked(mark, textOf(configuration, 'from')) } : { MessagingServiceSid: service }),
      ...(template === undefined
        ? { Body: textOfMessage(message), MediaUrl: mark === '' ? undefined : message.imageUrl }
        : { ContentSid: template.id, ContentVariables: JSON.stringify(template.variables) }),
      StatusCallback: message.callbackUrl,
    }),
  }
}

/** WhatsApp writes its numbers `whatsapp:+966…`. */
function marked(mark: string, number: string): string {
  return number.startsWith(mark) ? number : `${mark}${number}`
}

export const twilio: HttpProvider = {
  type: 'sms',
  members: TWILIO_MEMBERS,
  faultOf: twilioFault,
  toRequest: (configuration, message) => toTwilio(configuration, message, ''),
  readAnswer: readTwilio,
}

export const twilioWhatsapp: HttpProvider = {
  type: 'whatsapp',
  members: TWILIO_MEMBERS,
  faultOf: twilioFault,
  toRequest: (configuration, message) => toTwilio(configuration, message, 'whatsapp:'),
  readAnswer: readTwilio,
}

/** Codes of refusals, where the status does not say what to do. Other codes are refusals for good. */
const TWILIO_CODES = new Map<number, (text: string) => ProviderOutcome>([
  ...[21211, 21614, 63003, 63024].map((code) => [code, gone] as const),
  ...[21610, 63033].map((code) => [code, (text: string): ProviderOutcome => ({ kind: 'gone', text, isOptOut: true })] as const),
  ...[20003, 63020, 63051].map((code) => [code, paused] as const),
  [63016, () => failed('Outside of a conversation WhatsApp takes approved templates only')],
  [20429, (text) => retry(text, 1)],
  ...[21611, 30001, 14107, 63017, 63018].map((code) => [code, (text: string) => retry(text, 60)] as const),
  [63038, (text) => retry(text, 3_600)],
  ...[63010, 63012].map((code) => [code, (text: string) => retry(text)] as const),
])

function readTwilio(answer: ProviderAnswer): ProviderOutcome {
  const members = objectOf(answer)
  const code = Number(members['code'] ?? members['error_code'] ?? 0)
  const said = wordIn(members['message']) ?? wordIn(members['error_message'])
  const isTaken = answer.status >= 200 && answer.status < 300
  const outcome = TWILIO_CODES.get(code)?.(said ?? `Twilio refused with code ${code}`)
  if (outcome) return outcome.kind === 'retry' && retryAfter(answer) ? { ...outcome, after: retryAfter(answer) ?? 1 } : outcome
  if (isTaken && ['failed', 'undelivered'].includes(wordIn(members['status']) ?? '')) return failed(said ?? 'Twilio could not send it')
  return isTaken ? sent(wordIn(members['sid'])) : byStatus(answer, said)
}

// --- Taqnyat ---

const TAQNYAT = 'https://api.taqnyat.sa'

export const taqnyat: HttpProvider = {
  type: 'sms',
  members: [{ name: 'bearerToken', kind: 'text', isRequired: true, pattern: PLAIN, example: '…' }, SENDER, baseUrl(TAQNYAT)],
  toRequest: (configuration, message) => ({
    url: addressOf(configuration, TAQNYAT, '/v1/messages'),
    headers: { authorization: `Bearer ${textOf(configuration, 'bearerToken')}`, 'content-type': JSON_TYPE },
    body: JSON.stringify({
      recipients: [message.to.replace(/^\+/, '')],
      sender: textOf(configuration, 'sender'),
      body: textOfMessage(message),
    }),
  }),
  // One recipient a request, so whoever is named as rejected is that one.
  readAnswer: (answer) => {
    const members = objectOf(answer)
    const said = wordIn(members['message'])
    // The status of the body counts: it may differ from that of the answer.
    const status = Number(members['statusCode'] ?? answer.status) || answer.status
    if (status < 200 || status >= 300)
      return [429, 503].includes(status) ? retry(said ?? 'Taqnyat is not there just now', 60) : byStatus({ ...answer, status }, said)
    // Texts that look like lists: `[966500000000,]`.
    const isRejected = /\d{8,15}/.test(wordIn(members['rejected']) ?? JSON.stringify(members['rejected'] ?? ''))
    // The answer does not say why; the number may stand on a block list.
    return isRejected ? failed(said ?? 'Taqnyat rejected the number') : sent(wordIn(members['messageId']))
  },
}

// --- a gateway of one's own ---

/**
 * ContentFlow has no network of its own: whoever runs a gateway for text messages answers this call (docs/decisions/0017).
 * `id` is the same at every attempt, so that the gateway can drop a repeated one.
 */
export const contentflowSms: HttpProvider = {
  type: 'sms',
  members: [{ name: 'apiKey', kind: 'text', isRequired: true, pattern: PLAIN, example: '…' }, SENDER, baseUrl('https://sms.example.com')],
  lackOf: (configuration) =>
    textOf(configuration, 'baseUrl') === ''
      ? 'No gateway is set: configuration.baseUrl names the one that sends your text messages'
      : undefined,
  toRequest: (configuration, message) => ({
    url: addressOf(configuration, '', '/v1/messages'),
    headers: {
      authorization: `Bearer ${textOf(configuration, 'apiKey')}`,
      'content-type': JSON_TYPE,
      'idempotency-key': message.id,
    },
    body: JSON.stringify({ id: message.id, to: message.to, from: textOf(configuration, 'sender'), text: textOfMessage(message) }),
  }),
  readAnswer: (answer) => {
    const members = objectOf(answer)
    const said = wordIn(members['error']) ?? wordIn(members['message'])
    if (answer.status === 410) return gone(said ?? 'The gateway says that the number is out of service')
    const outcome = byStatus(answer, said)
    return outcome.kind === 'sent' ? sent(wordIn(members['id'])) : outcome
  },
}
