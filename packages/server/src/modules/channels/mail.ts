/** Sends by SMTP, over connections that the guard has made. */
import { isIP, type Socket } from 'node:net'
import type { Configuration, Message, ProviderOutcome } from '@contentflow/core/channels/channel.ts'
import { textOf } from '@contentflow/core/channels/channel.ts'
import { readSmtpError, signingOf, smtpServer, toMail, type SmtpError } from '@contentflow/core/channels/smtp.ts'
import type { Context } from '../../context.ts'
import { OutboundError } from '../../infra/outbound/outbound.ts'

export type Mailer = {
  send(message: Message): Promise<ProviderOutcome>
  /** Ends its connections. */
  close(): void
}

/** Servers of mail take fewer conversations than interfaces take calls. */
export const MAILS_AT_ONCE = 4
/** Nodemailer waits for minutes; a time-out after the last dot is a mail that may have gone out, so the answer gets longest. */
const [GREETING_MS, IDLE_MS, WHOLE_MS] = [5_000, 30_000, 60_000]

/** What nodemailer says of a mail that it would have sent over yet another connection. */
const NOTHING_READ = /^Reached maximum number of retries/

/** A connection takes one mail after another until it is closed. */
export function openMailer({ outbound }: Pick<Context, 'outbound'>, configuration: Configuration): Mailer {
  const { host, port, isTls, isTlsRequired } = smtpServer(configuration)
  const username = textOf(configuration, 'username')
  const dkim = signingOf(configuration)
  const open = async () => {
    // Loaded only where it is used.
    const { default: nodemailer } = await import('nodemailer')
    return nodemailer.createTransport({
      pool: true,
      maxConnections: MAILS_AT_ONCE,
      // Of a mail of which the server read nothing, because it had closed a connection that was kept.
      maxRequeues: 1,
      host,
      port,
      secure: isTls,
      requireTLS: isTlsRequired,
      ...(username !== '' && { auth: { user: username, pass: textOf(configuration, 'password') } }),
      ...(dkim && { dkim }),
      // The name is what the certificate is for, wherever the connection goes.
      tls: isIP(host) === 0 ? { servername: host } : {},
      disableFileAccess: true,
      disableUrlAccess: true,
      greetingTimeout: GREETING_MS,
      socketTimeout: IDLE_MS,
      getSocket: (_options: unknown, done: (error: Error | null, socket?: { connection: Socket }) => void) => {
        outbound.connect({ kind: 'channel', host, port }).then((connection) => done(null, { connection }), done)
      },
    })
  }
  let transport: ReturnType<typeof open> | undefined
  return {
    send: async (message) => {
      try {
        const { messageId } = await (
          await (transport ??= open())
        ).sendMail({ ...toMail(configuration, message), signal: AbortSignal.timeout(WHOLE_MS) })
        return { kind: 'sent', id: messageId ?? null }
      } catch (error) {
        if (error instanceof OutboundError)
          return error.outcome === 'refused' ? { kind: 'failed', text: error.message, pauses: true } : readSmtpError(error, true)
        // Whatever nodemailer throws of a conversation has a code.
        if (typeof (error as SmtpError).code !== 'string') throw error
        return readSmtpError(error as SmtpError, NOTHING_READ.test((error as SmtpError).message))
      }
    },
    close: () => void transport?.then((opened) => opened.close()),
  }
}
