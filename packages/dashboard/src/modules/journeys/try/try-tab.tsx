import { Alert, Button, Group, Pill, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { listenedTypes } from '@contentflow/core/journeys/hearing.ts'
import type { StepValues } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { JourneyTestRun } from '@contentflow/server/wire.ts'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { PersonPicker } from '../../../ui/fields/person-picker.tsx'
import { Section } from '../../../ui/section.tsx'
import { pathOf, type Journey } from '../api.ts'
import { ValueRows } from '../panel/values/value-rows.tsx'
import { SegmentField } from '../panel/trigger-fields.tsx'
import { useTryTexts } from '../texts-try.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { areWhole, askedOf, isWhole, TryEvents, type AskedEvent, type TriedEvent } from './try-events.tsx'
import { TryResult } from './try-result.tsx'

type TryRequest = {
  userIds?: string[]
  segment?: string
  days: number
  events?: AskedEvent[]
  begin?: { properties: StepValues }
}

/** Proof before it runs: who would get what, and when. */
export function TryTab({ journey, isDirty }: { journey: Journey; isDirty: boolean }) {
  const t = useTryTexts()
  const format = useFormat()
  const [kind, setKind] = useState<'people' | 'segment'>('people')
  const [people, setPeople] = useState<string[]>([])
  const [segment, setSegment] = useState('')
  const [events, setEvents] = useState<TriedEvent[]>([])
  const { trigger } = journey
  const isBegun = trigger.type === 'custom_event'
  const [begin, setBegin] = useState<StepValues>(isBegun && trigger.key !== undefined ? { [trigger.key]: '' } : {})
  const listened = listenedTypes({ ...journey, exitOn: journey.exitOn ?? null })
  const [days, setDays] = useState<number>(LIMITS.journeyTestDays.default)
  const run = useWrite<TryRequest, JourneyTestRun>((body) => ({ path: `${pathOf(journey.id)}/test-run`, method: 'POST', body }), {
    stale: [],
    showsError: true,
  })
  const hasPeople = kind === 'people' ? people.length > 0 : segment !== ''
  const { min, max } = LIMITS.journeyTestDays
  const areEventsWhole = areWhole(begin) && events.every((event) => isWhole(event, max * 1_440))
  return (
    <Stack>
      <Section title={t('title')} text={t('text')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            run.mutate({
              ...(kind === 'people' ? { userIds: people } : { segment }),
              days,
              ...(events.length > 0 && { events: events.map(askedOf) }),
              ...(isBegun && { begin: { properties: begin } }),
            })
          }}
        >
          <Stack gap="sm" maw={560}>
            {journey.incomplete && (
              <Alert color="orange" p="xs">
                {t('completeFirst')}
              </Alert>
            )}
            {isDirty && (
              <Alert color="yellow" p="xs">
                {t('savedFirst')}
              </Alert>
            )}
            <SegmentedControl
              aria-label={t('whom')}
              data={[
                { value: 'people', label: t('people') },
                { value: 'segment', label: t('segment') },
              ]}
              value={kind}
              onChange={(next) => setKind(next === 'segment' ? 'segment' : 'people')}
              style={{ alignSelf: 'flex-start' }}
            />
            {kind === 'people' ? (
              <ChosenPeople people={people} onChange={setPeople} />
            ) : (
              <>
                <SegmentField value={segment} onChange={setSegment} />
                <Text size="xs" c="dimmed">
                  {t('firstOf', { most: format.number(LIMITS.journeyTestPeople) })}
                </Text>
              </>
            )}
            {isBegun && (
              <ValueRows
                label={t('begin', { event: trigger.event })}
                description={t('beginText')}
                addLabel={t('addProperty')}
                values={begin}
                onChange={setBegin}
              />
            )}
            <TryEvents events={events} listened={listened} onChange={setEvents} />
            <Group align="flex-end">
              <NumberField
                label={t('days')}
                value={days}
                onChange={(value) => setDays(value ?? Number.NaN)}
                min={min}
                max={max}
                isWhole
                isNeeded
                w={120}
              />
              <Button
                type="submit"
                leftSection={<IconFlask size={16} aria-hidden />}
                loading={run.isPending}
                disabled={journey.incomplete || !hasPeople || !areEventsWhole || !(Number.isInteger(days) && days >= min && days <= max)}
              >
                {t('run')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      {run.error && <Failure error={run.error} />}
      <div role="status">{run.data && <TryResult journey={journey} result={run.data} days={run.variables?.days ?? days} />}</div>
    </Stack>
  )
}

function ChosenPeople({ people, onChange }: { people: string[]; onChange: (people: string[]) => void }) {
  const t = useTryTexts()
  return (
    <Stack gap="xs">
      <PersonPicker
        value=""
        onChange={(id) => id !== '' && !people.includes(id) && onChange([...people, id])}
        environment="live"
        label={t('addPerson')}
      />
      {people.length > 0 && (
        <Pill.Group aria-label={t('chosen')}>
          {people.map((id) => (
            <Pill
              key={id}
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('removePerson', { id }), 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => onChange(people.filter((each) => each !== id))}
            >
              <bdi>{id}</bdi>
            </Pill>
          ))}
        </Pill.Group>
      )}
    </Stack>
  )
}
