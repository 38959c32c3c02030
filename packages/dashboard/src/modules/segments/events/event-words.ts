/** A rule on events as a sentence: *did purchase at least 2 times in the last 14 days, where total is more than 100*. */
import { typeOfLeaf, WINDOW_UNITS, type Count, type EventLeaf, type WindowUnit, type Within } from '@contentflow/core/behaviour/did.ts'
import type { Where, WhereLeaf } from '@contentflow/core/behaviour/where.ts'
import { leafWords, type LeafWords, type Wording } from '../rules/rule-words.ts'

/** The one unit that a length is given in. */
export function unitOf(within: Within): { unit: WindowUnit; amount: number } | undefined {
  const unit = WINDOW_UNITS.find((each) => within[each] !== undefined)
  return unit && { unit, amount: within[unit] ?? 0 }
}

export function eventWords(leaf: EventLeaf, wording: Wording): LeafWords {
  const { t } = wording
  const parts = partsOf(leaf, wording)
  return { field: typeOfLeaf(leaf), operator: t(`ev_op_${leaf.operator}`), value: parts.filter((part) => part !== '').join(t('comma')) }
}

function partsOf(leaf: EventLeaf, wording: Wording): string[] {
  const { t } = wording
  const where = leaf.value?.where ? t('ev_words_where', { conditions: whereWords(leaf.value.where, wording) }) : ''
  switch (leaf.operator) {
    case 'did':
      return [
        leaf.value.count ? countWords(leaf.value.count, wording) : '',
        lastWords(leaf.value.within, wording),
        where,
        sumWords(leaf, wording),
      ]
    case 'did_not':
      return [lastWords(leaf.value.within, wording), where]
    case 'first_did':
    case 'last_did': {
      const { ago } = leaf.value
      const length = lengthWords(ago ?? {}, wording)
      return [length && t(ago.operator === 'less_than' ? 'ev_words_lessAgo' : 'ev_words_moreAgo', { length }), where]
    }
    default:
      return leaf satisfies never
  }
}

export function timesWords(count: number, { t }: Wording): string {
  return t('ev_words_times', { count })
}

function countWords(count: Count, wording: Wording): string {
  const { t, format } = wording
  switch (count.operator) {
    case 'greater_than_or_equal':
      return t('ev_words_atLeast', { times: timesWords(count.value, wording) })
    case 'equals':
      return t('ev_words_exactly', { times: timesWords(count.value, wording) })
    case 'less_than':
      return t('ev_words_fewer', { times: timesWords(count.value, wording) })
    case 'between':
      return t('ev_words_fromTo', { from: format.number(count.value[0]), to: format.number(count.value[1]) })
    default:
      return count satisfies never
  }
}

function lastWords(within: Within | undefined, wording: Wording): string {
  const length = within ? lengthWords(within, wording) : ''
  return length && wording.t('ev_words_last', { length })
}

function lengthWords(within: Within, { t }: Wording): string {
  const found = unitOf(within)
  return found ? t(`ev_words_${found.unit}`, { count: found.amount }) : ''
}

function sumWords({ operator, value }: EventLeaf, wording: Wording): string {
  const sum = operator === 'did' ? value.sum : undefined
  if (!sum) return ''
  const words = leafWords({ field: 'behavioral.x', operator: sum.operator, value: sum.value }, wording)
  return wording.t('ev_words_sum', { property: nameOf(sum.property), comparison: words.operator, value: words.value })
}

/** `properties.total` is called `total`. */
export function nameOf(field: string): string {
  return field.startsWith('properties.') ? field.slice('properties.'.length) : field
}

function whereWords({ logicalOperator, conditions }: Where, wording: Wording): string {
  const words = conditions.map((part) => ('conditions' in part ? `(${whereWords(part, wording)})` : conditionWords(part, wording)))
  return words.join(` ${wording.t(logicalOperator === 'AND' ? 'and' : 'or')} `)
}

function conditionWords({ field, operator, value }: WhereLeaf, wording: Wording): string {
  const words = leafWords({ field: 'customAttributes.x', operator, ...(value !== undefined && { value }) }, wording)
  return [nameOf(field), words.operator, words.value].filter((part) => part !== '').join(' ')
}
