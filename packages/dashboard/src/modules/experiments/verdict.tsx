import { Alert, List, Stack, Text } from '@mantine/core'
import { useFormat } from '../../format.ts'
import type { Experiment } from './api.ts'
import { useTexts } from './texts.ts'
import { useAmount, useGoal } from './words.ts'

/** What an experiment says: whether it is to be believed, then what it harms, then what is better. */
export function Verdict({ experiment }: { experiment: Experiment }) {
  const t = useTexts()
  const goal = useGoal(experiment)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('goal', { goal: goal(experiment.metric) })}
      </Text>
      {experiment.isMismatch ? (
        <Mismatch experiment={experiment} />
      ) : (
        <>
          <Harmed experiment={experiment} />
          <Sentence experiment={experiment} />
          <Progress experiment={experiment} />
          <Narrower experiment={experiment} />
        </>
      )}
      <Text size="xs" c="dimmed">
        {t('byAnyTime')}
      </Text>
    </Stack>
  )
}

function Mismatch({ experiment: { subject, sampleRatio } }: { experiment: Experiment }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Alert color="yellow" title={t('mismatch')}>
      {t(subject === 'control' ? 'mismatchTextOfPeople' : 'mismatchText')}
      <List size="sm" mt="xs">
        {sampleRatio?.groups.map(({ variantId, seen, expected }) => (
          <List.Item key={variantId}>
            {t(subject === 'control' ? 'mismatchOfPeople' : 'mismatchOf', {
              variant: variantId,
              seen: format.number(seen),
              expected: format.number(Math.round(expected)),
            })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Harmed({ experiment: { guardrails } }: { experiment: Experiment }) {
  const t = useTexts()
  const harmed = guardrails.filter(({ state }) => state === 'harmed')
  if (harmed.length === 0) return null
  return (
    <Alert color="red" title={t('harmedTitle')}>
      {harmed.map((guardrail, index) => (
        <HarmedOne key={index} guardrail={guardrail} />
      ))}
    </Alert>
  )
}

function HarmedOne({ guardrail: { metric, than = '', low = 0, high = 0, margin } }: { guardrail: Experiment['guardrails'][number] }) {
  const t = useTexts()
  const amount = useAmount(metric)
  return (
    <Text size="sm">{t('harmedText', { event: metric.event, than, low: amount(low), high: amount(high), margin: amount(margin) })}</Text>
  )
}

function Sentence({ experiment: { subject, groups, verdict, metric } }: { experiment: Experiment }) {
  const t = useTexts()
  const format = useFormat()
  const isShare = metric.of === 'people'
  const isOfPeople = subject === 'control'
  const bound = (value: number) => format.number(Math.round(value * (isShare ? 1_000 : 100)) / (isShare ? 10 : 100))
  if (verdict.kind === 'too_few') return <Text>{t(isOfPeople ? 'fewOfPeople' : 'few')}</Text>
  if (verdict.kind === 'open') {
    const needed =
      verdict.needed === undefined ? '' : ` ${t(isOfPeople ? 'neededOfPeople' : 'needed', { more: format.number(verdict.needed) })}`
    return <Text>{t(isOfPeople ? 'openOfPeople' : 'open') + needed}</Text>
  }
  const { best, than, low, high, by } = verdict
  const effect = groups[0]?.variantId === best ? 'brings' : 'costs'
  return (
    <Text>
      <Text span fw={600}>
        {t(isOfPeople ? `${effect}${isShare ? 'People' : ''}` : isShare ? 'clearPeople' : 'clear', {
          best,
          than,
          low: bound(low),
          high: bound(high),
        })}
      </Text>
      {by === 'planned_reading' && ` ${t('byReading')}`}
    </Text>
  )
}

/** What taking out the past of people brought. */
function Narrower({ experiment: { cuped, narrower } }: { experiment: Experiment }) {
  const t = useTexts()
  const format = useFormat()
  if (!cuped || narrower === null) return null
  return <Text size="sm">{t('narrower', { part: format.percent(narrower) })}</Text>
}

/** The plan against what is there. */
function Progress({ experiment: { subject, plan, units, missing, days, fullAt, reading } }: { experiment: Experiment }) {
  const t = useTexts()
  const format = useFormat()
  if (!plan) return null
  const isOfPeople = subject === 'control'
  const waits = [
    ...(missing ? [t(isOfPeople ? 'saysNeedsOfPeople' : 'saysNeeds', { more: format.number(missing) })] : []),
    ...(days ? [t('saysDays', { count: days, number: format.number(days) })] : []),
    ...(fullAt && !reading ? [t('full')] : []),
    ...(reading && !reading.isClear ? [t('readOpen')] : []),
  ]
  const planned = { total: format.number(plan.total), effect: format.percent(plan.relativeEffect), seen: format.number(units) }
  return (
    <Text size="sm">
      {t(isOfPeople ? 'plannedOfPeople' : 'planned', planned)} {waits.join(' ')}
    </Text>
  )
}
