/** Email over the interfaces of SendGrid, Mailgun and Resend. */
import { byStatus, failed, gone, jsonOf, objectIn, objectOf, paused, retry, retryAfter, sent, wordIn } from './answers.ts'
import {
  addressOf,
  baseUrl,
  FORM,
  formOf,
  HOST,
  JSON_TYPE,
  PLAIN,
  textOf,
  type HttpProvider,
  type Member,
  type ProviderOutcome,
  type ProviderAnswer,
} from './channel.ts'
import { cleanName, mailboxText, recipientOf, senderOf, unsubscribeHeaders, type Mailbox } from './senders.ts'

const FROM: Member = { name: 'from', kind: 'sender', isRequired: true, example: 'News <news@example.com>' }
const FROM_NAME: Member = { name: 'fromName', kind: 'text', example: 'متجر المدينة' }
/** What the provider signs with when it tells of bounces and complaints. */
const CALLBACK_KEY: Member = { name: 'callbackKey', kind: 'text', pattern: PLAIN, example: 'MFkw…' }
const apiKey = (example: string): Member => ({ name: 'apiKey', kind: 'text', isRequired: true, pattern: PLAIN, example })

const SENDGRID = 'https://api.sendgrid.com'
/** Above it `X-RateLimit-Reset` is a moment, below it seconds: which of them is not said. */
const EPOCH = 1e9

export const sendgrid: HttpProvider = {
  type: 'email',
  members: [apiKey('SG.…'), FROM, FROM_NAME, CALLBACK_KEY, baseUrl(SENDGRID)],
  toRequest: (configuration, message) => ({
    url: addressOf(configuration, SENDGRID, '/v3/mail/send'),
    headers: { authorization: `Bearer ${textOf(configuration, 'apiKey')}`, 'content-type': JSON_TYPE },
    body: JSON.stringify({
      personalizations: [{ to: [sendgridMailbox(recipientOf(message))], custom_args: { cf_send: message.id } }],
      from: sendgridMailbox(senderOf(configuration)),
      subject: cleanName(message.title),
      content: [
        { type: 'text/plain', value: message.body },
        ...(message.html === undefined ? [] : [{ type: 'text/html', value: message.html }]),
      ],
      ...(message.unsubscribeUrl !== undefined && { headers: unsubscribeHeaders(message) }),
      tracking_settings: { click_tracking: { enable: false, enable_text: false }, subscription_tracking: { enable: false } },
    }),
  }),
  readAnswer: (answer) => {
    const said = firstMessage(answer)
    if (answer.status >= 200 && answer.status < 300) return sent(answer.headers['x-message-id'])
    if (answer.status === 429) return retry(said ?? 'SendGrid is asked too often', retryAfter(answer) ?? sendgridReset(answer))
    if (answer.status === 500 || answer.status === 503) return retry(said ?? 'SendGrid is not there just now', 60)
    return byStatus(answer, said)
  },
}

/** Names take no `;` and no `,`. */
function sendgridMailbox({ name, address }: Mailbox): { email: string; name?: string } {
  const shown = name.replaceAll(/[;,]/g, ' ').trim()
  return { email: address, ...(shown !== '' && { name: shown }) }
}

function firstMessage(answer: ProviderAnswer): string | undefined {
  const { errors } = objectOf(answer)
  return Array.isArray(errors) ? wordIn(objectIn(errors[0])['message']) : undefined
}

function sendgridReset({ headers, at }: ProviderAnswer): number | undefined {
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
  return Number.isNaN(reset) ? undefined : reset > EPOCH ? reset - at / 1000 : reset
}

const MAILGUN = { us: 'https://api.mailgun.net', eu: 'https://api.eu.mailgun.net' }

export const mailgun: HttpProvider = {
  type: 'email',
  members: [
    apiKey('key-…'),
    { name: 'domain', kind: 'text', isRequired: true, pattern: HOST, example: 'mg.example.com' },
    { name: 'region', kind: 'text', choices: ['us', 'eu'], example: 'eu' },
    FROM,
    FROM_NAME,
    CALLBACK_KEY,
    baseUrl(MAILGUN.us),
  ],
  toRequest: (configuration, message) => ({
    url: addressOf(
      configuration,
      textOf(configuration, 'region') === 'eu' ? MAILGUN.eu : MAILGUN.us,
      `/v3/${encodeURIComponent(textOf(configuration, 'domain'))}/messages`,
    ),
    headers: { 'content-type': FORM },
    basic: { name: 'api', password: textOf(configuration, 'apiKey') },
    body: formOf({
      from: mailboxText(senderOf(configuration)),
      to: mailboxText(recipientOf(message)),
      subject: cleanName(message.title),
      text: message.body,
      html: message.html,
      ...Object.fromEntries(Object.entries(unsubscribeHeaders(message)).map(([name, value]) => [`h:${name}`, value])),
      'v:cf_send': message.id,
      'o:tracking': 'no',
    }),
  }),
  readAnswer: (answer) => {
    const members = objectOf(answer)
    const said = wordIn(members['message']) ?? wordIn(jsonOf(answer.body))
    if (answer.status >= 200 && answer.status < 300) return sent(wordIn(members['id']))
    if (answer.status === 400 && /^'?to'? parameter is not a valid address/i.test(said ?? '')) return gone(said ?? '')
    if (answer.status === 404) return paused(said ?? 'Mailgun does not know the domain in this region')
    if (answer.status === 429) return retry(said ?? 'Mailgun is asked too often', retryAfter(answer) ?? timeInText(said, answer.at))
    return byStatus(answer, said)
  },
}

/** The time stands in the text alone: `… try again after Mon, 20 Dec 2021 20:33:21 UTC`. */
function timeInText(said: string | undefined, at: number): number | undefined {
  const time = Date.parse(/try again after (.+)$/i.exec(said ?? '')?.[1] ?? '')
  return Number.isNaN(time) ? undefined : (time - at) / 1000
}

const RESEND = 'https://api.resend.com'

export const resend: HttpProvider = {
  type: 'email',
  isRepeatable: true,
  members: [apiKey('re_…'), FROM, FROM_NAME, { ...CALLBACK_KEY, name: 'callbackSecret', example: 'whsec_…' }, baseUrl(RESEND)],
  toRequest: (configuration, message) => ({
    url: addressOf(configuration, RESEND, '/emails'),
    headers: {
      authorization: `Bearer ${textOf(configuration, 'apiKey')}`,
      'content-type': JSON_TYPE,
      'idempotency-key': message.id,
    },
    body: JSON.stringify({
      from: mailboxText(senderOf(configuration)),
      to: [mailboxText(recipientOf(message))],
      subject: cleanName(message.title),
      text: message.body,
      ...(message.html !== undefined && { html: message.html }),
      ...(message.unsubscribeUrl !== undefined && { headers: unsubscribeHeaders(message) }),
      tags: [{ name: 'cf_send', value: message.id }],
    }),
  }),
  readAnswer: (answer) => {
    const members = objectOf(answer)
    return readResend(answer, wordIn(members['name']), wordIn(members['message']), wordIn(members['id']))
  },
}

/** Sent again with the same key nothing goes out twice, so what is not known is simply tried again. */
function readResend(answer: ProviderAnswer, name: string | undefined, said: string | undefined, id: string | undefined): ProviderOutcome {
  const { status } = answer
  if (status >= 200 && status < 300) return sent(id)
  if (name === 'concurrent_idempotent_requests') return retry(said ?? name, 2)
  if (name === 'invalid_idempotent_request') return { kind: 'uncertain', text: said ?? name }
  if (name === 'daily_quota_exceeded' || name === 'monthly_quota_exceeded')
    return { kind: 'retry', text: said ?? name, after: 3_600, pauses: true }
  if (status === 502 || status === 504) return retry(said ?? `The provider answered ${status}`)
  if (status === 409) return failed(said ?? 'The provider answered 409')
  return byStatus(answer, said)
}
