import { isCompared } from '@contentflow/core/experiments/arms.ts'
import { defaultMetricOf } from '@contentflow/core/experiments/metric.ts'
import type { Db } from '../../../db/open.ts'
import { saveRun, type StoredExperiment, type Subject } from './queries-units.ts'

/**
 * The experiment as it goes on. Other variants or weights begin a new run, also of one that was decided: what was counted
 * says nothing of them. `at`: when the new run begins.
 */
export async function openRun(
  tx: Db,
  workspaceId: string,
  { subject, stored, at }: { subject: Subject; stored: StoredExperiment | undefined; at: Date },
): Promise<StoredExperiment | undefined> {
  if (!subject.arms.some(({ variants }) => isCompared(variants))) return undefined
  if (stored?.arms && JSON.stringify(stored.arms) === JSON.stringify(subject.arms)) return stored
  // What somebody planned beforehand has no run yet.
  const run = stored ? stored.run + (stored.arms ? 1 : 0) : 1
  await saveRun(tx, workspaceId, { ...subject, run, at })
  const { metric = defaultMetricOf(subject.subject), guardrails = [], cuped = false } = stored ?? {}
  const { id, subjectId, arms } = subject
  return { id, subject: subject.subject, subjectId, state: 'running', run, arms, startedAt: at, metric, guardrails, cuped }
}
