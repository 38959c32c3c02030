/** The answer of `GET /explain/blocks/{key}`, and the one sentence that sums it up. */
import type { RuleTrace } from '@contentflow/core/targeting/evaluate.ts'
import type { BlockExplanation as Explanation } from '@contentflow/server/wire.ts'
import { useRead } from '../../../../data.ts'
import type { Environment } from '../api.ts'

export type { Explanation }
export type InstanceExplanation = Explanation['instances'][number]

export type ExplainQuery = { blockKey: string; environment: Environment; deviceId: string; locale: string | undefined }

/** Asks again while it is looked at, because a publish or an identify elsewhere changes it. */
export function useExplanation({ blockKey, environment, deviceId, locale }: ExplainQuery) {
  return useRead<Explanation>(`/explain/blocks/${encodeURIComponent(blockKey)}`, { environment, deviceId, locale }, { every: 15_000 })
}

/** Reasons the dashboard has words for; a newer server may have more. */
const REASONS = [
  'delivered',
  'feature_disabled',
  'not_published',
  'schedule_not_started',
  'schedule_ended',
  'not_in_segment',
  'no_device',
  'device_unknown',
  'device_of_other_environment',
  'record_lapsed',
  'consent_unknown',
  'consent_denied',
  'too_deep',
  'repeats_an_ancestor',
  'too_many_children',
] as const
export type Reason = (typeof REASONS)[number]

export function knownReason(reason: string): Reason | undefined {
  return REASONS.find((known) => known === reason)
}

/** Fields that count for segments but are not asked when content is delivered (C-SYNC-25 to C-SYNC-27). */
export function skippedFields(rules: readonly RuleTrace[]): string[] {
  return [...new Set(rules.flatMap((rule) => ('conditions' in rule ? skippedFields(rule.conditions) : rule.isSkipped ? [rule.field] : [])))]
}
