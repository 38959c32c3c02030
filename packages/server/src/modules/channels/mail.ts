/** Sends by SMTP, over a connection that the guard has made. */
import { isIP, type Socket } from 'node:net'
import nodemailer from 'nodemailer'
import type { Configuration, Message, Outcome } from '@contentflow/core/channels/channel.ts'
import { textOf } from '@contentflow/core/channels/channel.ts'
import { readSmtpError, smtpServer, toMail, type SmtpError } from '@contentflow/core/channels/smtp.ts'
import type { Context } from '../../context.ts'
import { OutboundError } from '../../infra/outbound.ts'

/** Nodemailer waits for minutes; a time-out after the last dot is a mail that may have gone out, so the answer gets longest. */
const [GREETING_MS, IDLE_MS, WHOLE_MS] = [5_000, 30_000, 60_000]

export async function sendMail({ outbound }: Pick<Context, 'outbound'>, configuration: Configuration, message: Message): Promise<Outcome> {
  const { host, port, isTls, isTlsRequired } = smtpServer(configuration)
  let socket: Socket
  try {
    socket = await outbound.connect({ kind: 'channel', host, port })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.outcome === 'refused' ? { kind: 'failed', text: error.message, pauses: true } : readSmtpError(error, true)
  }
  const username = textOf(configuration, 'username')
  const transport = nodemailer.createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: isTlsRequired,
    ...(username !== '' && { auth: { user: username, pass: textOf(configuration, 'password') } }),
    // The name is what the certificate is for, wherever the connection goes.
    tls: isIP(host) === 0 ? { servername: host } : {},
    disableFileAccess: true,
    disableUrlAccess: true,
    greetingTimeout: GREETING_MS,
    socketTimeout: IDLE_MS,
    getSocket: (_options, done) => done(null, { connection: socket }),
  })
  try {
    const { messageId } = await transport.sendMail({ ...toMail(configuration, message), signal: AbortSignal.timeout(WHOLE_MS) })
    return { kind: 'sent', id: messageId ?? null }
  } catch (error) {
    // Whatever nodemailer throws of a conversation has a code.
    if (typeof (error as SmtpError).code !== 'string') throw error
    return readSmtpError(error as SmtpError, false)
  } finally {
    transport.close()
    socket.destroy()
  }
}
