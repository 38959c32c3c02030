/** Email by SMTP: what a server of mail needs to be told, and what its refusals mean. */
import { failed, gone, paused, retry } from './answers.ts'
import { HOST, textOf, type Configuration, type Member, type Message, type ProviderOutcome } from './channel.ts'
import { saysNoSuchMailbox } from './out-of-service.ts'
import { cleanName, recipientOf, senderOf, unsubscribeHeaders } from './senders.ts'

/** On these the encryption begins after the greeting. */
const STARTTLS_PORTS = new Set([25, 587, 2525])
const TLS_PORT = 465

const DOMAIN = { of: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i, says: 'must be the name of a domain' }
const SELECTOR = { of: /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/i, says: 'must be letters, digits, ., _ and -, at most 63' }

export const SMTP_MEMBERS: readonly Member[] = [
  { name: 'host', kind: 'text', isRequired: true, pattern: HOST, example: 'smtp.example.com' },
  { name: 'port', kind: 'number', from: 1, to: 65_535, example: 587 },
  { name: 'secure', kind: 'boolean', example: true },
  { name: 'username', kind: 'text', example: 'news@example.com' },
  { name: 'password', kind: 'text', example: '…' },
  { name: 'from', kind: 'sender', isRequired: true, example: 'News <news@example.com>' },
  { name: 'fromName', kind: 'text', example: 'متجر المدينة' },
  { name: 'dkimDomain', kind: 'text', pattern: DOMAIN, example: 'example.com' },
  { name: 'dkimSelector', kind: 'text', pattern: SELECTOR, example: 'contentflow' },
  { name: 'dkimPrivateKey', kind: 'pem', example: '-----BEGIN PRIVATE KEY-----…' },
]

/** What a channel signs its mail with; they are told together. */
const SIGNING = ['dkimDomain', 'dkimSelector', 'dkimPrivateKey'] as const

export function smtpFault(configuration: Configuration): string | undefined {
  if (textOf(configuration, 'password') !== '' && textOf(configuration, 'username') === '') return 'username must be set with password'
  const lacking = SIGNING.find((name) => textOf(configuration, name) === '')
  const isSigning = SIGNING.some((name) => textOf(configuration, name) !== '')
  return isSigning && lacking !== undefined
    ? `${lacking} must be set with ${SIGNING.filter((name) => name !== lacking).join(' and ')}`
    : undefined
}

/**
 * The headers that a signature covers, where the mail has them (RFC 6376, 5.4.1), and both that leaving by one press takes
 * (RFC 8058, 4: without a signature over them receivers show no such button).
 */
const SIGNED_HEADERS =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:Content-ID:' +
  'Content-Description:Resent-Date:Resent-From:Resent-Sender:Resent-To:Resent-Cc:Resent-Message-ID:In-Reply-To:References:' +
  'List-Id:List-Help:List-Unsubscribe:List-Subscribe:List-Post:List-Owner:List-Archive:List-Unsubscribe-Post'

/** How the mail of a channel is signed (DKIM); undefined: by the server of mail, or not at all. */
export function signingOf(configuration: Configuration) {
  const [domainName, keySelector, privateKey] = SIGNING.map((name) => textOf(configuration, name)) as [string, string, string]
  return privateKey === '' ? undefined : { domainName, keySelector, privateKey, headerFieldNames: SIGNED_HEADERS }
}

/**
 * Where the server is and how the connection is encrypted: from its beginning (`isTls`), or from the greeting on.
 * Nothing is sent in the open but where `secure` is false and the server offers nothing better.
 */
export function smtpServer(configuration: Configuration) {
  const { port: said, secure } = configuration
  const port = typeof said === 'number' ? said : 587
  const isTls = port === TLS_PORT || (secure === true && !STARTTLS_PORTS.has(port))
  return { host: textOf(configuration, 'host'), port, isTls, isTlsRequired: !isTls && secure !== false }
}

/** Names are given apart from addresses, so that no comma or quote in one begins another. */
export function toMail(configuration: Configuration, message: Message) {
  const from = senderOf(configuration)
  return {
    from,
    to: recipientOf(message),
    subject: cleanName(message.title),
    text: message.body,
    ...(message.html !== undefined && { html: message.html }),
    messageId: `<${message.id}@${from.address.split('@')[1]}>`,
    // Prepared: folded lines break the signatures of others.
    headers: Object.fromEntries(Object.entries(unsubscribeHeaders(message)).map(([name, value]) => [name, { prepared: true, value }])),
  }
}

/** As nodemailer throws it. */
export type SmtpError = { code?: string; responseCode?: number; response?: string; command?: string; message: string }

const BUSY_SECONDS = 300
const AWAY_SECONDS = 60

/** `isUnsent`: there was no connection, so nothing can have gone out. */
export function readSmtpError({ code = '', responseCode, response, command, message }: SmtpError, isUnsent: boolean): ProviderOutcome {
  const text = response ?? message
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500) return retry(text, BUSY_SECONDS)
  if (code === 'ETLS') return paused(`No encrypted connection: ${text}`)
  if (['EAUTH', 'ENOAUTH', 'ECONFIG'].includes(code)) return paused(text)
  if (responseCode !== undefined && responseCode >= 500) {
    const isRecipient = code === 'EENVELOPE' && command === 'RCPT TO' && [550, 551, 553, 556].includes(responseCode)
    return isRecipient && saysNoSuchMailbox(text) ? gone(text) : failed(text)
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return failed(text)
  if (isUnsent || code === 'EDNS' || /ECONNREFUSED/.test(message)) return retry(text, AWAY_SECONDS)
  // A server that hangs up after the last dot says the same as one that never read the mail.
  return { kind: 'uncertain', text }
}
