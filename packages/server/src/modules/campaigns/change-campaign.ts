import type { SendChannel } from '@contentflow/core/messages/window.ts'
import { sealedPartsOf, SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isShown } from '@contentflow/core/campaigns/status.ts'
import { HOUR_MS, MINUTE_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Change, Actor } from '../../infra/change.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { lockContent, touchContent } from '../content/index.ts'
import { startDispatches, stopDispatches } from '../sends/index.ts'
import { enqueueWebhook } from '../webhooks/index.ts'
import { frozenMailOf, getCampaign, updateCampaign, type StoredCampaign } from './queries.ts'
import { saveApproval } from './review/queries-approvals.ts'
import { decideEdits, insertEvent, renewChange, type CampaignAction } from './queries-events.ts'
import { hashContent } from './review/seal.ts'

/** Every change of campaigns: with what clients see, and one after another in a workspace, so that two approvers never act on the same state. */
export async function changeCampaigns<T>(ctx: Context, by: Actor, work: (change: Change) => Promise<T>): Promise<T> {
  return ctx.change(by, async (change) => {
    await lockContent(change.tx, change.workspaceId)
    return work(change)
  })
}

/** The same of one campaign. With `expectedVersion` (If-Match) what rests on another version is refused instead of lost. */
export async function changeCampaign<T>(
  ctx: Context,
  by: Actor,
  id: string,
  expectedVersion: number | undefined,
  work: (change: Change, before: StoredCampaign) => Promise<T>,
): Promise<T> {
  return changeCampaigns(ctx, by, async (change) => {
    const before = await getCampaign(change.tx, change.workspaceId, id)
    refuseOtherVersion(before, expectedVersion)
    return work(change, before)
  })
}

export function refuseOtherVersion({ version }: Pick<StoredCampaign, 'version'>, expected: number | undefined): void {
  if (expected !== undefined && version !== expected)
    fail('VERSION_CHANGED', { message: `The campaign was changed meanwhile; its version is ${version}` })
}

/** `isAutosave`: of what saves itself while somebody writes. */
export type CampaignStep = { action: CampaignAction; note?: string | null; reason?: string | undefined; isAutosave?: boolean }

/** Writes a campaign that is another now, its history, what others are told of it, and what is sent from then on. */
export async function storeCampaign(
  change: Change,
  before: StoredCampaign,
  next: StoredCampaign,
  { action, note = null, reason, isAutosave = false }: CampaignStep,
): Promise<StoredCampaign> {
  const { tx, workspaceId, actor, now } = change
  const liveSince = goesLive(before, next) ? now : before.liveSince
  const after = { ...next, liveSince, version: before.version + 1, updatedAt: now }
  await updateCampaign(tx, workspaceId, after)
  change.audited('campaign', after.id, before, after)
  if (after.seal && after.seal !== before.seal) await saveApproval(tx, workspaceId, after.id, sealedPartsOf(after), after.seal)
  const hasMoved = before.status !== after.status
  const moved = hasMoved ? { from: before.status, to: after.status } : { from: null, to: null }
  const said = note ?? reason ?? null
  const joins = isAutosave && before.status === 'draft' && !hasMoved
  const event = { action, ...moved, contentHash: hashContent(after), note: said, madeBy: actor, at: now, isAutosave: joins }
  const isJoined =
    joins && (await renewChange(tx, workspaceId, after.id, event, new Date(now.getTime() - LIMITS.autosaveMinutes * MINUTE_MS)))
  if (!isJoined) await insertEvent(tx, workspaceId, after.id, event)
  if (hasMoved) {
    const told = { ...toldOf(after), from: before.status, to: after.status }
    await enqueueWebhook(change, 'campaign.status_changed', { ...told, ...(reason !== undefined && { reason }) })
  }
  if (['draft', 'completed', 'expired'].includes(after.status))
    await decideEdits(tx, workspaceId, { campaignId: after.id }, { status: 'withdrawn', by: actor, at: now, note: null })
  showTo(change, before, after)
  await dispatch(change, before, after, action)
  return after
}

export function toldOf({ id, name, type }: StoredCampaign) {
  return { campaignId: id, name, type }
}

/** A pause is no end. To those of the live environment it is new when it was shown to the other one alone. */
function goesLive({ status: from }: StoredCampaign, { status: to }: StoredCampaign): boolean {
  return from !== 'paused' && (['live', 'test'] as const).some((environment) => isShown(to, environment) && !isShown(from, environment))
}

/** Makes devices that were shown the campaign, or are from now on, ask again. */
function showTo(change: Change, before: StoredCampaign, after: StoredCampaign): void {
  const sees = (environment: Environment) => isShown(before.status, environment) || isShown(after.status, environment)
  const environments = (['live', 'test'] as const).filter(sees)
  if (environments.length > 0) touchContent(change, environments, 'message.updated')
}

/**
 * M-CAMP-38: only what is active sends. An update sends to whoever did not get it yet (M-DISP-01). What starts a day late is missed
 * (M-DISP-03).
 */
async function dispatch(change: Change, before: StoredCampaign, after: StoredCampaign, action: CampaignAction): Promise<void> {
  const { id, name, content, segments, schedule, controlPercent, topic } = after
  const mail = frozenMailOf(after)
  const source = { source: 'campaign', sourceId: id } as const
  if (before.status === 'active') await stopDispatches(change, source)
  if (after.status !== 'active') return
  const channels: SendChannel[] = SEND_CHANNELS.filter((channel) => after.dispatchChannels.includes(channel))
  // Since it was to start, or since somebody let it go on after that.
  const since = Math.max(Date.parse(schedule.startTime ?? ''), before.updatedAt.getTime())
  const isMissed = action === 'start' && change.now.getTime() - since > LIMITS.missedAfterHours * HOUR_MS
  const said = { content, segments, window: schedule, controlPercent, mail, topic }
  await startDispatches(change, { ...source, name, channels, ...said, isMissed })
}
