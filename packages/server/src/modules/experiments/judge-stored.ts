/** What a stored experiment says, from the sums of its run. */
import { becauseOf } from '@contentflow/core/experiments/because.ts'
import { adjustedMeans, narrowedBy } from '@contentflow/core/experiments/cuped.ts'
import { judgeGuardrail, NOTHING_LEADS, type GuardrailVerdict } from '@contentflow/core/experiments/guardrail.ts'
import {
  differenceSoFar,
  intervalOf,
  judgeExperiment,
  meanOf,
  type ExperimentVerdict,
  type Group,
} from '@contentflow/core/experiments/judge.ts'
import { sampleRatioOf } from '@contentflow/core/experiments/sample-ratio.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { DaySums, Experiment, Sums } from './queries.ts'

type Counted = Omit<Sums, 'id' | 'locale'>

/** The groups of one metric (from 1), in the order of the variants; whoever was exposed counts, whatever they did. */
export function groupsOf(experiment: Pick<Experiment, 'arms' | 'cuped'>, rows: readonly Counted[], metric: number): Group[] {
  const groups = plainGroupsOf(experiment, rows, metric)
  if (!experiment.cuped || metric !== 1 || groups.some(({ units }) => units < 2)) return groups
  const paired = groups.map(({ id, units, sum, squares }) => {
    const past = (place: number, name: 'before' | 'beforeSquares' | 'products') =>
      rows.reduce((all, row) => all + (row.metric === place && row.variantId === id ? row[name] : 0), 0)
    return { units, y: sum, yy: squares, x: past(0, 'before'), xx: past(0, 'beforeSquares'), xy: past(1, 'products') }
  })
  const adjusted = adjustedMeans(paired)
  return groups.map((group, index) => ({ ...group, ...(adjusted[index] && { adjusted: adjusted[index] }) }))
}

function plainGroupsOf({ arms }: Pick<Experiment, 'arms'>, rows: readonly Counted[], metric: number): Group[] {
  const ids = [...new Set((arms ?? []).flatMap(({ variants }) => variants.filter(({ weight }) => weight > 0).map(({ id }) => id)))]
  return ids.map((id) => {
    const ofVariant = rows.filter((row) => row.variantId === id)
    const sumOf = (place: number, name: 'units' | 'did' | 'sum' | 'squares') =>
      ofVariant.reduce((all, row) => all + (row.metric === place ? row[name] : 0), 0)
    return { id, units: sumOf(0, 'units'), did: sumOf(metric, 'did'), sum: sumOf(metric, 'sum'), squares: sumOf(metric, 'squares') }
  })
}

/** `now`: milliseconds. */
export function judgeStored(experiment: Experiment, rows: readonly Sums[], now: number) {
  const { subject, metric, plan, reading, arms, startedAt } = experiment
  const groups = groupsOf(experiment, rows, 1)
  const units = groups.reduce((sum, group) => sum + group.units, 0)
  const verdict = judgeExperiment(groups, { of: metric.of, plannedUnits: plan?.total, reading: reading?.found ?? undefined })
  const sampleRatio = sampleRatioIn(arms, rows)
  const guardrails = guardrailsOf(experiment, rows, verdict)
  const missing = plan && Math.max(0, plan.total - units)
  const daily = startedAt && units > 0 ? units / Math.max(1, (now - startedAt.getTime()) / DAY_MS) : 0
  const days = missing && daily > 0 ? Math.ceil(missing / daily) : null
  const harmed = guardrails.flatMap(({ state, metric: { event } }) => (state === 'harmed' ? [event] : []))
  const isMismatch = sampleRatio?.isMismatch === true
  const narrower = (verdict.kind !== 'too_few' && narrowerOf(groups, verdict)) || null
  return {
    narrower,
    units,
    missing,
    days,
    verdict,
    sampleRatio,
    guardrails,
    groups: groups.map((group) => ({ variantId: group.id, units: group.units, did: group.did, ...(intervalOf(group) ?? NOTHING) })),
    because: becauseOf({ subject, verdict, isMismatch, harmed, missing, days }),
  }
}

/** Of the two that are compared, against the same without their past. */
function narrowerOf(groups: readonly Group[], { best, than }: { best: string; than: string }): number | undefined {
  const [a, b] = [best, than].map((name) => groups.find(({ id }) => id === name))
  if (!a?.adjusted || !b?.adjusted) return undefined
  const plain = ({ units, sum, squares }: Group) => meanOf({ units, sum, squares, did: 0 })
  return narrowedBy([plain(a), plain(b)], [a.adjusted, b.adjusted])
}

const NOTHING = { mean: null, low: null, high: null }

/** Each language may have weights of its own, so what is expected of a variant is the sum over them. */
function sampleRatioIn(arms: Experiment['arms'], rows: readonly Sums[]) {
  const exposed = rows.filter(({ metric }) => metric === 0)
  const expected = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const { locale, variants } of arms ?? []) {
    const ofArm = exposed.filter((row) => locale === null || row.locale === locale)
    const units = ofArm.reduce((sum, row) => sum + row.units, 0)
    const weights = variants.reduce((sum, { weight }) => sum + weight, 0)
    for (const { id, weight } of variants) expected.set(id, (expected.get(id) ?? 0) + (units * weight) / weights)
    for (const row of ofArm) seen.set(row.variantId, (seen.get(row.variantId) ?? 0) + row.units)
  }
  const groups = [...expected].map(([variantId, wanted]) => ({ variantId, seen: seen.get(variantId) ?? 0, expected: wanted }))
  const found = sampleRatioOf(groups)
  return found && { ...found, groups }
}

/** What is better, or leads so far, against each of the others. */
function guardrailsOf(experiment: Experiment, rows: readonly Sums[], verdict: ExperimentVerdict) {
  return experiment.guardrails.map((guardrail, index): Experiment['guardrails'][number] & GuardrailVerdict => {
    const same = groupsOf(experiment, rows, index + 2)
    const lead = verdict.kind === 'too_few' ? undefined : same.find(({ id }) => id === verdict.best)
    if (!lead) return { ...guardrail, ...NOTHING_LEADS }
    const others = same.filter(({ id }) => id !== lead.id)
    return { ...guardrail, ...judgeGuardrail(lead, others, guardrail, same.length) }
  })
}

export type DayInterval = { day: string; units: number; difference: number | null; low: number | null; high: number | null }

/** How the difference of the two that are compared today stood at the end of each day. */
export function seriesOf(
  experiment: Experiment,
  days: readonly DaySums[],
  compared: { best: string; than: string } | undefined,
): DayInterval[] {
  const names = [...new Set(days.map(({ day }) => day))]
  const soFar: DaySums[] = []
  return names.map((day) => {
    soFar.push(...days.filter((row) => row.day === day))
    const groups = groupsOf(experiment, soFar, 1)
    const units = groups.reduce((sum, group) => sum + group.units, 0)
    const [a, b] = [compared?.best, compared?.than].map((id) => groups.find((group) => group.id === id))
    const judging = { of: experiment.metric.of, plannedUnits: experiment.plan?.total }
    const found = a && b && differenceSoFar(a, b, judging, groups.length)
    return { day, units, difference: found?.difference ?? null, low: found?.low ?? null, high: found?.high ?? null }
  })
}
