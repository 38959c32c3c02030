/**
 * Mail of the installation itself, to people who sign in. The operator names its server, so unlike the servers that
 * workspaces name it may stand on a private network.
 */
import type { MailConfig } from '../../config.ts'

export type Mail = { to: string; subject: string; text: string }
export type InstallationMail = {
  /** Whether there is a server to send by. */
  isOn: boolean
  send(mail: Mail): Promise<void>
  close(): void
}

/** Few people need these mails at once. */
const CONNECTIONS = 2
/** Nodemailer would wait for minutes. */
const [CONNECT_MS, IDLE_MS] = [5_000, 30_000]

export function openMail(config: MailConfig | undefined): InstallationMail {
  if (!config) {
    const off = () => Promise.reject(new Error('this installation has no server of mail'))
    return { isOn: false, send: off, close: () => undefined }
  }
  const { from } = config
  let transport: Promise<Transport> | undefined
  return {
    isOn: true,
    send: async (mail) => void (await (await (transport ??= openTransport(config))).sendMail({ from, ...mail })),
    close: () => void transport?.then((open) => open.close()),
  }
}

type Transport = Awaited<ReturnType<typeof openTransport>>

/** Loaded only where it is used. */
async function openTransport({ smtpUrl }: MailConfig) {
  const { default: nodemailer } = await import('nodemailer')
  return nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
  })
}
