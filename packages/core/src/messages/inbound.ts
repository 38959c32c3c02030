/** What people answer to text messages, as providers hand it over, and the words by which they leave or come back. */
import { cutText } from '../cut-text.ts'

export const KEYWORDS = ['stop', 'start', 'help'] as const
/** `stop`: no more messages. `start`: messages again. `help`: who this is. */
export type Keyword = (typeof KEYWORDS)[number]

/** In capital letters, Arabic ones without marks and with every alif alike; from the lists of carriers and of Twilio. */
const WORDS = new Map<string, Keyword>([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'END', 'QUIT', 'CANCEL', 'REVOKE', 'OPTOUT', 'ايقاف', 'الغاء'].map(
    (word) => [word, 'stop'] as const,
  ),
  ...['START', 'YES', 'UNSTOP', 'اشتراك'].map((word) => [word, 'start'] as const),
  ...['HELP', 'INFO', 'مساعدة'].map((word) => [word, 'help'] as const),
])

/** A keyword is the whole message: whoever writes "please stop by tomorrow" asks for nothing. Signs around it do not matter. */
export function readKeyword(body: string): Keyword | undefined {
  const word = body
    .normalize('NFKC')
    .replaceAll(/[\u064b-\u065f\u0670\u0640\u200e\u200f]/g, '')
    .replaceAll(/[أإآ]/g, 'ا')
    .replaceAll(/^[\s.,!?'"«»،؟]+|[\s.,!?'"«»،؟]+$/g, '')
    .toUpperCase()
  return WORDS.get(word)
}

/** `from`: the number in international form. `isAnswered`: the provider has read the keyword itself and answered it. */
export type InboundMessage = { id: string; from: string; body: string; keyword: Keyword | undefined; isAnswered: boolean }

/** Characters that are kept of an answer: a text message of ten parts. */
const MOST = 1_600

/** Undefined: it is no message of a person. What Twilio itself read of a keyword counts more than the words. */
export function readTwilioInbound(form: ReadonlyMap<string, string>): InboundMessage | undefined {
  const id = form.get('MessageSid') ?? form.get('SmsMessageSid') ?? ''
  const from = (form.get('From') ?? '').replace(/^whatsapp:/, '')
  if (!/^\w{1,64}$/.test(id) || !/^\+\d{5,15}$/.test(from)) return undefined
  const body = form.get('Body') ?? ''
  const said = (form.get('OptOutType') ?? '').toLowerCase()
  const optOut = KEYWORDS.find((keyword) => keyword === said)
  return { id, from, body: cutText(body, MOST), keyword: optOut ?? readKeyword(body), isAnswered: optOut !== undefined }
}

const SIGNS: { [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What Twilio is told to answer: nothing, or one message. */
export function twilioAnswer(text: string | undefined): string {
  const message = text === undefined ? '' : `<Message>${text.replaceAll(/[&<>]/g, (sign) => SIGNS[sign] ?? sign)}</Message>`
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${message}</Response>`
}
