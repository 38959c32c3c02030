/** What people choose of an experiment, as they type it: shares in percent, and what is no number yet. */
import { readWhere, type Where } from '@contentflow/core/behaviour/where.ts'
import type { Experiment, Metric } from './api.ts'

export type TypedMetric = { event: string; where?: Where | undefined; of: Metric['of']; days: number | undefined; namesIt: boolean }
export type TypedGuardrail = { metric: TypedMetric; mustNot: 'fall' | 'rise'; margin: number | undefined }
export type Draft = {
  name: string
  hypothesis: string
  metric: TypedMetric
  guardrails: TypedGuardrail[]
  /** Percent. Undefined: nothing is planned. */
  plan: { baseline: number | undefined; effect: number | undefined } | undefined
  cuped: boolean
}

export const NEW_GUARDRAIL: TypedGuardrail = {
  metric: { event: 'purchase', of: 'people', days: 7, namesIt: false },
  mustNot: 'fall',
  margin: 1,
}

const round = (value: number) => Math.round(value * 1e6) / 1e6

export function draftOf({ name, hypothesis, metric, guardrails, plan, cuped }: Experiment): Draft {
  return {
    name,
    hypothesis,
    metric: typedOf(metric),
    guardrails: guardrails.map(({ metric: guarded, mustNot, margin }) => ({
      metric: typedOf(guarded),
      mustNot,
      margin: round(margin * scaleOf(guarded)),
    })),
    plan: plan ? { baseline: round(plan.baseline * 100), effect: round(plan.relativeEffect * 100) } : undefined,
    cuped,
  }
}

/** A margin of devices is typed in percent. */
const scaleOf = ({ of }: Pick<Metric, 'of'>) => (of === 'people' ? 100 : 1)

const isWithin = (value: number | undefined, min: number, max: number): value is number =>
  value !== undefined && value >= min && value <= max

function metricOf({ event, where, of, days, namesIt }: TypedMetric): (Omit<Metric, 'where'> & { where?: Where }) | undefined {
  const name = event.trim()
  if (name === '' || !isWithin(days, 1, 30) || !Number.isInteger(days)) return undefined
  // Patterns are compiled by the server, which says where one is wrong.
  if (where && !readWhere(where, '', () => undefined).ok) return undefined
  return { event: name, ...(where && { where }), of, days, namesIt }
}

/** A metric as the server says it, whose conditions were read when they were saved. */
const typedOf = ({ where, ...metric }: Metric): TypedMetric => ({ ...metric, where: where as Where | undefined })

/** The body that saves it; undefined while something is missing or no number. A plan is for a metric of devices. */
export function bodyOf({ name, hypothesis, metric, guardrails, plan, cuped }: Draft) {
  const goal = metricOf(metric)
  const guarded = guardrails.flatMap(({ metric: typed, mustNot, margin }) => {
    const found = metricOf(typed)
    return found && isWithin(margin, 0, 1e9) ? [{ metric: found, mustNot, margin: round(margin / scaleOf(found)) }] : []
  })
  if (name.trim() === '' || !goal || guarded.length < guardrails.length) return undefined
  const chosen = { name: name.trim(), hypothesis: hypothesis.trim(), metric: goal, guardrails: guarded, cuped }
  if (!plan || goal.of !== 'people') return { ...chosen, plan: null }
  const { baseline, effect } = plan
  if (!isWithin(baseline, 0.01, 99.99) || !isWithin(effect, 0.1, 1_000)) return undefined
  return { ...chosen, plan: { baseline: round(baseline / 100), relativeEffect: round(effect / 100) } }
}
