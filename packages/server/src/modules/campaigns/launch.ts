/** Who may let a campaign go live besides its approval: admins only, or whoever shows a one-time code (G-54). */
import { randomInt } from 'node:crypto'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { MemberCaller } from '../../http/caller.ts'
import type { Change, Of } from '../../infra/change.ts'
import { hashSecret, uuidv7 } from '../../infra/crypto.ts'
import { findSendingChannel, spendTry, type Channels } from '../channels/index.ts'
import { byMember } from './campaigns.ts'
import { changeCampaign, changeCampaigns } from './change-campaign.ts'
import { getCampaign, updateLaunch, type Launch, type StoredCampaign } from './queries.ts'
import { saveCode, useCode } from './queries-events.ts'

export async function setLaunch(ctx: Context, of: Of, launch: Launch): Promise<void> {
  await changeCampaigns(ctx, of, ({ tx, workspaceId, now }) => updateLaunch(tx, workspaceId, launch, now))
}

export type Sent = { campaignId: string; sentTo: string; expiresAt: Date; code?: string }

/** A new code for this person and campaign; one sent before is void. With test hooks the answer has it too. */
export async function sendCode(ctx: Context, channels: Channels, member: MemberCaller, id: string): Promise<Sent> {
  const campaign = await getCampaign(ctx.db, member.workspaceId, id)
  const channel = await findSendingChannel(ctx.db, member.workspaceId, 'email')
  const isTestHooks = ctx.config.hasTestHooks
  if (!channel && !isTestHooks) fail('LAUNCH_OTP_UNAVAILABLE')
  await spendTry(ctx, 'launch-code', member.accountId)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = await changeCampaign(ctx, byMember(member), id, undefined, async ({ tx, workspaceId, now }) => {
    const until = new Date(now.getTime() + LIMITS.launchCode.minutes * 60_000)
    await saveCode(tx, workspaceId, {
      campaignId: id,
      accountId: member.accountId,
      hash: hashOf(id, member.accountId, code),
      expiresAt: until,
    })
    return until
  })
  if (channel) {
    const outcome = await channels.send(channel, { id: uuidv7(ctx.clock.ms()), to: member.email, ...mailOf(campaign, code) })
    if (outcome.kind !== 'sent' && !isTestHooks) fail('LAUNCH_OTP_UNAVAILABLE', { message: `The code could not be sent: ${outcome.text}` })
  }
  return { campaignId: id, sentTo: member.email, expiresAt, ...(isTestHooks && { code }) }
}

/** True when this is the code: it is used up then. A wrong one counts, and the fifth voids the code. */
export async function isCodeRight({ tx, workspaceId, actor, now }: Change, campaignId: string, otp: string | undefined): Promise<boolean> {
  if (otp === undefined) return false
  const hash = hashOf(campaignId, actor, otp.trim())
  return useCode(tx, workspaceId, { campaignId, accountId: actor, hash, mostWrong: LIMITS.launchCode.wrongTries, now })
}

function hashOf(campaignId: string, accountId: string, code: string): string {
  return hashSecret(`${campaignId}\n${accountId}\n${code}`)
}

function mailOf({ name }: StoredCampaign, code: string) {
  const { minutes } = LIMITS.launchCode
  return {
    title: `${code} is your code for "${name}"`,
    body: `Your code to let the campaign "${name}" go live is ${code}. It holds for ${minutes} minutes.`,
  }
}
