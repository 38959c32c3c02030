/** What people chose of experiments, as a part of the workspace as one document. */
import { isChosen, type ExperimentCode } from '@contentflow/core/as-code/experiment-code.ts'
import { lockCounting } from '../../db/locks.ts'
import type { Db } from '../../db/open.ts'
import type { Change } from '../../infra/change.ts'
import { syncTrackers } from '../behaviour/index.ts'
import { saveChoice } from './change-experiment.ts'
import { deletePlanned, listExperiments } from './queries.ts'

/** Leaves out experiments whose item or campaign has no variants any more. `begun`: those with counts, whose goal cannot change. */
export async function listExperimentCode(
  db: Db,
  workspaceId: string,
  compared: ReadonlySet<string>,
): Promise<{ code: ExperimentCode[]; begun: Set<string> }> {
  const experiments = (await listExperiments(db, workspaceId, null)).filter(({ id }) => compared.has(id))
  const code = experiments.map(({ id, hypothesis, metric, guardrails, plan, cuped }): ExperimentCode => {
    return { id, hypothesis, metric, guardrails, plan: plan && { baseline: plan.baseline, relativeEffect: plan.relativeEffect }, cuped }
  })
  return { code: code.filter(isChosen), begun: new Set(experiments.filter(({ arms }) => arms !== null).map(({ id }) => id)) }
}

/** Made and changed as by hand; what was counted already keeps its goal (409). One that was only planned may go. */
export async function applyExperiments(
  change: Change,
  { written, deleted }: { written: readonly ExperimentCode[]; deleted: readonly string[] },
): Promise<void> {
  const { tx, workspaceId } = change
  if (deleted.length > 0) await lockCounting(tx, workspaceId)
  await deletePlanned(tx, workspaceId, deleted)
  for (const id of deleted) await syncTrackers(change, { kind: 'experiment', id }, [])
  for (const { id, ...choice } of written) await saveChoice(change, id, choice, { isRestart: false })
}
