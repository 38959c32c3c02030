/** Email by SMTP: what a server of mail needs to be told, and what its refusals mean. */
import { failed, gone, paused, retry } from './answers.ts'
import { HOST, textOf, type Configuration, type Member, type Message, type ProviderOutcome } from './channel.ts'
import { saysNoSuchMailbox } from './out-of-service.ts'
import { cleanName, recipientOf, senderOf, unsubscribeHeaders } from './senders.ts'

/** On these the encryption begins after the greeting. */
const STARTTLS_PORTS = new Set([25, 587, 2525])
const TLS_PORT = 465

export const SMTP_MEMBERS: readonly Member[] = [
  { name: 'host', kind: 'text', isRequired: true, pattern: HOST, example: 'smtp.example.com' },
  { name: 'port', kind: 'number', from: 1, to: 65_535, example: 587 },
  { name: 'secure', kind: 'boolean', example: true },
  { name: 'username', kind: 'text', example: 'news@example.com' },
  { name: 'password', kind: 'text', example: '…' },
  { name: 'from', kind: 'sender', isRequired: true, example: 'News <news@example.com>' },
  { name: 'fromName', kind: 'text', example: 'متجر المدينة' },
]

export function smtpFault(configuration: Configuration): string | undefined {
  return textOf(configuration, 'password') !== '' && textOf(configuration, 'username') === ''
    ? 'username must be set with password'
    : undefined
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
