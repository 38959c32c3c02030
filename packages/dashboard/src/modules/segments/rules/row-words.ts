/** Rows of all kinds, and the whole segment, as a sentence. */
import type { EventLeaf } from '@contentflow/core/behaviour/did.ts'
import { isEventLeaf } from '@contentflow/core/behaviour/tracker.ts'
import type { Leaf, Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { eventWords } from '../events/event-words.ts'
import { leafWords, type LeafWords, type Wording } from './rule-words.ts'

/** What somebody did is told in another order: *did purchase 2 times*. */
export function rowWords(leaf: Leaf | EventLeaf, wording: Wording): LeafWords {
  if (!isEventLeaf(leaf)) return leafWords(leaf, wording)
  const { field, operator, value } = eventWords(leaf, wording)
  return { field: operator, operator: field, value }
}

/** The whole segment in one line. Groups inside are put in brackets. */
export function rulesWords({ logicalOperator, rules }: SegmentRules, wording: Wording): string {
  return rules.map((rule) => ruleWords(rule, wording)).join(` ${wording.t(logicalOperator === 'AND' ? 'and' : 'or')} `)
}

function ruleWords(rule: Rule, wording: Wording): string {
  if ('conditions' in rule) {
    const inner = rulesWords({ logicalOperator: rule.logicalOperator, rules: rule.conditions }, wording)
    return rule.conditions.length > 1 ? `(${inner})` : inner
  }
  const { field, operator, value } = rowWords(rule, wording)
  return [field, operator, value].filter((part) => part !== '').join(' ')
}
