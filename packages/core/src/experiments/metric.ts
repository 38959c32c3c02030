/** What an experiment looks at: what each unit did after it was exposed. A unit is a device; of a control group a person. */
import { readWhere, type Where } from '../behaviour/where.ts'
import type { Json } from '../blocks/field.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'
import { COUNTED_TYPES, COUNTS, type Count } from '../events/counted-as.ts'

/** `people`: whether it did at all; `count`: how often; `value`: the sum of the values of the events. */
export const METRIC_KINDS = ['people', 'count', 'value'] as const
export type MetricKind = (typeof METRIC_KINDS)[number]

/**
 * Events of this type that come within `days` after the exposure. `namesIt`: only those that name what is compared. `where`:
 * only those of which the conditions hold.
 */
export type Metric = { event: string; where?: Where; of: MetricKind; days: number; namesIt: boolean }
/** A second metric that a better first one must not be paid with. `margin`: in the unit of the metric, at least 0: so much may be lost. */
export type Guardrail = { metric: Metric; mustNot: 'fall' | 'rise'; margin: number }
/** The size that was planned, of all variants together, and what for. */
export type StoredPlan = { baseline: number; relativeEffect: number; perVariant: number; total: number }

/** What experiments are about: an item or a campaign with variants, or whom a campaign leaves out. */
export const SUBJECTS = ['instance', 'campaign', 'control'] as const
export type ExperimentSubject = (typeof SUBJECTS)[number]
/** The two groups of a control group, as variants. */
export const REACHED = 'reached'
export const LEFT_OUT = 'control'

/** Clicks on what is compared, as reports show them. */
export const DEFAULT_METRIC: Metric = { event: 'click', of: 'people', days: 7, namesIt: true }
/** Any conversion: whoever is left out of a campaign names none. */
const CONTROL_METRIC: Metric = { event: 'conversion', of: 'people', days: 7, namesIt: false }

export const defaultMetricOf = (subject: ExperimentSubject): Metric => (subject === 'control' ? CONTROL_METRIC : DEFAULT_METRIC)

/** Nobody who is left out names the campaign, so such a metric would always be won by the others. */
export function faultOfSubject(subject: ExperimentSubject, metrics: readonly Pick<Metric, 'namesIt'>[]): string | undefined {
  if (subject !== 'control' || metrics.every(({ namesIt }) => !namesIt)) return undefined
  return 'namesIt must be false: whoever is in a control group names no campaign'
}
/** At most so many guardrails. */
export const MOST_GUARDRAILS = 5

/** What days of people say of the past of a metric; undefined: they do not count such events one by one, or not with these conditions. */
export function pastOf(metric: Metric): Count | 'value' | undefined {
  if (metric.where) return undefined
  const count = COUNTS.find((each) => COUNTED_TYPES[each].includes(metric.event))
  if (metric.of !== 'value') return count
  return count === 'conversions' ? 'value' : undefined
}

/**
 * The types of events that count. Of what names the subject, and of people of a control group, everything counts that reports
 * call a click or a conversion.
 */
export function typesOf({ event, namesIt }: Metric, subject: ExperimentSubject): readonly string[] {
  if (!namesIt && subject !== 'control') return [event]
  if (event === 'click') return COUNTED_TYPES.clicks
  if (event === 'conversion') return COUNTED_TYPES.conversions
  return [event]
}

/** A metric as it was sent: its conditions are read here, everything else by the schema of the route. */
export type SentMetric = Omit<Metric, 'where'> & { where?: Json }

/** `at`: where it stands, such as `metric`; the error says where in its conditions a fault is. */
export function readMetric(
  { where: sent, ...metric }: SentMetric,
  at: string,
  isRegexValid: RegexCheck,
): { ok: true; value: Metric } | { ok: false; error: string } {
  if (sent === undefined) return { ok: true, value: metric }
  const where = readWhere(sent, `${at}.where`, isRegexValid)
  return where.ok ? { ok: true, value: { ...metric, where: where.value } } : where
}
