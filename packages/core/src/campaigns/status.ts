/**
 * What may be done to a campaign in which state, and what comes of it: every state × action has a cell (G-51 to G-55).
 *
 *   draft, rejected ──submit──▶ pending_review ──reject──▶ rejected
 *   pending_review ──recall──▶ draft
 *   pending_review ──approve──▶ active or test, where the approver chose so; else scheduled before the start, approved after it
 *   approved ──to_active, to_test, to_scheduled──▶ that status
 *   scheduled ──start──▶ active
 *   test ──to_active──▶ active
 *   scheduled, active, test ──to_paused──▶ paused ──to_active, to_test, to_scheduled──▶ the status before the pause
 *   approved, scheduled, active, test, paused ──expire──▶ expired
 *   every status ──to_completed──▶ completed
 *   every status ──to_draft──▶ draft ──delete──▶ removed
 */

export const CAMPAIGN_STATUSES = [
  'draft',
  'pending_review',
  'approved',
  'scheduled',
  'active',
  'test',
  'paused',
  'completed',
  'expired',
  'rejected',
] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]
/** What a campaign can be paused from, and comes back to. */
export type LiveStatus = 'scheduled' | 'active' | 'test'

/** `to_…`: somebody sets this status; `start` and `expire`: its moment has come. */
export type CampaignAction = 'submit' | 'approve' | 'reject' | 'recall' | 'edit' | 'delete' | 'start' | 'expire' | `to_${CampaignStatus}`
type Refusal =
  | 'REVIEW_REQUIRED'
  | 'INVALID_STATUS_TRANSITION'
  | 'CAMPAIGN_SUBMIT_REVIEW_FAILED'
  | 'CAMPAIGN_APPROVE_FAILED'
  | 'CAMPAIGN_REJECT_FAILED'
  | 'CAMPAIGN_RECALL_FAILED'
  | 'CAMPAIGN_NOT_EDITABLE'
  | 'CAMPAIGN_NOT_DRAFT'
/**
 * A status: it is that from then on. `same`: it is already. `resume`: what it was before the pause. `target`: whatever the
 * approver chose. `at_once`, `asked`: how an edit takes effect. `ignored`: its moment means nothing here.
 */
type Cell = { to: CampaignStatus | 'same' | 'resume' | 'target' | 'at_once' | 'asked' | 'removed' | 'ignored' } | { refused: Refusal }

const to = (status: Extract<Cell, { to: unknown }>['to']): Cell => ({ to: status })
const no = (refused: Refusal): Cell => ({ refused })
const [REVIEW, INVALID] = [no('REVIEW_REQUIRED'), no('INVALID_STATUS_TRANSITION')]
const SAME = to('same')

/** What holds where a state says nothing else. */
const ELSEWHERE: Record<CampaignAction, Cell> = {
  submit: no('CAMPAIGN_SUBMIT_REVIEW_FAILED'),
  approve: no('CAMPAIGN_APPROVE_FAILED'),
  reject: no('CAMPAIGN_REJECT_FAILED'),
  recall: no('CAMPAIGN_RECALL_FAILED'),
  // What is under review stays what was submitted, and what is over what it was.
  edit: no('CAMPAIGN_NOT_EDITABLE'),
  delete: no('CAMPAIGN_NOT_DRAFT'),
  start: to('ignored'),
  expire: to('ignored'),
  to_draft: to('draft'),
  to_completed: to('completed'),
  to_active: REVIEW,
  to_test: REVIEW,
  to_scheduled: REVIEW,
  to_approved: REVIEW,
  to_paused: INVALID,
  to_pending_review: INVALID,
  to_rejected: INVALID,
  to_expired: INVALID,
}
const LIVE = { edit: to('asked'), expire: to('expired'), to_paused: to('paused') } as const
const RESUMES = { to_active: to('resume'), to_test: to('resume'), to_scheduled: to('resume') } as const

const TABLE: Record<CampaignStatus, Record<CampaignAction, Cell>> = {
  draft: { ...ELSEWHERE, submit: to('pending_review'), edit: to('at_once'), delete: to('removed'), to_draft: SAME },
  rejected: { ...ELSEWHERE, submit: to('pending_review'), edit: to('at_once'), to_rejected: SAME },
  pending_review: { ...ELSEWHERE, approve: to('target'), reject: to('rejected'), recall: to('draft'), to_pending_review: SAME },
  // The approval stands.
  approved: {
    ...ELSEWHERE,
    edit: to('asked'),
    expire: to('expired'),
    to_active: to('active'),
    to_test: to('test'),
    to_scheduled: to('scheduled'),
    to_approved: SAME,
  },
  scheduled: { ...ELSEWHERE, ...LIVE, start: to('active'), to_scheduled: SAME },
  active: { ...ELSEWHERE, ...LIVE, to_active: SAME },
  test: { ...ELSEWHERE, ...LIVE, to_active: to('active'), to_test: SAME },
  paused: { ...ELSEWHERE, edit: to('asked'), expire: to('expired'), ...RESUMES, to_paused: SAME },
  completed: { ...ELSEWHERE, to_completed: SAME },
  expired: { ...ELSEWHERE, to_expired: SAME },
}

export function cellOf(status: CampaignStatus, action: CampaignAction): Cell {
  return TABLE[status][action]
}

/** What live keys, or test keys, are shown. */
export function isShown(status: CampaignStatus, environment: 'live' | 'test'): boolean {
  return status === 'active' || (status === 'test' && environment === 'test')
}

/** Whether it has ended: nothing of it is shown or sent, and only a new approval brings it back. */
export function isOver(status: CampaignStatus): boolean {
  return status === 'completed' || status === 'expired'
}

/** Whether an approval stands behind it. */
export function isApproved(status: CampaignStatus): boolean {
  return status !== 'draft' && status !== 'pending_review' && status !== 'rejected'
}

export const LAUNCH_PROTECTIONS = ['off', 'admin', 'otp'] as const
export type LaunchProtection = (typeof LAUNCH_PROTECTIONS)[number]
export type CampaignActor = { id: string; isAdmin: boolean; isEditor: boolean; mayApprove: boolean }
export type CampaignState = {
  status: CampaignStatus
  pausedFrom: LiveStatus | null
  submittedBy: string | null
  /** Milliseconds. */
  startsAt: number
}
export type CampaignStep =
  | { action: 'submit' | 'recall' | 'reject' }
  | { action: 'approve'; activateTarget?: 'live' | 'test' | undefined }
  | { action: `to_${CampaignStatus}` }
export type StepRefusal = Refusal | 'ROLE_REQUIRED' | 'SELF_APPROVAL_NOT_ALLOWED' | 'LAUNCH_ADMIN_REQUIRED'
/** `needsCode`: it goes live, for which a one-time code has to be right. Null: it is that already. */
export type StepResult = { ok: true; to: CampaignStatus | null; needsCode: boolean } | { ok: false; code: StepRefusal }

const APPROVERS: ReadonlySet<CampaignAction> = new Set(['approve', 'reject'])

/** What somebody's step comes to. Refusals in the order of G-51: role, state, self approval, launch protection. */
export function takeStep(
  person: CampaignActor,
  state: CampaignState,
  step: CampaignStep,
  protection: LaunchProtection,
  now: number,
): StepResult {
  const isAllowed = APPROVERS.has(step.action) ? person.mayApprove : person.isEditor
  if (!isAllowed) return { ok: false, code: 'ROLE_REQUIRED' }
  const cell = cellOf(state.status, step.action)
  if ('refused' in cell) return { ok: false, code: cell.refused }
  if (step.action === 'approve' && state.submittedBy === person.id) return { ok: false, code: 'SELF_APPROVAL_NOT_ALLOWED' }
  if (cell.to === 'same') return { ok: true, to: null, needsCode: false }
  const next = resolve(cell.to, state, step, now)
  const isLaunch = cell.to !== 'resume' && (next === 'active' || next === 'scheduled')
  if (isLaunch && protection === 'admin' && !person.isAdmin) return { ok: false, code: 'LAUNCH_ADMIN_REQUIRED' }
  return { ok: true, to: next, needsCode: isLaunch && protection === 'otp' }
}

function resolve(to: string, { pausedFrom, startsAt }: CampaignState, step: CampaignStep, now: number): CampaignStatus {
  if (to === 'resume') return pausedFrom ?? 'draft'
  if (to !== 'target' || step.action !== 'approve') return to as CampaignStatus
  if (step.activateTarget !== undefined) return step.activateTarget === 'live' ? 'active' : 'test'
  return startsAt > now ? 'scheduled' : 'approved'
}

/** What its moments make of it; undefined: nothing yet. The end comes before the start, when both have passed. */
export function statusAt({ status, startsAt, endsAt }: { status: CampaignStatus; startsAt: number; endsAt: number | null }, now: number) {
  const moments = [
    { at: endsAt, cell: cellOf(status, 'expire') },
    { at: startsAt, cell: cellOf(status, 'start') },
  ]
  for (const { at, cell } of moments)
    if (at !== null && at <= now && 'to' in cell && cell.to !== 'ignored') return cell.to as CampaignStatus
  return undefined
}

/** When time changes it next; null: never. */
export function nextMoment({
  status,
  startsAt,
  endsAt,
}: {
  status: CampaignStatus
  startsAt: number
  endsAt: number | null
}): number | null {
  const means = (action: 'start' | 'expire') => (cellOf(status, action) as { to: string }).to !== 'ignored'
  const moments = [...(means('start') ? [startsAt] : []), ...(means('expire') && endsAt !== null ? [endsAt] : [])]
  return moments.length === 0 ? null : Math.min(...moments)
}
