import { Accordion, Stack, Table, Text, Timeline } from '@mantine/core'
import { hasBranches, listSteps, type StepType } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { JourneyTestRun } from '@contentflow/server/wire.ts'
import { useFormat } from '../../../format.ts'
import { Section } from '../../../ui/section.tsx'
import { useReasonWords } from '../../../ui/reason-words.ts'
import { Wide } from '../../../ui/wide.tsx'
import type { Journey } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { ReasonList } from '../report/report-tab.tsx'
import { branchWords, stepSummary, stepTitle } from '../steps/step-words.ts'
import { useReportTexts } from '../texts-report.ts'
import { useTryTexts } from '../texts-try.ts'

type ResultProps = { journey: Journey; result: JourneyTestRun; days: number }

export function TryResult({ journey, result, days }: ResultProps) {
  const t = useTryTexts()
  const report = useReportTexts()
  const format = useFormat()
  const { people, notFound, active, completed, exited, goalMinute, timelines } = result
  const ends = `${t('active')}: ${format.number(active)} · ${report('completed')}: ${format.number(completed)} · ${report('exited')}: ${format.number(exited)}`
  return (
    <Stack>
      <Section title={t('result')}>
        {notFound.length > 0 && (
          <Text size="sm" c="red">
            {t('notFound', { ids: format.list(notFound) })}
          </Text>
        )}
        {people === 0 ? (
          <Text size="sm">{t('nobody')}</Text>
        ) : (
          <>
            <Text size="sm">
              {t('resultFor', { people: format.number(people), days: format.number(days) })} {ends}
            </Text>
            {goalMinute !== null && (
              <Text size="sm">
                {t('goalReached', { day: format.number(Math.floor(goalMinute / 1_440)), time: clock(goalMinute % 1_440) })}
              </Text>
            )}
            <StepTallies journey={journey} steps={result.steps} />
          </>
        )}
      </Section>
      {timelines.length > 0 && (
        <Section title={t('timelines')} text={t('timelinesText', { most: format.number(LIMITS.journeyTimelines) })}>
          <Accordion variant="separated" order={3} defaultValue={timelines.length === 1 ? (timelines[0]?.userId ?? null) : null}>
            {timelines.map((timeline) => (
              <Accordion.Item key={timeline.userId} value={timeline.userId}>
                <Accordion.Control>
                  <Text size="sm" fw={600} component="span">
                    <bdi>{timeline.userId}</bdi>
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t(`end_${timeline.status}`)}
                  </Text>
                </Accordion.Control>
                <Accordion.Panel>
                  <Moments journey={journey} moments={timeline.moments} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </Section>
      )}
    </Stack>
  )
}

/** `ways`: the names of its two branches. */
type StepWords = { title: string; summary: string; type?: StepType; ways?: readonly [string, string] }

function useStepWords({ steps }: Journey): (id: string) => StepWords {
  const { wording } = useEditor()
  const known = new Map(listSteps(steps).map((step) => [step.id, step]))
  return (id) => {
    const step = known.get(id)
    if (!step) return { title: id, summary: '' }
    return {
      title: stepTitle(step, wording.t),
      summary: stepSummary(step, wording),
      type: step.type,
      ...(hasBranches(step) && { ways: [branchWords(step, 'then', wording.t), branchWords(step, 'else', wording.t)] as const }),
    }
  }
}

function StepTallies({ journey, steps }: { journey: Journey; steps: JourneyTestRun['steps'] }) {
  const t = useTryTexts()
  const report = useReportTexts()
  const format = useFormat()
  const wordsOf = useStepWords(journey)
  return (
    <Wide label={t('result')}>
      <Table aria-label={t('result')} miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{report('step')}</Table.Th>
            <Table.Th ta="end">{t('came')}</Table.Th>
            <Table.Th ta="end">{report('sent')}</Table.Th>
            <Table.Th ta="end">{t('stillWaiting')}</Table.Th>
            <Table.Th ps="lg">{report('reasons')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map((tally) => {
            const { title, summary, ways } = wordsOf(tally.step)
            return (
              <Table.Tr key={tally.step}>
                <Table.Td>
                  <Text size="sm" fw={600}>
                    {title}
                  </Text>
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    <bdi>{summary}</bdi>
                  </Text>
                </Table.Td>
                <Table.Td ta="end">{format.number(tally.came)}</Table.Td>
                <Table.Td ta="end">{format.number(tally.sent)}</Table.Td>
                <Table.Td ta="end">{format.number(tally.waiting)}</Table.Td>
                <Table.Td ps="lg">
                  {ways ? (
                    <Text size="xs">
                      {ways[0]}: {format.number(tally.then)} · {ways[1]}: {format.number(tally.else)}
                    </Text>
                  ) : (
                    <ReasonList counts={Object.entries(tally.skipped)} />
                  )}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

type Moment = JourneyTestRun['timelines'][number]['moments'][number]
const COLORS = {
  sent: 'teal',
  updated: 'teal',
  skipped: 'orange',
  exited: 'gray',
  began_wait: 'gray',
  waited: 'gray',
  came: 'violet',
  timed_out: 'violet',
  then: 'violet',
  else: 'violet',
} as const

function Moments({ journey, moments }: { journey: Journey; moments: readonly Moment[] }) {
  const t = useTryTexts()
  const format = useFormat()
  const reasons = useReasonWords()
  const wordsOf = useStepWords(journey)
  if (moments.length === 0) return <Text size="sm">{t('noMoments')}</Text>
  return (
    <Timeline bulletSize={14} lineWidth={2} active={moments.length}>
      {moments.map(({ minute, step, did, reason = '', values = {} }, index) => {
        const { title, summary, type, ways } = wordsOf(step)
        const way = did === 'then' ? ways?.[0] : did === 'else' ? ways?.[1] : undefined
        const what = way ?? t(doneKey(did, type), { reason: reasons(reason) })
        return (
          <Timeline.Item key={index} color={COLORS[did]} title={<Text size="sm">{`${title}: ${what}`}</Text>}>
            <Text size="xs" c="dimmed">
              {t('day', { day: format.number(Math.floor(minute / 1_440)), time: clock(minute % 1_440) })}
              {summary && (
                <>
                  {' · '}
                  <bdi>{summary}</bdi>
                </>
              )}
            </Text>
            {Object.entries(values).map(([name, value]) => (
              <Text key={name} size="xs" style={{ overflowWrap: 'anywhere' }}>
                <bdi>{name}</bdi>: <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
              </Text>
            ))}
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

/** What a step did, in the words of its kind. */
function doneKey(did: Moment['did'], type: StepType | undefined) {
  if (did === 'sent' && type === 'in_app') return 'did_shown'
  if (did === 'sent' && type === 'webhook') return 'did_told'
  if (did === 'skipped' && (type === 'webhook' || type === 'update_profile')) return 'did_left'
  return `did_${did}` as const
}

/** Time since they entered. */
function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
