/** Which devices were exposed to which variant, and what they did since, counted with the events that say so. */
import { DEFAULT_METRIC, typesOf, type Metric } from '@contentflow/core/experiments/metric.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import type { TextPick, TouchedCampaign } from '../queries-campaigns.ts'
import type { EventBatch } from '../queries-counts.ts'
import { addNarrowed } from './add-narrowed.ts'
import * as queries from './queries-units.ts'
import type { Arm, StoredExperiment, Subject } from './queries-units.ts'

/** What campaigns of these events show to whom. */
type Campaigns = { campaigns: readonly TouchedCampaign[]; picks: readonly TextPick[] }

/** In the transaction that counts the batches, alone with its workspace. */
export async function countExperiments(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
  { campaigns, picks }: Campaigns,
): Promise<void> {
  const subjects = [
    ...(await queries.listTouchedInstances(tx, workspaceId, batches)),
    ...campaigns.filter(({ isLive }) => isLive).flatMap(subjectOf),
  ]
  const stored = await queries.listExperiments(
    tx,
    workspaceId,
    subjects.map(({ id }) => id),
  )
  const running: StoredExperiment[] = stored.filter(({ id, state }) => state === 'running' && !subjects.some((one) => one.id === id))
  for (const subject of subjects) {
    const experiment = await openRun(
      tx,
      workspaceId,
      batches,
      subject,
      stored.find(({ id }) => id === subject.id),
    )
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
  if (shown.length > 0) await queries.addUnits(tx, workspaceId, batches, { experiments: shown, picks })
  const most = Math.max(0, ...exposed.map(({ guardrails }) => guardrails.length + 1))
  for (let place = 1; place <= most; place++) {
    const asked = exposed.flatMap((experiment) => outcomesOf(experiment, place))
    const [narrowed, plain] = [asked.filter(({ where }) => where), asked.filter(({ where }) => !where)]
    if (plain.length > 0) await queries.addOutcomes(tx, workspaceId, batches, { place, asked: plain })
    if (narrowed.length > 0) await addNarrowed(ctx, tx, workspaceId, batches, { place, asked: narrowed })
  }
}

function subjectOf({ id, name, content }: TouchedCampaign): Subject[] {
  const arms = Object.entries(content).map(([locale, { variants = [] }]) => ({
    locale,
    variants: variants.map(({ id: variant, weight }) => ({ id: variant, weight })),
  }))
  const compared = arms.filter(({ variants }) => isCompared(variants)).toSorted((a, b) => (a.locale < b.locale ? -1 : 1))
  return compared.length === 0 ? [] : [{ id: `campaign:${id}`, subject: 'campaign', subjectId: id, name, arms: compared }]
}

const isCompared = (variants: Arm['variants']) => variants.filter(({ weight }) => weight > 0).length > 1

/**
 * The experiment as it goes on. Other variants or weights begin a new run, also of one that was decided: what was counted
 * says nothing of them.
 */
async function openRun(
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
  subject: Subject,
  stored: StoredExperiment | undefined,
): Promise<StoredExperiment | undefined> {
  if (!subject.arms.some(({ variants }) => isCompared(variants))) return undefined
  if (stored?.arms && JSON.stringify(stored.arms) === JSON.stringify(subject.arms)) return stored
  const at = new Date(Math.min(...batches.map(({ received_at }) => received_at.getTime())))
  // What somebody planned beforehand has no run yet.
  const run = stored ? stored.run + (stored.arms ? 1 : 0) : 1
  await queries.saveRun(tx, workspaceId, { ...subject, run, at, metric: DEFAULT_METRIC })
  const { metric = DEFAULT_METRIC, guardrails = [], cuped = false } = stored ?? {}
  return {
    id: subject.id,
    subject: subject.subject,
    subjectId: subject.subjectId,
    state: 'running',
    run,
    arms: subject.arms,
    metric,
    guardrails,
    cuped,
  }
}

function outcomesOf({ id, run, subject, subjectId, metric, guardrails }: StoredExperiment, place: number): queries.Outcome[] {
  const asked: Metric | undefined = place === 1 ? metric : guardrails[place - 2]?.metric
  if (!asked) return []
  return typesOf(asked).map((type) => ({
    experiment_id: id,
    run,
    type,
    subject: asked.namesIt ? subject : '',
    subject_id: subjectId,
    kind: asked.of,
    seconds: asked.days * 86_400,
    where: asked.where,
  }))
}
