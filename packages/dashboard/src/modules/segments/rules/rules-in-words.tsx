import { Box, Stack, Text } from '@mantine/core'
import type { Leaf, Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { useFormat } from '../../../format.ts'
import { useRuleTexts } from './rule-texts.ts'
import { leafWords } from './rule-words.ts'
import { useTexts } from '../texts.ts'
import classes from './rules.module.css'

/** *plan* is one of *gold, platinum*. */
export function LeafSentence({ leaf }: { leaf: Leaf }) {
  const { field, operator, value } = leafWords(leaf, { t: useRuleTexts(), format: useFormat() })
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
