/** Whether messages would reach people, by the functions that send; nothing is written and nothing leaves. */
import { isHeldOut } from '@contentflow/core/experiments/holdout.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import { skipReasonFor, composeFor, type Recipient, type SkipReason } from '@contentflow/core/messages/judge.ts'
import type { SendChannel } from '@contentflow/core/messages/window.ts'
import type { Context } from '../../../context.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'
import { listJudgedTopics } from '../../topics/index.ts'
import { linkAddress } from '../addresses/link-address.ts'
import { preferencesUrls } from '../unsubscribe/preference-links.ts'
import { findSettings } from '../queries.ts'
import { withSegments } from '../queries-mail-segments.ts'
import { listRecipients } from './queries-expand.ts'

/** What an event of a journey said. */
type Said = { [path: string]: unknown } | undefined

/** Undefined: it would. */
type Judgement = (
  profileId: string,
  message: {
    channel: SendChannel
    content: LocalizedContent
    mail?: MailDocument
    sourceId: string
    topic?: string | undefined
    event?: Said
    lastEvent?: Said
  },
) => SkipReason | undefined

/** `mails`: those that it may be asked of. Of these people, who are live ones, as they are now and of a campaign or journey. Caps, and windows in which nothing leaves, are not looked at. */
export async function openJudgement(
  ctx: Context,
  workspaceId: string,
  profileIds: readonly string[],
  mails: readonly MailDocument[] = [],
): Promise<Judgement> {
  const { db, clock } = ctx
  const { sourceLocale, linkSchemes, brand, holdout } = await findSettings(db, workspaceId)
  const asked = mails.length === 0 ? undefined : { ...mails[0]!, sections: mails.flatMap(({ sections }) => sections) }
  const recipients = await withSegments(db, workspaceId, asked, await listRecipients(db, workspaceId, profileIds))
  const people = new Map(recipients.map((recipient) => [recipient.id, recipient]))
  const address = await linkAddress(ctx, workspaceId)
  const preferencesUrl = address === undefined ? undefined : await preferencesUrls(ctx, { workspaceId, address })
  const topics = await listJudgedTopics(db, workspaceId)
  return (profileId, { channel, content, mail, sourceId, topic, event, lastEvent }) => {
    const recipient = people.get(profileId)
    if (!recipient) return 'no_profile'
    const bar =
      channel === 'in_app'
        ? skipReasonInApp(recipient)
        : skipReasonFor(channel, recipient, topic === undefined ? undefined : topics.get(topic))
    if (bar !== undefined) return bar
    const composed = composeFor(
      { ...recipient, ...(event && { event }), ...(lastEvent && { lastEvent }) },
      { channel, content, mail, sourceId, sourceLocale, linkSchemes, brand, preferencesUrl, now: clock.ms() },
      hash32,
    )
    if (!composed.ok) return composed.reason
    return isHeldOut(holdout, profileId, clock.ms(), hash32) ? 'holdout' : undefined
  }
}

/** exactly those whose flag is true. */
function skipReasonInApp({ personalOptOut, channels }: Recipient): SkipReason | undefined {
  if (personalOptOut) return 'pdpl_opt_out'
  return channels.inApp === true ? undefined : 'noConsent'
}
