import type { Send } from '../../../api.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { campaignApi, STALE, type Campaign } from '../api.ts'
import { stepOf, stepsOf, type StepName } from './steps.ts'
import { useActionTexts } from './texts.ts'

type StepInput = { note?: string; otp?: string; activateTarget?: 'live' | 'test' }

const DONE = {
  submit: 'submitted',
  recall: 'recalled',
  approve: 'approved',
  reject: 'rejected',
  launch: 'launched',
  test: 'tested',
  schedule: 'scheduled',
  pause: 'paused',
  resume: 'resumed',
  complete: 'completed',
  toDraft: 'toDrafted',
} as const satisfies Record<StepName, string>

/** Takes a step on top of the version that was looked at, so that a change of another member is never approved unseen. */
export function useStep(campaign: Campaign, step: StepName) {
  const t = useActionTexts()
  return useWrite<StepInput, Campaign>((said) => ({ ...requestOf(campaign, step, said), version: campaign.version }), {
    stale: STALE,
    done: t(DONE[step]),
    showsError: true,
  })
}

function requestOf(campaign: Campaign, step: StepName, said: StepInput): Send & { path: string } {
  const path = campaignApi(campaign.id)
  const { action } = stepOf(step, campaign)
  if (action === 'submit') return { method: 'POST', path: `${path}/submit-review`, body: {} }
  if (action.startsWith('to_')) return { method: 'PATCH', path: `${path}/status`, body: { status: action.slice(3), ...said } }
  return { method: 'POST', path: `${path}/${action}`, body: said }
}

/** The steps that the signed-in member may take now. */
export function useSteps(campaign: Campaign): StepName[] {
  const { me, mayEdit, mayAdmin, mayApprove } = useSession()
  const person = { id: me.user.userId, isAdmin: mayAdmin, isEditor: mayEdit, mayApprove }
  return stepsOf(person, campaign, Date.now())
}
