import { Box, Stack, Text } from '@mantine/core'
import type { Leaf, Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { EventLeaf } from '@contentflow/core/behaviour/did.ts'
import { isEventLeaf } from '@contentflow/core/behaviour/tracker.ts'
import { useFormat } from '../../../format.ts'
import { eventWords } from '../events/event-words.ts'
import { useRuleTexts } from './rule-texts.ts'
import { leafWords } from './rule-words.ts'
import { useTexts } from '../texts.ts'
import classes from './rules.module.css'

/** *plan* is one of *gold, platinum*. */
export function LeafSentence({ leaf }: { leaf: Leaf | EventLeaf }) {
  const wording = { t: useRuleTexts(), format: useFormat() }
  if (isEventLeaf(leaf)) {
    const { field, operator, value } = eventWords(leaf, wording)
    return (
      <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
        {operator} <bdi className={classes.word}>{field}</bdi>
        {value && wording.t('comma')}
        {value}
      </Text>
    )
  }
  const { field, operator, value } = leafWords(leaf, wording)
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      <bdi className={classes.word}>{field}</bdi> {operator} {value && <bdi className={classes.word}>{value}</bdi>}
    </Text>
  )
}

/** The rules to be read only. */
export function RulesInWords({ logicalOperator, rules }: SegmentRules) {
  const t = useTexts()
  return (
    <Stack gap="xs">
      {rules.length > 1 && (
        <Text size="sm" c="dimmed">
          {t(logicalOperator === 'AND' ? 'allHold' : 'anyHolds')}
        </Text>
      )}
      {/* Rules that are only read have no identity but their place. */}
      {rules.map((rule, place) => (
        <RuleInWords key={place} rule={rule} />
      ))}
    </Stack>
  )
}

function RuleInWords({ rule }: { rule: Rule }) {
  if (!('conditions' in rule)) return <LeafSentence leaf={rule} />
  return (
    <Box className={classes.group}>
      <RulesInWords logicalOperator={rule.logicalOperator} rules={rule.conditions} />
    </Box>
  )
}
