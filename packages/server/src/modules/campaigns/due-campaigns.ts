/**
 * A campaign starts and ends by itself, each moment once, by whichever process comes to it (M-CAMP-24, G-55). Once it has been
 * over for 30 days, or longer where they stay longer in the inbox, its in-app messages go, in bounded steps: until then they keep whoever had one from seeing it again, should
 * it come back by a new approval. Those of journeys stay, because their reports count them.
 */
import { isOver, statusAt } from '@contentflow/core/campaigns/status.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { oneByOne, type DueWork } from '../../infra/due/due.ts'
import { SYSTEM, type Change } from '../../infra/change.ts'
import type { DueRow } from '../../infra/due/queries-due.ts'
import { dropMessages } from '../messages/index.ts'
import { changeCampaigns, storeCampaign } from './change-campaign.ts'
import { dueAtOf, dueCampaigns, findCampaign, findLaunch, forgottenAt, keptDaysOf, momentsOf, type StoredCampaign } from './queries.ts'
import { listChangedSince } from './review/seal.ts'

const KIND = 'campaigns'
const BATCH = 100
const BACK_OFF = { first: 5_000, most: 300_000 }

export function campaignsWork(ctx: Context): DueWork<DueRow> {
  const table = dueCampaigns(ctx.db)
  const work = oneByOne<DueRow>(ctx, { kind: KIND, table, backOff: BACK_OFF }, async ({ id }, { workspaceId, signal }) => {
    const keptDays = await forgottenAfter(ctx, workspaceId, id)
    if (keptDays !== undefined) {
      const now = ctx.clock.now()
      await dropMessages(ctx, workspaceId, id, { overBefore: new Date(now.getTime() - keptDays * DAY_MS), now }, signal)
      return null
    }
    return changeCampaigns(ctx, { workspaceId, actor: SYSTEM }, (change) => moveOn(change, id))
  })
  return { kind: KIND, rows: table, most: BATCH, rests: true, work }
}

/** For how many days its messages were kept after its end, once that is long enough; undefined: they stay. */
async function forgottenAfter({ db, clock }: Context, workspaceId: string, id: string): Promise<number | undefined> {
  const campaign = await findCampaign(db, workspaceId, id)
  return campaign && isOver(campaign.status) && forgottenAt(campaign) <= clock.ms() ? keptDaysOf(campaign) : undefined
}

/** Says when it is due next. */
async function moveOn(change: Change, id: string): Promise<Date | null> {
  const { tx, workspaceId, now } = change
  const before = await findCampaign(tx, workspaceId, id)
  if (!before) return null
  const status = statusAt(momentsOf(before), now.getTime())
  // Paused, put off or done by another process meanwhile.
  if (status === undefined) return dueAtOf(before)
  if (status === 'active' && (await isOtherAudience(change, before))) {
    const held = { ...before, status: 'paused', pausedFrom: 'scheduled' } as const
    return dueAtOf(await storeCampaign(change, before, held, { action: 'hold', reason: 'A segment was changed after the approval' }))
  }
  const action = status === 'active' ? 'start' : 'expire'
  return dueAtOf(await storeCampaign(change, before, { ...before, status, pausedFrom: null }, { action }))
}

/** With a sealed audience nothing goes live to people whom nobody approved; somebody is to look at it. */
async function isOtherAudience({ tx, workspaceId }: Change, campaign: StoredCampaign): Promise<boolean> {
  const { sealAudience } = await findLaunch(tx, workspaceId)
  return sealAudience && (await listChangedSince(tx, workspaceId, [campaign]))(campaign).some(({ kind }) => kind === 'segment')
}
