/** A rule as a sentence: the field's name, the operator and the value, in the dashboard's language. */
import type { Json } from '@contentflow/core/blocks/field.ts'
import { toTime } from '@contentflow/core/targeting/compare-values.ts'
import { toCircle } from '@contentflow/core/targeting/geo.ts'
import { VALUELESS_OPERATORS } from '@contentflow/core/targeting/operators.ts'
import type { Leaf } from '@contentflow/core/targeting/rule.ts'
import type { Format } from '../../../format.ts'
import { choicesOf, isFixedField, memberOf } from './field-catalog.ts'
import type { TranslateRules } from './rule-texts.ts'

/** What descriptions are made with. */
export type Wording = { t: TranslateRules; format: Pick<Format, 'number' | 'moment' | 'list'> }
/** The value is empty for operators that need none. */
export type LeafWords = { field: string; operator: string; value: string }

export function fieldWords(field: string, { t }: Wording): string {
  if (field === 'currentLocation') return t('field_currentLocation.point')
  if (isFixedField(field)) return t(`field_${field}`)
  return memberOf(field)
}

export function leafWords({ field, operator, value }: Leaf, wording: Wording): LeafWords {
  const isNeeded = value !== undefined && !VALUELESS_OPERATORS.has(operator)
  return {
    field: fieldWords(field, wording),
    operator: wording.t(`op_${operator}`),
    value: isNeeded ? operandWords({ field, operator, value }, wording) : '',
  }
}

function operandWords({ field, operator, value = null }: Leaf, wording: Wording): string {
  const { t, format } = wording
  const circle = operator === 'geo_radius' ? toCircle(value) : undefined
  if (circle)
    return t('circleWords', {
      radius: format.number(circle.radiusMeters),
      latitude: String(circle.latitude),
      longitude: String(circle.longitude),
    })
  if (operator === 'days_ago' && typeof value === 'number') return t('daysWords', { count: value })
  if (operator === 'between' && Array.isArray(value) && value.length === 2)
    return t('rangeWords', { from: valueWords(field, value[0] ?? null, wording), to: valueWords(field, value[1] ?? null, wording) })
  if ((operator === 'in' || operator === 'not_in') && Array.isArray(value))
    return value.map((member) => valueWords(field, member, wording)).join(t('comma'))
  return valueWords(field, value, wording)
}

/** A value of a person: a list is shown as its members. */
export function foundWords(field: string, value: Json, wording: Wording): string {
  return Array.isArray(value) && value.length > 0
    ? value.map((member) => valueWords(field, member, wording)).join(wording.t('comma'))
    : valueWords(field, value, wording)
}

/** One value of a rule. */
export function valueWords(field: string, value: Json, wording: Wording): string {
  const { t, format } = wording
  if (value === null) return t('nullWords')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return textWords(field, value, wording)
  if (Array.isArray(value)) return t('listWords', { members: value.map((member) => valueWords(field, member, wording)).join(t('comma')) })
  const members = Object.entries(value).map(([name, member]) => `${name}: ${valueWords(field, member, wording)}`)
  return format.list(members)
}

function textWords(field: string, value: string, { t, format }: Wording): string {
  if (value === '') return t('emptyWords')
  if (field === 'lifecycle' && choicesOf(field)?.includes(value)) return t(`stage_${value as 'new'}`)
  const isTime = /^\d{4}-\d\d-\d\dT/.test(value) && toTime(value) !== undefined
  return isTime ? format.moment(value) : value
}
