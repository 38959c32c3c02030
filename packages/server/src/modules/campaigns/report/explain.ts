import { isInControlGroup } from '@contentflow/core/campaigns/control-group.ts'
import { isShown } from '@contentflow/core/campaigns/status.ts'
import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import type { SendChannel } from '@contentflow/core/messages/window.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'
import { findPerson } from '../../people/index.ts'
import { explainSends, openJudgement, type ExplainedSend } from '../../sends/index.ts'
import { mailNow } from '../campaigns.ts'
import { getCampaign, type StoredCampaign } from '../queries.ts'
import { findInApp, listMemberships, type Membership } from './queries-explain.ts'

export type Explained = {
  campaign: StoredCampaign
  isInAudience: boolean
  segments: Membership[]
  /** Undefined: it leaves nobody out. */
  isInControlGroup: boolean | undefined
  channels: ({ channel: SendChannel } & ExplainedSend)[]
}

/** Why somebody gets a campaign or does not: by each of its channels, what became of it, or what is in the way now. */
export async function explainCampaign(ctx: Context, workspaceId: string, id: string, userId: string): Promise<Explained> {
  const campaign = await getCampaign(ctx.db, workspaceId, id)
  const person = await findPerson(ctx.db, workspaceId, 'live', userId)
  if (!person) return failWith(404, 'person not found')
  const segments = await listMemberships(ctx.db, workspaceId, campaign.segments, person.id)
  const isInAudience = campaign.segments.includes('All users') || segments.some(({ isMember }) => isMember)
  const sends = await explainSends(ctx, workspaceId, person.id, {
    sourceId: id,
    channels: CHANNEL_TYPES.filter((channel) => campaign.dispatchChannels.includes(channel)),
    content: campaign.content,
    window: campaign.schedule,
    controlPercent: campaign.controlPercent,
    mail: await mailNow(ctx.db, workspaceId, campaign),
    topic: campaign.topic,
  })
  const isHeldBack = isInControlGroup(campaign.controlPercent, person.id, id, hash32)
  const said = { campaign, isInAudience, segments, isInControlGroup: campaign.controlPercent === undefined ? undefined : isHeldBack }
  const channels = [...sends].map(([channel, explained]) => ({ channel, ...explainOutside(campaign, isInAudience, explained) }))
  if (!campaign.dispatchChannels.includes('in_app')) return { ...said, channels }
  const because = await explainInApp(ctx, workspaceId, campaign, person.id, isHeldBack)
  return {
    ...said,
    channels: [...channels, { channel: 'in_app', ...explainOutside(campaign, isInAudience, because) }],
  }
}

/** What became of it stands; of what did not, the campaign and its audience come first. */
function explainOutside({ status }: StoredCampaign, isInAudience: boolean, explained: ExplainedSend): ExplainedSend {
  if (explained.line || explained.because === 'ended') return explained
  if (!isShown(status, 'live')) return { ...explained, because: 'campaign_not_active', until: null }
  return isInAudience ? explained : { ...explained, because: 'not_in_audience', until: null }
}

async function explainInApp(
  ctx: Context,
  workspaceId: string,
  { id, content }: StoredCampaign,
  profileId: string,
  isHeldBack: boolean,
): Promise<ExplainedSend> {
  const message = await findInApp(ctx.db, workspaceId, id, profileId)
  if (message?.ended_at) return { because: 'ended', until: null, line: null }
  const judgement = await openJudgement(ctx, workspaceId, [profileId])
  const bar = judgement(profileId, { channel: 'in_app', content, sourceId: id })
  return { because: bar ?? (isHeldBack ? 'control_group' : 'shown'), until: null, line: null }
}
