/** Experiments as the API answers them. */
import type { Context } from '../../context.ts'
import { judgeStored, seriesOf } from './judge-stored.ts'
import { findSubject, listDays, listSums, type Experiment } from './queries.ts'

export const stateOf = ({ arms, state }: Experiment) => (arms === null ? ('planned' as const) : state)

function listed(experiment: Experiment, judged: ReturnType<typeof judgeStored>) {
  const { id, subject, subjectId, name, run, startedAt } = experiment
  const { units, missing, days, verdict, sampleRatio, guardrails, because } = judged
  return {
    id,
    subject,
    subjectId,
    name,
    state: stateOf(experiment),
    run,
    startedAt,
    units,
    missing,
    days,
    verdict,
    because,
    isMismatch: sampleRatio?.isMismatch === true,
    harmed: guardrails.flatMap(({ state, metric }) => (state === 'harmed' ? [metric.event] : [])),
  }
}

/** Some experiments as the list shows them. */
export async function presentList({ db, clock }: Context, workspaceId: string, experiments: readonly Experiment[]) {
  const ids = experiments.map(({ id }) => id)
  const sums = Map.groupBy(await listSums(db, workspaceId, ids), ({ id }) => id)
  return experiments.map((experiment) => listed(experiment, judgeStored(experiment, sums.get(experiment.id) ?? [], clock.ms())))
}

/** One experiment with everything that is known of it. */
export async function presentExperiment({ db, clock }: Context, workspaceId: string, experiment: Experiment) {
  const sums = await listSums(db, workspaceId, [experiment.id])
  const judged = judgeStored(experiment, sums, clock.ms())
  const { verdict, groups, guardrails, sampleRatio = null, narrower } = judged
  const { hypothesis, metric, plan, cuped, fullAt, reading, decision } = experiment
  const subject = await findSubject(db, workspaceId, experiment)
  const days = await listDays(db, workspaceId, experiment)
  return {
    ...listed(experiment, judged),
    blockKey: subject?.blockKey ?? null,
    hypothesis,
    metric,
    plan,
    cuped,
    narrower,
    fullAt,
    decision,
    groups,
    guardrails,
    sampleRatio,
    reading: reading && { at: reading.at, isClear: reading.found?.isClear === true },
    languages: languagesOf(sums),
    series: seriesOf(experiment, days, verdict.kind === 'too_few' ? undefined : verdict),
  }
}

function languagesOf(sums: Awaited<ReturnType<typeof listSums>>) {
  const cells = [...Map.groupBy(sums, ({ variantId, locale }) => JSON.stringify([variantId, locale])).values()]
  return cells.flatMap((rows) => {
    const [first] = rows
    if (!first) return []
    const of = (place: number) => rows.find(({ metric }) => metric === place)
    const { variantId, locale } = first
    return [{ variantId, locale: locale || null, units: of(0)?.units ?? 0, did: of(1)?.did ?? 0, sum: of(1)?.sum ?? 0 }]
  })
}
