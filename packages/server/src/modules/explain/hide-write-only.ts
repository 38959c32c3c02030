import type { RuleTrace, SegmentTrace } from '@contentflow/core/targeting/evaluate.ts'
import { isIndustryCategory, parseField } from '@contentflow/core/targeting/fields.ts'

/** C-PROF-08, G-72: enrichment and industry data are never given back; whether the row held is. */
export function hideWriteOnly(trace: SegmentTrace): SegmentTrace {
  return { ...trace, rules: trace.rules.map(hideInRule) }
}

function hideInRule(rule: RuleTrace): RuleTrace {
  if ('conditions' in rule) return { ...rule, conditions: rule.conditions.map(hideInRule) }
  if (!isWriteOnly(rule.field)) return rule
  const { found: _, ...shown } = rule
  return shown
}

function isWriteOnly(field: string): boolean {
  const target = parseField(field)
  if (!target.ok) return false
  const { prefix, path } = target.value
  // a trait of an industry's name may be that industry's data.
  return prefix === 'enrichment' || prefix === 'industryProfile' || (prefix === 'customAttributes' && isIndustryCategory(path[0] ?? ''))
}
