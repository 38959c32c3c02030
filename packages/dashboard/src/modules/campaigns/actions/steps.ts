/** Which steps a campaign allows now, and to whom: by the same table as the server's. */
import { cellOf, takeStep, type CampaignActor, type CampaignStep } from '@contentflow/core/campaigns/status.ts'
import type { Campaign } from '../api.ts'

const STEPS = ['submit', 'recall', 'approve', 'reject', 'launch', 'test', 'schedule', 'pause', 'resume', 'complete', 'toDraft'] as const
export type StepName = (typeof STEPS)[number]

/** `resume` leads back to what it was. */
export function stepOf(name: StepName, { pausedFrom }: Pick<Campaign, 'pausedFrom'>): CampaignStep {
  return name === 'resume' ? { action: `to_${pausedFrom ?? 'active'}` } : ACTIONS[name]
}

const ACTIONS: Record<Exclude<StepName, 'resume'>, CampaignStep> = {
  submit: { action: 'submit' },
  recall: { action: 'recall' },
  approve: { action: 'approve' },
  reject: { action: 'reject' },
  launch: { action: 'to_active' },
  test: { action: 'to_test' },
  schedule: { action: 'to_scheduled' },
  pause: { action: 'to_paused' },
  complete: { action: 'to_completed' },
  toDraft: { action: 'to_draft' },
}

/** Launch protection is asked when it comes to it: its refusal says what to do. */
export function stepsOf(person: CampaignActor, campaign: Campaign, now: number): StepName[] {
  const { status, pausedFrom, submittedBy, schedule } = campaign
  const startsAt = Date.parse(schedule.startTime)
  return STEPS.filter((name) => {
    if (!isMeant(name, campaign, now)) return false
    const result = takeStep(person, { status, pausedFrom, submittedBy, startsAt }, stepOf(name, campaign), 'off', now)
    return result.ok && result.to !== null
  })
}

/** Hides steps that the table allows but nobody would want. */
function isMeant(name: StepName, { status, schedule }: Campaign, now: number): boolean {
  const isOver = status === 'completed' || status === 'expired'
  const isBefore = status === 'draft' || status === 'rejected' || status === 'pending_review'
  if (name === 'resume') return status === 'paused'
  if (name === 'launch' || name === 'test') return status !== 'paused'
  if (name === 'schedule') return status === 'approved' && Date.parse(schedule.startTime) > now
  if (name === 'complete') return !isBefore && !isOver
  if (name === 'toDraft') return status !== 'pending_review' && status !== 'rejected'
  return true
}

export function isEditable({ status }: Pick<Campaign, 'status'>): boolean {
  return 'to' in cellOf(status, 'edit')
}
