/** Mails of sections for tests, and where they arrive. */
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import type { MailDocument, MailTexts } from '@contentflow/core/mail/document.ts'
import type { startApp } from '../../harness/start-app.ts'
import { expectStatus, type Workspace } from '../builders.ts'
import { workspaceOverTime } from '../events.ts'
import { identify } from '../people.ts'
import { openEmail } from '../sends.ts'

/** Its links are whole ones, so that nothing of it waits for a web address. */
export const MAIL = JSON.parse(JSON.stringify(EXAMPLE).replaceAll('"/new"', '"https://shop.example.com/new"')) as MailDocument

/** The same with another English subject, and whatever else. */
export function mailWith({ nodes, ...texts }: Partial<MailTexts>): MailDocument {
  const { en } = MAIL.texts
  if (!en) throw new Error('the example is in English')
  return { ...MAIL, texts: { ...MAIL.texts, en: { ...en, ...texts, nodes: { ...en.nodes, ...nodes } } } }
}

/** What a provider was given for somebody. */
export type Arrived = { subject: string; html: string; text: string }

/** A workspace with a provider of email. `mailTo`: the last mail to a person by their user id; undefined: none came. */
export async function shopWithMail(app: Awaited<ReturnType<typeof startApp>>) {
  const { signIn: _, ...ws } = await workspaceOverTime(app)
  const email = await openEmail()
  await email.connect(ws.admin)
  const mailTo = (user: string): Arrived | undefined => email.mails().findLast((mail) => mail.to[0] === `${user}@example.com`.toLowerCase())
  return { ws, email, editor: await ws.editor(), mailTo }
}

/** They agreed to having openings and clicks counted. */
export async function agreesToTracking(ws: Workspace, user: string): Promise<void> {
  await identify(ws.app, `D ${user}`, user)
  const consent = { deviceId: `D ${user}`, channels: { inApp: true }, topics: { message_tracking: true } }
  expectStatus(await ws.app.post('/consent/full', consent), 200)
}
