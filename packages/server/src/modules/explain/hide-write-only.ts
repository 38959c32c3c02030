import type { RuleTrace, SegmentTrace } from '@contentflow/core/targeting/evaluate.ts'
import { isWriteOnly } from '@contentflow/core/targeting/write-only.ts'

/** C-PROF-08, G-72: enrichment and industry data are never given back; whether the row held is, to those who may ask. */
export function hideWriteOnly(trace: SegmentTrace): SegmentTrace {
  return { ...trace, rules: trace.rules.map(hideInRule) }
}

function hideInRule(rule: RuleTrace): RuleTrace {
  if ('conditions' in rule) return { ...rule, conditions: rule.conditions.map(hideInRule) }
  if (!isWriteOnly(rule.field)) return rule
  const { found: _, ...shown } = rule
  return shown
}
