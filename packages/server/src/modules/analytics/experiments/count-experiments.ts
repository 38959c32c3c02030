/** Which devices were exposed to which variant, and what they did since, counted with the events that say so. */
import { armsOf } from '@contentflow/core/experiments/arms.ts'
import { typesOf, type Metric } from '@contentflow/core/experiments/metric.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import type { TextPick, TouchedCampaign } from '../queries-campaigns.ts'
import type { EventBatch } from '../queries-counts.ts'
import { addHistories } from './add-histories.ts'
import { addNarrowed } from './add-narrowed.ts'
import { countControlGroups } from './count-control.ts'
import { openRun } from './open-run.ts'
import * as queries from './queries-units.ts'
import type { StoredExperiment, Subject } from './queries-units.ts'

/** What campaigns of these events show to whom, and whether any campaign leaves people out. */
type Campaigns = { campaigns: readonly TouchedCampaign[]; picks: readonly TextPick[]; hasControlGroups: boolean }

/** In the transaction that counts the batches, alone with its workspace. */
export async function countExperiments(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
  { campaigns, picks, hasControlGroups }: Campaigns,
): Promise<void> {
  const at = new Date(Math.min(...batches.map(({ received_at }) => received_at.getTime())))
  if (hasControlGroups) await countControlGroups(tx, workspaceId, batches, at)
  const subjects = [
    ...(await queries.listTouchedInstances(tx, workspaceId, batches)),
    ...campaigns.filter(({ isLive }) => isLive).flatMap(subjectOf),
  ]
  const named = subjects.map(({ id }) => id)
  const stored = await queries.listExperiments(tx, workspaceId, named, at)
  const running: StoredExperiment[] = stored.filter(({ id, state }) => state === 'running' && !subjects.some((one) => one.id === id))
  for (const subject of subjects) {
    const experiment = await openRun(tx, workspaceId, { subject, stored: stored.find(({ id }) => id === subject.id), at })
    if (experiment?.state === 'running') running.push(experiment)
  }
  const exposed = running.filter(({ arms }) => arms !== null)
  const dueAt = new Date(Math.max(...batches.map(({ received_at }) => received_at.getTime())) + HOUR_MS)
  if (exposed.length > 0)
    await queries.lookSoon(
      tx,
      workspaceId,
      exposed.map(({ id }) => id),
      dueAt,
    )
  const shown = exposed.filter(({ id }) => subjects.some((subject) => subject.id === id))
  if (shown.length > 0) {
    const fresh = await queries.addUnits(tx, workspaceId, batches, { experiments: shown, picks })
    await addHistories(tx, workspaceId, shown, { units: 'devices', fresh })
  }
  const most = Math.max(0, ...exposed.map(({ guardrails }) => guardrails.length + 1))
  for (let place = 1; place <= most; place++) {
    const asked = exposed.flatMap((experiment) => outcomesOf(experiment, place))
    for (const alike of [asked.filter(({ units }) => units === 'devices'), asked.filter(({ units }) => units === 'people')]) {
      const [narrowed, plain] = [alike.filter(({ where }) => where), alike.filter(({ where }) => !where)]
      if (plain.length > 0) await queries.addOutcomes(tx, workspaceId, batches, { place, asked: plain })
      if (narrowed.length > 0) await addNarrowed(ctx, tx, workspaceId, batches, { place, asked: narrowed })
    }
  }
}

function subjectOf({ id, name, content }: TouchedCampaign): Subject[] {
  const arms = armsOf(content)
  return arms.length === 0 ? [] : [{ id: `campaign:${id}`, subject: 'campaign', subjectId: id, name, arms }]
}

function outcomesOf({ id, run, subject, subjectId, metric, guardrails }: StoredExperiment, place: number): queries.Outcome[] {
  const asked: Metric | undefined = place === 1 ? metric : guardrails[place - 2]?.metric
  if (!asked) return []
  return typesOf(asked, subject).map((type) => ({
    experiment_id: id,
    run,
    type,
    units: subject === 'control' ? 'people' : 'devices',
    subject: asked.namesIt && subject !== 'control' ? subject : '',
    subject_id: subjectId,
    kind: asked.of,
    seconds: asked.days * 86_400,
    where: asked.where,
  }))
}
