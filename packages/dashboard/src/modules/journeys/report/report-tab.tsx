import { Group, List, Paper, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { REFUSALS } from '@contentflow/core/journeys/entry.ts'
import { listSteps } from '@contentflow/core/journeys/journey.ts'
import { isShortened } from '@contentflow/core/messages/short-link.ts'
import { useFormat } from '../../../format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { useReasonWords } from '../../../ui/reason-words.ts'
import { Wide } from '../../../ui/wide.tsx'
import { COUNTED_CHANNELS, Responses } from '../../campaigns/report/responses.tsx'
import { pathOf, useReport, type Journey, type JourneyReport } from '../api.ts'
import { useEditor, type StepReport } from '../editor-context.tsx'
import { goalEvent, stepSummary, stepTitle } from '../steps/step-words.ts'
import { useEventTexts } from '../texts-events.ts'
import { useReportTexts } from '../texts-report.ts'
import { sumsOf } from './counts.tsx'

/** The results so far: in all, and at each step. */
export function ReportTab({ journey }: { journey: Journey }) {
  const t = useReportTexts()
  const format = useFormat()
  const { data, error, refetch } = useReport(journey)
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  if (data.entered === 0)
    return (
      <Paper withBorder p="md">
        <EmptyState icon={IconChartBar} title={t('nothingYet')} text={t('nothingYetText')} />
      </Paper>
    )
  const totals = [
    ['entered', data.entered],
    ['inItNow', data.active],
    ['completed', data.completed],
    ['exited', data.exited],
  ] as const
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {totals.map(([key, count]) => (
          <Paper key={key} withBorder p="md">
            <Text size="sm" c="dimmed">
              {t(key)}
            </Text>
            <Text fw={650} fz="h1">
              {format.number(count)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {data.goal && <GoalReached goal={data.goal} entered={data.entered} />}
      {data.refused && <Refused refused={data.refused} />}
      <Section title={t('steps')}>
        <StepTable journey={journey} steps={data.steps} />
      </Section>
      {COUNTED_CHANNELS.filter((channel) => channel === 'email' || sendsShortLinks(journey, channel)).map((channel) => (
        <Responses key={channel} path={`${pathOf(journey.id)}/responses`} channel={channel} isLive={journey.status === 'active'} />
      ))}
    </Stack>
  )
}

function sendsShortLinks({ steps }: Pick<Journey, 'steps'>, channel: string): boolean {
  return listSteps(steps).some((step) => step.type === 'send' && step.channel === channel && isShortened(step.content))
}

/** Who was not taken in although their event was one of the trigger, by reason. */
function Refused({ refused }: { refused: Record<string, number> }) {
  const t = useEventTexts()
  const format = useFormat()
  const counts = REFUSALS.flatMap((reason) => (Object.hasOwn(refused, reason) ? [[reason, refused[reason] ?? 0] as const] : []))
  if (counts.length === 0) return null
  return (
    <Section title={t('refused')}>
      <List size="sm" listStyleType="none">
        {counts.map(([reason, count]) => (
          <List.Item key={reason}>{`${t(`refused_${reason}`)}: ${format.number(count)}`}</List.Item>
        ))}
      </List>
    </Section>
  )
}

function GoalReached({ goal, entered }: { goal: NonNullable<JourneyReport['goal']>; entered: number }) {
  const t = useReportTexts()
  const format = useFormat()
  const { wording } = useEditor()
  const what = t('goalIs', { event: goalEvent(goal, wording.t), days: wording.t('days', { count: goal.days }) })
  return (
    <Section title={t('goal')} text={what}>
      <Text fw={650} fz="h2">
        {t('converted', { people: format.number(goal.converted), share: format.percent(goal.converted / entered) })}
      </Text>
    </Section>
  )
}

function StepTable({ journey, steps }: { journey: Journey; steps: readonly StepReport[] }) {
  const t = useReportTexts()
  const format = useFormat()
  const { wording } = useEditor()
  const known = new Map(listSteps(journey.steps).map((step) => [step.id, step]))
  return (
    <Wide label={t('steps')}>
      <Table aria-label={t('steps')} miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('step')}</Table.Th>
            <Table.Th ta="end">{t('came')}</Table.Th>
            <Table.Th ta="end">{t('waitingHere')}</Table.Th>
            <Table.Th ta="end">{t('sent')}</Table.Th>
            <Table.Th ta="end">{t('skipped')}</Table.Th>
            <Table.Th ta="end">{t('failed')}</Table.Th>
            <Table.Th ta="end">{t('leftHere')}</Table.Th>
            <Table.Th ps="lg">{t('reasons')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map((report) => {
            const step = known.get(report.step)
            const { sent, skipped, failed } = sumsOf(report)
            const numbers = [report.entered, report.waiting, sent + (report.inApp?.opened ?? 0), skipped, failed, report.left]
            return (
              <Table.Tr key={report.step}>
                <Table.Td>
                  <Text size="sm" fw={600}>
                    {step && stepTitle(step, wording.t)}
                  </Text>
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    <bdi>{step && stepSummary(step, wording)}</bdi>
                  </Text>
                </Table.Td>
                {numbers.map((count, column) => (
                  <Table.Td key={column} ta="end">
                    {format.number(count)}
                  </Table.Td>
                ))}
                <Table.Td ps="lg">
                  <Reasons report={report} />
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Wide>
  )
}

function Reasons({ report: { sends, skipped: skips } }: { report: StepReport }) {
  const channels = Object.values(sends?.channels ?? {})
  const counts = channels.flatMap(({ skipped, failures }) => [...Object.entries(skipped), ...Object.entries(failures)])
  return <ReasonList counts={[...counts, ...Object.entries(skips ?? {})]} />
}

/** Reasons in words, each with how many it was for. */
export function ReasonList({ counts }: { counts: [reason: string, count: number][] }) {
  const words = useReasonWords()
  const format = useFormat()
  return (
    <List size="xs" listStyleType="none">
      {counts.map(([reason, count]) => (
        <List.Item key={reason}>
          <Group gap={6} wrap="nowrap" align="baseline">
            <Text size="xs" fw={600} component="span">
              {format.number(count)}
            </Text>
            <bdi>{words(reason)}</bdi>
          </Group>
        </List.Item>
      ))}
    </List>
  )
}
