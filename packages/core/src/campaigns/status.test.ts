import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CAMPAIGN_STATUSES,
  cellOf,
  nextMoment,
  statusAt,
  takeStep,
  type CampaignAction,
  type CampaignStatus,
  type CampaignState,
  type CampaignStep,
} from './status.ts'

const EDITOR = { id: 'e', isAdmin: false, isEditor: true, mayApprove: false }
const APPROVER = { ...EDITOR, id: 'a', mayApprove: true }
const ADMIN = { ...APPROVER, id: 'x', isAdmin: true }
const VIEWER = { ...EDITOR, id: 'v', isEditor: false }
const stateOf = (status: CampaignStatus, more: Partial<CampaignState> = {}): CampaignState => ({
  status,
  pausedFrom: status === 'paused' ? 'active' : null,
  submittedBy: 'e',
  startsAt: 0,
  ...more,
})
/** What comes of it, in one word. */
const come = (status: CampaignStatus, step: CampaignStep, person = ADMIN, more: Partial<CampaignState> = {}) => {
  const result = takeStep(person, stateOf(status, more), step, 'off', 1)
  return result.ok ? (result.to ?? 'same') : result.code
}

test('M-CAMP-11 M-CAMP-19 M-CAMP-22 M-CAMP-25 M-CAMP-27 M-CAMP-28 M-CAMP-29 M-CAMP-30 G-52 every status that is set from every state', () => {
  const R = 'REVIEW_REQUIRED'
  const I = 'INVALID_STATUS_TRANSITION'
  // Columns in the order of CAMPAIGN_STATUSES: draft, pending_review, approved, scheduled, active, test, paused, completed, expired, rejected.
  const expected: Record<CampaignStatus, string[]> = {
    draft: ['same', I, R, R, R, R, I, 'completed', I, I],
    pending_review: ['draft', 'same', R, R, R, R, I, 'completed', I, I],
    approved: ['draft', I, 'same', 'scheduled', 'active', 'test', I, 'completed', I, I],
    scheduled: ['draft', I, R, 'same', R, R, 'paused', 'completed', I, I],
    active: ['draft', I, R, R, 'same', R, 'paused', 'completed', I, I],
    test: ['draft', I, R, R, 'active', 'same', 'paused', 'completed', I, I],
    paused: ['draft', I, R, 'active', 'active', 'active', 'same', 'completed', I, I],
    completed: ['draft', I, R, R, R, R, I, 'same', I, I],
    expired: ['draft', I, R, R, R, R, I, 'completed', 'same', I],
    rejected: ['draft', I, R, R, R, R, I, 'completed', I, 'same'],
  }
  for (const from of CAMPAIGN_STATUSES)
    assert.deepEqual(
      CAMPAIGN_STATUSES.map((to) => come(from, { action: `to_${to}` })),
      expected[from],
      from,
    )
})

test('M-CAMP-09 M-CAMP-10 M-CAMP-21 M-CAMP-23 M-CAMP-34 where each step of a review leads', () => {
  const from = (action: CampaignAction, ...states: CampaignStatus[]) =>
    assert.deepEqual(
      CAMPAIGN_STATUSES.filter((status) => 'to' in cellOf(status, action) && (cellOf(status, action) as { to: string }).to !== 'ignored'),
      CAMPAIGN_STATUSES.filter((status) => states.includes(status)),
      action,
    )
  from('submit', 'draft', 'rejected')
  for (const action of ['approve', 'reject', 'recall'] as const) from(action, 'pending_review')
  from('edit', 'draft', 'rejected', 'approved', 'scheduled', 'active', 'test', 'paused')
  from('delete', 'draft')
  from('start', 'scheduled')
  from('expire', 'approved', 'scheduled', 'active', 'test', 'paused')
})

test('M-CAMP-12 M-CAMP-13 M-CAMP-35 M-CAMP-36 M-CAMP-37 X-INT-33 refusals come in order: role, state, self approval, launch protection', () => {
  const approve = (
    person: typeof ADMIN,
    more: Partial<CampaignState> = {},
    target: 'live' | 'test' = 'live',
    status: CampaignStatus = 'pending_review',
  ) => takeStep(person, stateOf(status, more), { action: 'approve', activateTarget: target }, 'admin', 1)
  const code = (result: ReturnType<typeof takeStep>) => (result.ok ? result.to : result.code)
  assert.equal(code(approve(EDITOR, {}, 'live', 'draft')), 'ROLE_REQUIRED')
  assert.equal(code(approve(VIEWER)), 'ROLE_REQUIRED')
  assert.equal(code(approve(APPROVER, { submittedBy: 'a' }, 'live', 'draft')), 'CAMPAIGN_APPROVE_FAILED')
  assert.equal(code(approve(APPROVER, { submittedBy: 'a' })), 'SELF_APPROVAL_NOT_ALLOWED')
  assert.equal(code(approve(APPROVER)), 'LAUNCH_ADMIN_REQUIRED')
  assert.equal(code(approve(APPROVER, {}, 'test')), 'test')
  assert.equal(code(approve(ADMIN)), 'active')
  const needsCode = (step: CampaignStep, state: CampaignState) => {
    const result = takeStep(ADMIN, state, step, 'otp', 1)
    return result.ok && result.needsCode
  }
  assert.equal(needsCode({ action: 'approve' }, stateOf('pending_review', { startsAt: 2 })), true)
  assert.equal(needsCode({ action: 'approve' }, stateOf('pending_review')), false)
  assert.equal(needsCode({ action: 'to_active' }, stateOf('test')), true)
  assert.equal(needsCode({ action: 'to_active' }, stateOf('paused')), false)
})

test('M-CAMP-24 G-55 what its moments make of a campaign', () => {
  const at = (status: CampaignStatus, startsAt: number, endsAt: number | null) => statusAt({ status, startsAt, endsAt }, 10)
  assert.deepEqual([at('scheduled', 11, null), at('scheduled', 10, null), at('scheduled', 5, 10)], [undefined, 'active', 'expired'])
  assert.deepEqual(
    [at('paused', 5, 10), at('active', 5, 11), at('draft', 5, 6), at('completed', 5, 6)],
    ['expired', undefined, undefined, undefined],
  )
  assert.deepEqual(
    CAMPAIGN_STATUSES.map((status) => nextMoment({ status, startsAt: 1, endsAt: 2 })),
    [null, null, 2, 1, 2, 2, 2, null, null, null],
  )
  assert.equal(nextMoment({ status: 'active', startsAt: 1, endsAt: null }), null)
})
