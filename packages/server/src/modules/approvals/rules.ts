/** Who may submit, approve, and let things reach live apps by ways on which nothing can be asked for. */
import { faultOfApproving, faultOfSubmitting } from '@contentflow/core/approvals.ts'
import { fail } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { findRules, listParties } from './queries-rules.ts'

type By = Pick<Change, 'tx' | 'workspaceId' | 'actor'>

/** Refuses whoever asks for an approval and may not, under strict approvals. */
export async function refuseSubmitter({ tx, workspaceId, submitter }: Pick<Change, 'tx' | 'workspaceId' | 'submitter'>): Promise<void> {
  const rules = await findRules(tx, workspaceId)
  if (!rules.strict) return
  const fault = faultOfSubmitting((await listParties(tx, workspaceId, [submitter])).get(submitter), rules)
  if (fault) fail(fault)
}

/** Refuses whoever approves what they may not: their own always, others' under strict approvals. */
export async function refuseApprover({ tx, workspaceId, actor }: By, submission: { by: string; at: Date }): Promise<void> {
  const rules = await findRules(tx, workspaceId)
  const parties = rules.strict ? await listParties(tx, workspaceId, [actor, submission.by]) : new Map()
  const fault = faultOfApproving(parties.get(actor), actor, { ...submission, party: parties.get(submission.by) }, rules)
  if (fault) fail(fault)
}

/**
 * What live apps get changes here by a way on which nothing is asked for: while publishing takes a second person, it takes
 * somebody with approval rights, or a write key that such a person made (G-92).
 */
export async function requirePublisher({ tx, workspaceId, mayPublish }: Pick<Change, 'tx' | 'workspaceId' | 'mayPublish'>): Promise<void> {
  if (mayPublish) return
  if ((await findRules(tx, workspaceId)).publishing) fail('APPROVAL_NEEDED')
}

/** The same for texts, audiences and places, of which the documents ask for no approval: only under strict approvals. */
export async function requireStrictPublisher({
  tx,
  workspaceId,
  mayPublish,
}: Pick<Change, 'tx' | 'workspaceId' | 'mayPublish'>): Promise<void> {
  if (mayPublish) return
  const { publishing, strict } = await findRules(tx, workspaceId)
  if (publishing && strict) fail('APPROVAL_NEEDED')
}
