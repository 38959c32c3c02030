/**
 * Data that apps and servers write and nobody reads back (C-PROF-08): industry data and what was imported of people.
 * Whoever may ask rules of them reads them by asking, so who may ask, and what is told, is decided here.
 */
import { orderByExclusion, type Excluding } from './exclusions.ts'
import { isIndustryCategory, parseField } from './fields.ts'
import { namedFields } from './named-fields.ts'
import type { Rule } from './rule.ts'

/** Of fewer people than this an answer only says that they are fewer. */
export const FEWEST_TOLD = 5

export function isWriteOnly(field: string): boolean {
  const target = parseField(field)
  if (!target.ok) return false
  const { prefix, path } = target.value
  // a trait of an industry's name may be that industry's data.
  return prefix === 'enrichment' || prefix === 'industryProfile' || (prefix === 'customAttributes' && isIndustryCategory(path[0] ?? ''))
}

export function readsWriteOnly(rules: readonly Rule[]): boolean {
  return [...namedFields(rules)].some(isWriteOnly)
}

/** The ids of those whose members tell of write-only data: by their own rules, or by those of a segment they leave out. */
export function listWriteOnly(segments: readonly (Excluding & { rules: readonly Rule[] })[]): Set<string> {
  const found = new Set<string>()
  for (const { id, rules, excluded } of orderByExclusion(segments) ?? segments)
    if (readsWriteOnly(rules) || excluded.some((other) => found.has(other))) found.add(id)
  return found
}

/** A number of people whom write-only data decide on: 0 with `fewerThan` for everything from none to four (G-94). */
export function roundedCount(count: number): { count: number; fewerThan?: number } {
  return count < FEWEST_TOLD ? { count: 0, fewerThan: FEWEST_TOLD } : { count }
}
