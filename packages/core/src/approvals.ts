/** Who may submit and who may approve where a second person is asked for (docs/decisions/0035-a-second-person.md). */
import { DAY_MS } from './units.ts'

/** Two accounts one of which invited the other less than this ago are not yet taken for two people; milliseconds. */
export const INVITER_MS = DAY_MS

/** A member, as far as it matters for approvals. `provedAt`: when they showed that their address is theirs; null: never. */
export type ReviewParty = { id: string; provedAt: Date | null; invitedBy: string | null; invitedAt: Date | null }

/** What the workspace asks for. */
export type ApprovalRules = {
  /** Publishing to live takes a second person. */
  publishing: boolean
  /** Messages to segments and activating journeys take one. */
  messages: boolean
  /** Who submits and who approves are two proven people, and what reaches live apps by other ways takes an approver too. */
  strict: boolean
}

export type ReviewDecision = 'approve' | 'reject'
/** A sensor that somebody asked for, and what was said to it. */
export type DecidedSensor = {
  request: { id: string; key: string; requestedBy: string; createdAt: Date }
  status: 'approved' | 'rejected' | 'withdrawn'
  decidedAt: Date
}

export type ApprovalFault = 'SELF_APPROVAL_NOT_ALLOWED' | 'ADDRESS_NOT_PROVED' | 'INVITER_APPROVAL_NOT_ALLOWED'

/** Why somebody may not ask for an approval; `undefined`: they may. */
export function faultOfSubmitting(by: ReviewParty | undefined, { strict }: Pick<ApprovalRules, 'strict'>): ApprovalFault | undefined {
  return strict && !by?.provedAt ? 'ADDRESS_NOT_PROVED' : undefined
}

/** What was submitted, by whom and when. `party`: undefined when they are no member any more. */
export type Submission = { by: string; at: Date; party: ReviewParty | undefined }

/** Why somebody may not approve it; `undefined`: they may. */
export function faultOfApproving(
  approver: ReviewParty | undefined,
  approverId: string,
  submission: Submission,
  { strict }: Pick<ApprovalRules, 'strict'>,
): ApprovalFault | undefined {
  if (submission.by === approverId) return 'SELF_APPROVAL_NOT_ALLOWED'
  if (!strict) return undefined
  if (!approver?.provedAt) return 'ADDRESS_NOT_PROVED'
  const { party, by, at } = submission
  const isClose = isInvitedBy(party, approverId, at) || isInvitedBy(approver, by, at)
  return isClose ? 'INVITER_APPROVAL_NOT_ALLOWED' : undefined
}

/** Whether `inviter` invited them less than a day before `at`, or since. */
function isInvitedBy(party: ReviewParty | undefined, inviter: string, at: Date): boolean {
  if (party?.invitedBy !== inviter || party.invitedAt === null) return false
  return at.getTime() - party.invitedAt.getTime() < INVITER_MS
}
