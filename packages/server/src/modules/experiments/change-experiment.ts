/** What people choose of an experiment: what it looks at, its plan, and what came of it. */
import { pastLeavesOf } from '@contentflow/core/experiments/past.ts'
import { planOf, type PlanQuestion } from '@contentflow/core/experiments/plan.ts'
import {
  defaultMetricOf,
  faultOfSubject,
  readMetric,
  SUBJECTS,
  type Guardrail,
  type Metric,
  type SentMetric,
} from '@contentflow/core/experiments/metric.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { Context } from '../../context.ts'
import { lockCounting } from '../../db/locks.ts'
import { fail, failWith } from '../../errors.ts'
import type { Actor, Change } from '../../infra/change.ts'
import { syncTrackers } from '../behaviour/index.ts'
import { chooseVariant } from '../campaigns/index.ts'
import { changeContent, draftVariant } from '../content/index.ts'
import { openRegexCheck } from '../../infra/regex.ts'
import * as queries from './queries.ts'
import type { Experiment } from './queries.ts'

export type ExperimentPatch = {
  name?: string
  hypothesis?: string
  metric?: SentMetric
  guardrails?: (Omit<Guardrail, 'metric'> & { metric: SentMetric })[]
  plan?: { baseline: number; relativeEffect: number } | null
  cuped?: boolean
}

/** `isRestart`: what is chosen once may be another in a new run, which begins with nothing counted. */
export async function changeExperiment(
  ctx: Context,
  by: Actor,
  id: string,
  patch: ExperimentPatch,
  { isRestart }: { isRestart: boolean },
): Promise<void> {
  const read = readPatch(patch)
  await ctx.change(by, async (change) => saveChoice(change, id, read, { isRestart }))
}

/** What was read of a patch, in the transaction of whoever changes it. */
export async function saveChoice(change: Change, id: string, patch: ReadPatch, { isRestart }: { isRestart: boolean }): Promise<void> {
  const { tx, workspaceId, now } = change
  // Before the experiment is held, as counting does it: what is chosen may ask for histories.
  await lockCounting(tx, workspaceId)
  const held = await holdOrAdd(tx, workspaceId, id, now)
  const fault = faultOfSubject(held.subject, [
    ...(patch.metric ? [patch.metric] : []),
    ...(patch.guardrails ?? []).map(({ metric }) => metric),
  ])
  if (fault !== undefined) failWith(400, fault)
  const { name, hypothesis, metric, guardrails, plan, cuped } = patch
  const next: Experiment = {
    ...held,
    ...(name !== undefined && { name }),
    ...(hypothesis !== undefined && { hypothesis }),
    ...(metric && { metric }),
    ...(guardrails && { guardrails }),
    ...(cuped !== undefined && { cuped }),
    ...(plan !== undefined && { plan: plan && sizeOf(plan, await compareOf(tx, workspaceId, held)) }),
  }
  if (held.arms && isOther(held, next) && !isRestart) fail('EXPERIMENT_STARTED')
  const restarted: Partial<Experiment> = {
    run: held.run + 1,
    startedAt: now,
    fullAt: null,
    reading: null,
    decision: null,
    told: [],
    state: 'running',
  }
  const saved = { ...next, ...(held.arms && isRestart && restarted) }
  await queries.saveExperiment(tx, workspaceId, saved, saved.plan && !saved.reading ? now : null)
  change.audited('experiment', id, held, saved)
  await syncTrackers(change, { kind: 'experiment', id }, saved.cuped ? pastLeavesOf(saved.metric, saved.subject) : [])
}

type ReadPatch = Omit<ExperimentPatch, 'metric' | 'guardrails'> & { metric?: Metric | undefined; guardrails?: Guardrail[] | undefined }

/** With the conditions of its metrics, which name the place of a fault. */
function readPatch({ metric: sent, guardrails, ...others }: ExperimentPatch): ReadPatch {
  const isRegexValid = openRegexCheck()
  const read = (metric: SentMetric, at: string) => {
    const found = readMetric(metric, at, isRegexValid)
    return found.ok ? found.value : failWith(400, found.error)
  }
  return {
    ...others,
    metric: sent && read(sent, 'metric'),
    guardrails: guardrails?.map(({ metric, ...guardrail }, index) => ({
      ...guardrail,
      metric: read(metric, `guardrails[${index}].metric`),
    })),
  }
}

/** 404 when it is neither stored nor could be planned. */
async function holdOrAdd(tx: Change['tx'], workspaceId: string, id: string, now: Date): Promise<Experiment> {
  const stored = await queries.holdExperiment(tx, workspaceId, id)
  if (stored) return stored
  const planned = (await plannedExperiment(tx, workspaceId, id, now)) ?? failWith(404, 'experiment not found')
  await queries.addPlanned(tx, workspaceId, planned)
  // By now it may be another's, who counted it first.
  return (await queries.holdExperiment(tx, workspaceId, id)) ?? failWith(404, 'experiment not found')
}

/** Size and metric are chosen before anything is seen, or the verdict would promise more than it holds. */
function isOther(before: Experiment, after: Experiment): boolean {
  const fixed = ({ metric, guardrails, plan, cuped }: Experiment) =>
    canonicalJson({ metric, guardrails, cuped, plan: plan && [plan.baseline, plan.relativeEffect] })
  return fixed(before) !== fixed(after)
}

function sizeOf({ baseline, relativeEffect }: { baseline: number; relativeEffect: number }, compared: Compared) {
  const { perVariant, total } =
    planOf({ baseline, relativeEffect, ...compared }) ??
    failWith(400, 'plan.relativeEffect: the share that is looked for would be 1 or more')
  return { baseline, relativeEffect, perVariant, total }
}

/** How many groups there are; of a control group the part of the people that it has. */
type Compared = Pick<PlanQuestion, 'variants' | 'smaller'>

async function compareOf(tx: Change['tx'], workspaceId: string, experiment: Experiment): Promise<Compared> {
  const found = await queries.findSubject(tx, workspaceId, experiment)
  if (experiment.subject === 'control') return { variants: 2, smaller: found?.percent === undefined ? 0.5 : found.percent / 100 }
  const compared = experiment.arms?.flatMap(({ variants }) => variants.filter(({ weight }) => weight > 0).map(({ id }) => id))
  return { variants: Math.max(2, new Set(compared ?? found?.variants ?? []).size) }
}

/** What an item or a campaign with variants, or a control group, will be, before anybody saw it; undefined: it has none, or is not there. */
export async function plannedExperiment(db: Change['tx'], workspaceId: string, id: string, now: Date): Promise<Experiment | undefined> {
  const [, named, subjectId = ''] = /^([a-z]+):(.+)$/s.exec(id) ?? []
  const subject = SUBJECTS.find((each) => each === named)
  if (!subject) return undefined
  const found = await queries.findSubject(db, workspaceId, { subject, subjectId })
  if (!found || found.variants.length < 2) return undefined
  return {
    id,
    subject,
    subjectId,
    name: found.name,
    hypothesis: '',
    metric: defaultMetricOf(subject),
    guardrails: [],
    plan: null,
    cuped: false,
    state: 'running',
    run: 1,
    arms: null,
    startedAt: null,
    fullAt: null,
    reading: null,
    decision: null,
    told: [],
    createdAt: now,
  }
}

type Decided = { variant: string | null; note: string; isApplied: boolean; expectedVersion: number | undefined; mayApprove: boolean }

/**
 * What came of it. It counts nobody new from now on; other variants or weights begin a new run. `isApplied`: in the same
 * transaction the item gets a draft with only this variant, which somebody has to publish, or the campaign is edited so.
 */
export async function decideExperiment(
  ctx: Context,
  by: Actor,
  id: string,
  { variant, note, isApplied, expectedVersion, mayApprove }: Decided,
): Promise<void> {
  await changeContent(ctx, by, async (change) => {
    const { tx, workspaceId, now, actor } = change
    const held = (await queries.holdExperiment(tx, workspaceId, id)) ?? failWith(404, 'experiment not found')
    const compared = held.arms ?? failWith(409, 'Nothing can be decided before anybody saw it')
    const ids = new Set((held.arms ?? []).flatMap(({ variants }) => variants.map((each) => each.id)))
    if (variant !== null && !ids.has(variant)) failWith(400, 'variant: this experiment has no such variant')
    const apply = async () => {
      const [arm] = compared
      if (held.subject === 'control') return failWith(400, 'apply: edit whom the campaign leaves out; a control group shows nothing')
      if (held.subject === 'campaign') return chooseVariant(change, held.subjectId, { variant, compared, expectedVersion, mayApprove })
      return draftVariant(change, held.subjectId, { variant, compared: arm?.variants ?? [], expectedVersion })
    }
    const editRequestId = (isApplied && (await apply())) || undefined
    const decision = { variant, note, at: now.toISOString(), by: actor, ...(editRequestId !== undefined && { editRequestId }) }
    await queries.saveExperiment(tx, workspaceId, { ...held, state: 'decided', decision }, null)
  })
}
