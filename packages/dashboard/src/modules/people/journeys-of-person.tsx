import { Anchor, Badge, Button, Group, Paper, Select, Skeleton, Stack, Text, Timeline } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { EVENT_TYPES, listSteps } from '@contentflow/core/journeys/journey.ts'
import type { JourneyExplanation, ListedJourney, PersonsJourney, Send } from '@contentflow/server/wire.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages, useRead } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Section } from '../../ui/section.tsx'
import { JOURNEYS, pathOf as journeyPath, useJourney } from '../journeys/api.ts'
import { RUN_COLORS, useRunWords } from '../journeys/participants/run-words.ts'
import { stepSummary, stepTitle } from '../journeys/steps/step-words.ts'
import { useWording } from '../journeys/steps/use-wording.ts'
import { useParticipantTexts } from '../journeys/texts-participants.ts'
import { useTexts as useJourneyTexts } from '../journeys/texts.ts'
import { pathOf, type Subject } from './api.ts'
import { useReasonWords } from '../../ui/reason-words.ts'
import { useMessageTexts } from './texts-messages.ts'

/** The journeys a person is in, what each did, and why they are in one or not. */
export function JourneysOf({ subject }: { subject: Subject }) {
  const t = useParticipantTexts()
  const runs = usePages<PersonsJourney>(`${pathOf(subject)}/journeys`, 'journeys', { limit: 5 })
  if (runs.error && runs.items.length === 0) return <Failure error={runs.error} onRetry={runs.retry} />
  if (runs.isLoading) return <Skeleton height={240} />
  return (
    <Stack>
      {runs.items.length === 0 && (
        <Paper withBorder p="md">
          <EmptyState icon={IconRoute} title={t('personEmpty')} text={t('personEmptyText')} />
        </Paper>
      )}
      {runs.items.map((run) => (
        <RunSection key={`${run.journeyId} ${run.enteredAt} ${run.key ?? ''}`} run={run} subject={subject} />
      ))}
      {runs.hasMore && (
        <Button variant="default" onClick={runs.loadMore} loading={runs.isMoreLoading} style={{ alignSelf: 'flex-start' }}>
          {t('more')}
        </Button>
      )}
      <Why subject={subject} />
    </Stack>
  )
}

function RunSection({ run, subject }: { run: PersonsJourney; subject: Subject }) {
  const t = useParticipantTexts()
  const { workspace } = useSession()
  const words = useRunWords()
  const { data: journey } = useJourney(run.journeyId)
  const sends = usePages<Send>('/sends', 'sends', { userId: subject.id, source: 'journey', sourceId: run.journeyId, limit: 10 })
  const trigger = useTriggerWords(run.trigger)
  const wording = useWording({ segments: undefined, fences: undefined, endpoints: undefined })
  const steps = new Map(journey && listSteps(journey.steps).map((step) => [step.id, step]))
  const step = steps.get(run.step ?? '')
  const nameOf = (send: Send) => {
    const sent = steps.get(send.step ?? '')
    return sent ? stepSummary(sent, wording) : send.name
  }
  const said = sends.items.toReversed()
  // A person who entered again got earlier messages in an earlier run.
  const isOfRun = (send: Send) => send.createdAt >= run.enteredAt
  const messageItem = (send: Send) => (
    <Timeline.Item
      key={`${send.step} ${send.channel} ${send.createdAt}`}
      title={<Message send={send} name={nameOf(send)} />}
      color={send.state === 'sent' ? 'teal' : 'orange'}
    >
      <When at={send.updatedAt} />
    </Timeline.Item>
  )
  return (
    <Section
      title={run.name}
      aside={
        <Group gap="sm">
          <Badge color={RUN_COLORS[run.status]} variant="light" tt="none" radius="sm">
            {t(`status_${run.status}`)}
          </Badge>
          <Anchor component={Link} to={`/w/${workspace.id}/journeys/${run.journeyId}`} size="sm">
            {t('openJourney')}
          </Anchor>
        </Group>
      }
    >
      {sends.hasMore && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${t('more')}: ${run.name}`}
          onClick={sends.loadMore}
          loading={sends.isMoreLoading}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('more')}
        </Button>
      )}
      <Timeline bulletSize={14} lineWidth={2} active={sends.items.length + 1}>
        {said.filter((send) => !isOfRun(send)).map(messageItem)}
        <Timeline.Item title={<Text size="sm">{t('cameBy', { trigger })}</Text>} color="blue">
          <When at={run.enteredAt} />
        </Timeline.Item>
        {said.filter(isOfRun).map(messageItem)}
        <Timeline.Item
          color={RUN_COLORS[run.status]}
          title={
            <Text size="sm">
              {step && `${stepTitle(step, wording.t)}: `}
              {words(run, run.journeyStatus)}
              {run.lastEvent && ` (${run.lastEvent.type}${run.key === undefined ? '' : `, ${run.key}`})`}
            </Text>
          }
        >
          <When at={run.updatedAt} />
        </Timeline.Item>
      </Timeline>
    </Section>
  )
}

function When({ at }: { at: string }) {
  return (
    <Text size="xs" c="dimmed">
      <Moment at={at} exact />
    </Text>
  )
}

const TRIGGERS = ['custom_event', 'inactivity', 'segment_entry', 'hijri', 'date', 'manual'] as const

function useTriggerWords({ type, eventType, event: reported }: PersonsJourney['trigger']): string {
  const t = useJourneyTexts()
  if (type === 'custom_event' && reported !== undefined) return reported
  const event = EVENT_TYPES.find((each) => each === eventType)
  if (event) return t(`event_${event}`)
  const known = TRIGGERS.find((each) => each === type)
  return known ? t(`trigger_${known}`) : type
}

function Message({ send: { channel, state, reason }, name }: { send: Send; name: string }) {
  const t = useParticipantTexts()
  const messages = useMessageTexts()
  const reasons = useReasonWords()
  return (
    <Text size="sm">
      {t('gotMessage', { channel: messages(`channel_${channel}`), name })}: {t(`state_${state}`)}
      {reason !== null && ` (${reasons(reason)})`}
    </Text>
  )
}

/** Asked of any journey, also of one they are not in. */
function Why({ subject }: { subject: Subject }) {
  const t = useParticipantTexts()
  const [chosen, setChosen] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const found = useRead<{ journeys: ListedJourney[] }>(JOURNEYS, { search, limit: 50 }).data?.journeys ?? []
  return (
    <Section title={t('whyTitle')} text={t('whyText')}>
      <Select
        label={t('journey')}
        data={found.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
        searchable
        onSearchChange={setSearch}
        filter={({ options }) => options}
        maw={420}
      />
      <div role="status">{chosen !== null && <Because journeyId={chosen} subject={subject} />}</div>
    </Section>
  )
}

function Because({ journeyId, subject }: { journeyId: string; subject: Subject }) {
  const t = useParticipantTexts()
  const format = useFormat()
  const { data, error, refetch, isPlaceholderData } = useRead<JourneyExplanation>(`${journeyPath(journeyId)}/explain`, {
    userId: subject.id,
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || isPlaceholderData) return <Skeleton height={24} />
  const { because, takesSince, run } = data
  return (
    <Text size="sm">
      {t(`because_${because}`, {
        since: takesSince === null ? '' : format.moment(takesSince),
        at: run?.dueAt ? format.moment(run.dueAt) : '',
      })}
    </Text>
  )
}
