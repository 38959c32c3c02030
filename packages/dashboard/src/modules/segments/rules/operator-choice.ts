/** Which operators to offer for a field, and how the value of each is entered. */
import type { Json } from '@contentflow/core/blocks/field.ts'
import { toNumber, toTime } from '@contentflow/core/targeting/compare-values.ts'
import { parseVersion } from '@contentflow/core/targeting/compare-versions.ts'
import { isMeantFor } from '@contentflow/core/targeting/evaluate.ts'
import { parseField } from '@contentflow/core/targeting/fields.ts'
import { toCircle } from '@contentflow/core/targeting/geo.ts'
import { OPERATOR_NAMES, type Operator } from '@contentflow/core/targeting/operators.ts'
import type { Leaf } from '@contentflow/core/targeting/rule.ts'
import { choicesOf, isFixedField, type FieldKind } from './field-catalog.ts'

const TEXT: Operator[] = [
  'equals',
  'not_equals',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'regex',
  'not_regex',
]
const NUMBER: Operator[] = [
  'equals',
  'not_equals',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'between',
  'in',
  'not_in',
]
/** Operators for values from a fixed list. */
const CHOICE: Operator[] = ['equals', 'not_equals', 'in', 'not_in']
const PRESENCE: Operator[] = ['exists', 'not_exists']

const FITTING: Record<FieldKind, Operator[]> = {
  text: [...TEXT, ...PRESENCE],
  number: [...NUMBER, ...PRESENCE],
  boolean: ['is_true', 'is_false', ...PRESENCE],
  date: ['date_after', 'date_before', 'days_ago', ...PRESENCE],
  list: ['contains', 'not_contains', ...PRESENCE],
  place: ['geo_radius', ...PRESENCE],
  version: ['app_version_gte', 'equals', 'not_equals', 'in', 'not_in', 'starts_with', ...PRESENCE],
  any: OPERATOR_NAMES,
}

/** `fitting` operators suit the kind of value; `others` can match too. Operators that can never match on the field are in neither (C-SEG-33). */
export function operatorsFor(field: string, kind: FieldKind): { fitting: Operator[]; others: Operator[] } {
  const target = parseField(field)
  const possible = OPERATOR_NAMES.filter((operator) => !target.ok || isMeantFor(target.value, operator))
  const wanted = choicesOf(field) ? [...CHOICE, ...PRESENCE] : FITTING[kind]
  const wished = wanted.filter((operator) => possible.includes(operator))
  // A date in a trait is text: its own operators never hold there, and those of text do.
  const fitting = wished.length > PRESENCE.length ? wished : FITTING.text
  // A fixed field has one type; a trait may hold values of several.
  const others = kind === 'place' || isFixedField(field) ? [] : possible.filter((operator) => !fitting.includes(operator))
  return { fitting, others }
}

/** How the value of an operator is entered. `plain`: a text, a number or yes/no, because equality is strict on type. */
export type ValueEditor = 'none' | 'plain' | 'many' | 'text' | 'number' | 'range' | 'pattern' | 'time' | 'days' | 'circle' | 'version'

const EDITORS: Record<Operator, ValueEditor> = {
  equals: 'plain',
  not_equals: 'plain',
  contains: 'plain',
  not_contains: 'plain',
  in: 'many',
  not_in: 'many',
  starts_with: 'text',
  ends_with: 'text',
  greater_than: 'number',
  greater_than_or_equal: 'number',
  less_than: 'number',
  less_than_or_equal: 'number',
  between: 'range',
  regex: 'pattern',
  not_regex: 'pattern',
  date_after: 'time',
  date_before: 'time',
  days_ago: 'days',
  geo_radius: 'circle',
  app_version_gte: 'version',
  exists: 'none',
  not_exists: 'none',
  is_true: 'none',
  is_false: 'none',
}

export function editorFor(operator: Operator): ValueEditor {
  return EDITORS[operator]
}

/** Whether the form can show a rule and give it back unchanged. Rules that came by the API may hold more than it can enter. */
export function canEdit({ operator, value }: Leaf): boolean {
  if (value === undefined) return true
  switch (EDITORS[operator]) {
    case 'none':
      return true
    case 'plain':
      return isPlain(value)
    case 'many':
      return Array.isArray(value) && (value.every((member) => typeof member === 'number') || value.every((member) => isText(member)))
    case 'text':
    case 'pattern':
      return isText(value)
    case 'number':
    case 'days':
      return toNumber(value) !== undefined
    case 'range':
      return Array.isArray(value) && value.length === 2 && value.every((bound) => toNumber(bound) !== undefined)
    case 'time':
      return toTime(value) !== undefined
    case 'circle':
      return toCircle(value) !== undefined
    default:
      return typeof value === 'string' && parseVersion(value) !== undefined
  }
}

/** Null, an empty text, lists and objects have no control of their own. */
function isPlain(value: Json): boolean {
  return isText(value) || typeof value === 'number' || typeof value === 'boolean'
}

function isText(value: Json): boolean {
  return typeof value === 'string' && value !== ''
}

/** The value to go on with when the operator changes: what was typed stays where it still means the same. */
export function carryValue(value: Json | undefined, from: Operator, to: Operator): Json | undefined {
  const [before, after] = [EDITORS[from], EDITORS[to]]
  if (value === undefined || after === 'none') return undefined
  if (before === after) return value
  const carried = after === 'many' && !Array.isArray(value) ? [value] : before === 'many' && Array.isArray(value) ? value[0] : value
  return carried !== undefined && canEdit({ field: '', operator: to, value: carried }) ? carried : undefined
}
