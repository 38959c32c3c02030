import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import { isHeldOut } from '@contentflow/core/experiments/holdout.ts'
import { skipReasonFor, composeFor } from '@contentflow/core/messages/judge.ts'
import type { SendWindow } from '@contentflow/core/messages/window.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import type { Context } from '../../context.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'
import { heldUntil } from '../calendar/index.ts'
import { judgedTopic } from '../topics/index.ts'
import { pagesNamed } from './unsubscribe/preference-links.ts'
import { withSegments } from './queries-mail-segments.ts'
import { findSettings } from './queries.ts'
import { listRecipients } from './dispatch/queries-expand.ts'
import { findLines, type LedgerLine } from './dispatch/queries-ledger.ts'

export type ExplainedSend = {
  /** `sent`, `sending`, `waits`, `not_started`, `missed`, `came_later`, or a reason of skipping or failing. */
  because: string
  /** When it is tried, or its window opens. */
  until: Date | null
  line: LedgerLine['send']
}

type Message = {
  sourceId: string
  channels: readonly ChannelType[]
  content: LocalizedContent
  window: SendWindow
  controlPercent: number | undefined
  mail: MailDocument | undefined
  topic: string | undefined
}

/** What became of the messages of a campaign to somebody of its audience, by channel; where nothing did, what would now, and why. */
export async function explainSends(
  ctx: Context,
  workspaceId: string,
  profileId: string,
  { sourceId, channels, content, window, controlPercent, mail, topic: topicId }: Message,
): Promise<Map<ChannelType, ExplainedSend>> {
  const lines = await findLines(ctx.db, workspaceId, { source: 'campaign', sourceId }, profileId)
  const [recipient] = await withSegments(ctx.db, workspaceId, mail, await listRecipients(ctx.db, workspaceId, [profileId]))
  const { sourceLocale, linkSchemes, brand, holdout } = await findSettings(ctx.db, workspaceId)
  const topic = await judgedTopic(ctx.db, workspaceId, topicId)
  const preferencesUrl = await pagesNamed(ctx, workspaceId, { content, mail })
  const now = ctx.clock.now()
  const barNow = (channel: ChannelType) => {
    if (!recipient) return 'no_profile'
    const bar = skipReasonFor(channel, recipient, topic)
    if (bar !== undefined) return bar
    const input = { channel, content, mail, sourceId, sourceLocale, linkSchemes, brand, preferencesUrl, now: now.getTime() }
    const composed = composeFor(recipient, input, hash32)
    if (!composed.ok) return composed.reason
    if (isHeldOut(holdout, recipient.id, now.getTime(), hash32)) return 'holdout'
    return isInControlGroup(controlPercent, recipient.id, sourceId, hash32) ? 'control_group' : undefined
  }
  return new Map(
    channels.map((channel) => {
      const line = lines.get(channel)
      if (line?.send) return [channel, explainLine(line.send)]
      const without = (because: string, until: Date | null = null): ExplainedSend => ({ because, until, line: null })
      const bar = barNow(channel)
      if (bar !== undefined) return [channel, without(bar)]
      if (!line || line.dispatch === 'missed' || line.dispatch === 'stopped') return [channel, without(line?.dispatch ?? 'not_started')]
      if (line.dispatch === 'done' || line.dispatch === 'sending') return [channel, without('came_later')]
      return [channel, without('waits', line.startsAt > now ? line.startsAt : (heldUntil(window, now) ?? null))]
    }),
  )
}

function explainLine(send: NonNullable<LedgerLine['send']>): ExplainedSend {
  const because =
    send.state === 'due' ? 'waits' : send.state === 'sent' || send.state === 'sending' ? send.state : (send.reason ?? send.state)
  return { because, until: send.due_at, line: send }
}
