import { Box, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { isEventsField, type EventLeaf } from '@contentflow/core/behaviour/did.ts'
import type { Leaf } from '@contentflow/core/targeting/rule.ts'
import type { GroupTrace, LeafTrace, RuleTrace } from '@contentflow/core/targeting/evaluate.ts'
import { useFormat } from '../../../format.ts'
import { prefixOf } from './field-catalog.ts'
import { useRuleTexts } from './rule-texts.ts'
import { timesWords } from '../events/event-words.ts'
import { foundWords, type Wording } from './rule-words.ts'
import { LeafSentence } from './rules-in-words.tsx'
import { useTexts } from '../texts.ts'
import classes from './rules.module.css'

/** Every row with whether it held for the person and what was found. */
export function TraceGroup({ logicalOperator, conditions, held }: GroupTrace) {
  const t = useTexts()
  return (
    <Stack gap="sm">
      {conditions.length > 1 && <Verdict held={held}>{t(logicalOperator === 'AND' ? 'allHold' : 'anyHolds')}</Verdict>}
      {conditions.map((rule, place) => (
        <TracedRule key={place} rule={rule} />
      ))}
    </Stack>
  )
}

function TracedRule({ rule }: { rule: RuleTrace }) {
  if (!('conditions' in rule)) return <TracedLeaf leaf={rule} />
  return (
    <Box className={classes.group}>
      <TraceGroup {...rule} />
    </Box>
  )
}

function TracedLeaf({ leaf }: { leaf: LeafTrace }) {
  return (
    <Stack gap={2}>
      <Verdict held={leaf.held}>
        <LeafSentence leaf={leaf as Leaf | EventLeaf} />
      </Verdict>
      <Text size="xs" c="dimmed" ps={28} style={{ overflowWrap: 'anywhere' }}>
        <FoundWords leaf={leaf} />
      </Text>
    </Stack>
  )
}

function FoundWords({ leaf: { field, found } }: { leaf: LeafTrace }) {
  const t = useTexts()
  const wording = { t: useRuleTexts(), format: useFormat() }
  if (isEventsField(field)) return evidenceWords(found as Evidence, wording)
  if (found !== undefined) return t('found', { value: foundWords(field, found, wording) })
  const prefix = prefixOf(field)
  // C-PROF-08: what was loaded and what an industry knows of a person is never given back.
  return t(prefix === 'enrichment' || prefix === 'industryProfile' ? 'foundHidden' : 'foundNothing')
}

type Evidence = { count: number; sum?: number; first?: string; last?: string; changesAt?: string }

/** *3 times; first …, last ….* */
function evidenceWords({ count, sum, first, last, changesAt }: Evidence, { t, format }: Wording): string {
  if (first === undefined || last === undefined) return t('ev_found_none')
  return [
    t('ev_found', { times: timesWords(count, { t, format }), first: format.moment(first), last: format.moment(last) }),
    ...(sum === undefined ? [] : [t('ev_found_sum', { sum: format.number(sum) })]),
    ...(changesAt === undefined ? [] : [t('ev_found_changes', { moment: format.moment(changesAt) })]),
  ].join(' ')
}

function Verdict({ held, children }: { held: boolean; children: React.ReactNode }) {
  const t = useTexts()
  const Picture = held ? IconCheck : IconX
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <Box className={classes.verdict} data-held={held}>
        <Picture size={14} role="img" aria-label={t(held ? 'held' : 'notHeld')} />
      </Box>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Group>
  )
}
