/** Faults of one row of a segment, and notes for its author. Texts are made from the codes. */
import type { Json } from '@contentflow/core/blocks/field.ts'
import { parseVersion } from '@contentflow/core/targeting/compare-versions.ts'
import { isMeantFor, traceRules } from '@contentflow/core/targeting/evaluate.ts'
import { parseField } from '@contentflow/core/targeting/fields.ts'
import { NEVER, prepareTest, VALUELESS_OPERATORS } from '@contentflow/core/targeting/operators.ts'
import type { EventLeaf } from '@contentflow/core/behaviour/did.ts'
import { isEventLeaf } from '@contentflow/core/behaviour/tracker.ts'
import { ruleValueFault } from '@contentflow/core/targeting/rule-value.ts'
import type { Leaf } from '@contentflow/core/targeting/rule.ts'
import { NOBODY } from '@contentflow/core/targeting/subject.ts'
import { isWholeEvent } from '../events/event-draft.ts'
import { isField, isFixedField, type FieldKind } from './field-catalog.ts'

/** Why a row cannot be saved as it is. */
export type LeafFault = 'fieldMissing' | 'fieldWrong' | 'valueMissing' | 'pattern' | 'time' | 'days' | 'circle' | 'version' | 'tooLarge'

/** Ways in which a valid row means something else than it seems to. */
export type LeafNote = 'dateOnTrait' | 'circleElsewhere' | 'never' | 'otherType' | 'notInContent' | 'unknownToo'

/** The patterns' own engine is the server's; what it refuses beyond this it says when it is asked for a preview. */
function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

/** Of any row: what is missing in a rule on events is shown in its fields. */
export function rowFault(leaf: Leaf | EventLeaf): LeafFault | 'eventIncomplete' | undefined {
  if (!isEventLeaf(leaf)) return leafFault(leaf)
  return isWholeEvent(leaf) ? undefined : 'eventIncomplete'
}

export function leafFault({ field, operator, value }: Leaf): LeafFault | undefined {
  if (field === '') return 'fieldMissing'
  if (!isField(field)) return 'fieldWrong'
  if (value === undefined) return VALUELESS_OPERATORS.has(operator) ? undefined : 'valueMissing'
  if (operator === 'app_version_gte' && !parseVersion(value)) return 'version'
  const fault = ruleValueFault(operator, value, (pattern) => (compilePattern(pattern) ? undefined : 'invalid'))
  return fault === undefined ? undefined : faultOf(operator)
}

function faultOf(operator: Leaf['operator']): LeafFault {
  switch (operator) {
    case 'regex':
    case 'not_regex':
      return 'pattern'
    case 'date_after':
    case 'date_before':
      return 'time'
    case 'days_ago':
      return 'days'
    case 'geo_radius':
      return 'circle'
    default:
      return 'tooLarge'
  }
}

/** Most important first; none for a row that has a fault. */
export function leafNotes(leaf: Leaf, kind: FieldKind): LeafNote[] {
  const target = parseField(leaf.field)
  if (!target.ok || leafFault(leaf)) return []
  if (!isMeantFor(target.value, leaf.operator)) return [leaf.operator === 'geo_radius' ? 'circleElsewhere' : 'dateOnTrait']
  if (isNever(leaf)) return ['never']
  const notes: LeafNote[] = []
  if (isOtherType(leaf, kind)) notes.push(isFixedField(leaf.field) && leaf.operator === 'equals' ? 'never' : 'otherType')
  if (isSkippedInContent(leaf)) notes.push('notInContent')
  if (NEGATIVE.has(leaf.operator)) notes.push('unknownToo')
  return notes
}

/** G-80: these hold for people of whom the field is not known. */
const NEGATIVE = new Set(['not_equals', 'not_contains', 'not_in', 'not_regex'])

function isNever({ operator, value }: Leaf): boolean {
  return prepareTest(operator, value, (pattern) => (compilePattern(pattern) ? () => true : undefined)) === NEVER
}

/** C-SEG-21: equality is strict on type. */
function isOtherType({ operator, value }: Leaf, kind: FieldKind): boolean {
  if (operator !== 'equals' && operator !== 'in') return false
  const members: Json[] = Array.isArray(value) ? value : [value ?? null]
  const type = kind === 'number' || kind === 'boolean' ? kind : kind === 'text' || kind === 'version' ? 'string' : undefined
  return type !== undefined && members.some((member) => typeof member !== type)
}

/** C-SYNC-25 to C-SYNC-27: asked of the evaluator itself. */
function isSkippedInContent(leaf: Leaf): boolean {
  const rules = { logicalOperator: 'AND', rules: [leaf] } as const
  const [trace] = traceRules({ ...rules, rules: [...rules.rules] }, { compileRegex: () => undefined, onBlockPath: true }, NOBODY, 0).rules
  return trace !== undefined && 'isSkipped' in trace && trace.isSkipped
}
