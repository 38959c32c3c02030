/** A new link to somebody whose link is too old, to the address that is known of them, and to no other. */
import { isEmail } from '@contentflow/core/identity/contact.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import { languageOfMail } from '@contentflow/core/messages/confirm-mails.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { hashSecret, uuidv7 } from '../../infra/secrets/crypto.ts'
import { listSending, type Channels } from '../channels/index.ts'
import type { ProfileRow } from '../people/index.ts'
import { linkAddress, preferencesUrls } from '../sends/index.ts'
import { findWorkspaceName } from './queries-preferences.ts'

export type LinkParts = { ctx: Context; channels: Channels }

const WORDS = {
  en: (sender: string) => ({
    title: `Your preferences at ${sender}`,
    body: 'You asked for a fresh link to the page on which you choose what you get. If it wasn’t you, do nothing: nothing changes.',
    ctaLabel: 'Open my preferences',
  }),
  ar: (sender: string) => ({
    title: `تفضيلاتك لدى «${sender}»`,
    body: 'طلبت رابطًا جديدًا إلى الصفحة التي تختار فيها ما يصلك. إن لم يكن الطلب منك فلا حاجة إلى أي إجراء ولن يتغير شيء.',
    ctaLabel: 'فتح تفضيلاتي',
  }),
}

/** `isSpent`: the last hour had one already. False: it could not be sent. */
export async function sendFreshLink({ ctx, channels }: LinkParts, profile: ProfileRow): Promise<boolean | 'isSpent'> {
  const { workspace_id: workspaceId, email, closed_contacts } = profile
  const { email: closed } = closed_contacts as { email?: { contact: string } }
  const [channel] = await listSending(ctx.db, workspaceId, 'email')
  const address = await linkAddress(ctx, workspaceId)
  if (!channel || address === undefined || !isEmail(email) || closed?.contact === email) return false
  const key = `preferences-link:${hashSecret(`${workspaceId} ${profile.id}`)}`
  const { granted } = await ctx.kv.take(key, 1, 1, HOUR_MS / 1_000, ctx.clock.ms())
  if (granted === 0) return 'isSpent'
  const url = (await preferencesUrls(ctx, { workspaceId, address }))(profile.id)
  const language = languageOfMail(profile.locale)
  const content = { ...WORDS[language](await findWorkspaceName(ctx.db, workspaceId)), ctaUrl: url }
  const addressed = {
    id: uuidv7(ctx.clock.ms()),
    to: email ?? '',
    toName: null,
    language,
    unsubscribeUrl: undefined,
    callbackUrl: undefined,
    webAddress: null,
  }
  const outcome = await channels.send(channel, toMessage('email', content, addressed))
  return outcome.kind === 'sent' || outcome.kind === 'uncertain'
}
