/** An entry of the kind `experiments`: the goal, guardrails and plan that members chose for an item, a campaign or a control group. Counts are not part of it. */
import { cutText } from '../cut-text.ts'
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import {
  defaultMetricOf,
  faultOfSubject,
  METRIC_KINDS,
  MOST_GUARDRAILS,
  readMetric,
  SUBJECTS,
  type ExperimentSubject,
  type Guardrail,
  type Metric,
} from '../experiments/metric.ts'
import { planOf } from '../experiments/plan.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { LIMITS } from '../limits.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'
import type { InstanceCode } from './instance-code.ts'
import type { CampaignCode } from './message-code.ts'

export type ExperimentChoice = {
  hypothesis: string
  metric: Metric
  guardrails: Guardrail[]
  plan: { baseline: number; relativeEffect: number } | null
  cuped: boolean
}
/** Named by what it is about: `instance:<id>`, `campaign:<id>` or `control:<id of the campaign>`. */
export type ExperimentCode = { id: string } & ExperimentChoice

/** What stands where nobody chose anything. */
const DEFAULT: Omit<ExperimentChoice, 'metric'> = { hypothesis: '', guardrails: [], plan: null, cuped: false }
const MEMBERS = 'id, hypothesis, metric, guardrails, plan, cuped'
const MOST_HYPOTHESIS = 2_000
const MOST_MARGIN = 1_000_000_000

export function isChosen({ id, hypothesis, metric, guardrails, plan, cuped }: ExperimentCode): boolean {
  const without = { ...DEFAULT, metric: defaultMetricOf(subjectOf(id) ?? 'instance') }
  return canonicalJson({ hypothesis, metric, guardrails, plan, cuped }) !== canonicalJson(without)
}

function subjectOf(id: string): ExperimentSubject | undefined {
  return /^[a-z]+:[\w-]{1,40}$/.test(id) ? SUBJECTS.find((subject) => id.startsWith(`${subject}:`)) : undefined
}

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

export function readExperimentCode(entry: JsonObject, isRegexValid: RegexCheck): Parsed<ExperimentCode> {
  const { id, hypothesis = '', metric: sentMetric, guardrails = [], plan = null, cuped = false, ...others } = entry
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return no(`${cutText(unknown, 100)} is not a member of an experiment; it takes ${MEMBERS}`)
  const subject = typeof id === 'string' ? subjectOf(id) : undefined
  if (typeof id !== 'string' || !subject) return no('id must be instance:<id>, campaign:<id> or control:<id of the campaign>')
  if (typeof hypothesis !== 'string' || hypothesis.length > MOST_HYPOTHESIS)
    return no(`hypothesis must be a string of at most ${MOST_HYPOTHESIS} characters`)
  const goal =
    sentMetric === undefined ? { ok: true as const, value: defaultMetricOf(subject) } : readSentMetric(sentMetric, 'metric', isRegexValid)
  if (!goal.ok) return goal
  const guarded = readGuardrails(guardrails, isRegexValid)
  if (!guarded.ok) return guarded
  const fault = faultOfSubject(subject, [goal.value, ...guarded.value.map(({ metric }) => metric)])
  if (fault !== undefined) return no(fault)
  const size = readPlan(plan)
  if (!size.ok) return size
  if (typeof cuped !== 'boolean') return no('cuped must be a boolean')
  const code = { id, hypothesis, metric: goal.value, guardrails: guarded.value, plan: size.value, cuped }
  return isChosen(code) ? { ok: true, value: code } : no('this is what stands without it; leave it out')
}

function readSentMetric(sent: Json, at: string, isRegexValid: RegexCheck): Parsed<Metric> {
  const { event, where, of, days, namesIt, ...others } = isPlainObject(sent) ? sent : {}
  const kind = METRIC_KINDS.find((each) => each === of)
  const isName = typeof event === 'string' && event !== '' && event.length <= LIMITS.eventNameLength
  const isTime = typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= 30
  if (!isName || !kind || !isTime || typeof namesIt !== 'boolean' || Object.keys(others).length > 0)
    return no(`${at} must be {event, where?, of, days, namesIt}, with one of ${METRIC_KINDS.join(', ')} and 1 to 30 days`)
  return readMetric({ event, of: kind, days, namesIt, ...(where !== undefined && { where }) }, at, isRegexValid)
}

function readGuardrails(sent: Json, isRegexValid: RegexCheck): Parsed<Guardrail[]> {
  if (!Array.isArray(sent) || sent.length > MOST_GUARDRAILS) return no(`guardrails must be an array of at most ${MOST_GUARDRAILS}`)
  const guardrails: Guardrail[] = []
  for (const [index, entry] of sent.entries()) {
    const at = `guardrails[${index}]`
    const { metric = null, mustNot, margin, ...others } = isPlainObject(entry) ? entry : {}
    const isMargin = typeof margin === 'number' && margin >= 0 && margin <= MOST_MARGIN
    if ((mustNot !== 'fall' && mustNot !== 'rise') || !isMargin || Object.keys(others).length > 0)
      return no(`${at} must be {metric, mustNot, margin}, with fall or rise and a number from 0`)
    const read = readSentMetric(metric, `${at}.metric`, isRegexValid)
    if (!read.ok) return read
    guardrails.push({ metric: read.value, mustNot, margin })
  }
  return { ok: true, value: guardrails }
}

function readPlan(sent: Json): Parsed<ExperimentChoice['plan']> {
  if (sent === null) return { ok: true, value: null }
  const { baseline, relativeEffect, ...others } = isPlainObject(sent) ? sent : {}
  const isRight =
    typeof baseline === 'number' && baseline > 0 && typeof relativeEffect === 'number' && relativeEffect >= 0.001 && relativeEffect <= 10
  if (!isRight || Object.keys(others).length > 0 || !planOf({ baseline, relativeEffect, variants: 2 }))
    return no('plan must be null or {baseline, relativeEffect}, of a share that stays below 1')
  return { ok: true, value: { baseline, relativeEffect } }
}

/** What it is about has to be there, with two variants or a control group. */
export function subjectFault(
  instances: readonly InstanceCode[],
  campaigns: readonly CampaignCode[],
): (experiment: ExperimentCode) => string | undefined {
  const compared = new Set([
    ...instances.filter(({ variants }) => variants.length > 1).map(({ id }) => `instance:${id}`),
    ...campaigns
      .filter(({ content }) => new Set(Object.values(content).flatMap(({ variants = [] }) => variants.map(({ id }) => id))).size > 1)
      .map(({ id }) => `campaign:${id}`),
    ...campaigns.filter(({ controlPercent = 0 }) => controlPercent > 0).map(({ id }) => `control:${id}`),
  ])
  return ({ id }) =>
    compared.has(id)
      ? undefined
      : `experiment ${JSON.stringify(id)}: there is nothing with this id that has two variants, or a control group`
}
