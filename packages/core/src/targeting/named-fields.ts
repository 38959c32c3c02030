import type { Rule } from './rule.ts'

/** The fields that rules look at, at any depth. */
export function namedFields(rules: readonly Rule[]): Set<string> {
  return new Set(rules.flatMap((rule) => ('field' in rule ? [rule.field] : [...namedFields(rule.conditions)])))
}
