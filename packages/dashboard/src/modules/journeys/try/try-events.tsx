import { ActionIcon, Autocomplete, Button, Fieldset, Group, Select, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { EVENT_TYPES, type EventType, type StepValues } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ValueRows } from '../panel/values/value-rows.tsx'
import { DurationFields } from '../panel/duration-fields.tsx'
import { useTexts } from '../texts.ts'
import { useTryTexts } from '../texts-try.ts'

/** Stands for any event, as it is reported, in the list of types. */
const ANY = 'any'

/** `key` tells rows apart while they are edited. `event`: instead of `type`, one that an app reports under any type. */
export type TriedEvent = { key: string; afterMinutes: number } & (
  { type: EventType; event?: never } | { type?: never; event: string; properties: StepValues }
)
/** What is asked of the server. */
export type AskedEvent = Omit<TriedEvent, 'key'>

export function askedOf(tried: TriedEvent): AskedEvent {
  const { key: _, ...event } = tried
  return event
}

export function isWhole({ afterMinutes, event, ...said }: TriedEvent, mostMinutes: number): boolean {
  const isSaid = event === undefined || (event.trim() !== '' && areWhole('properties' in said ? said.properties : {}))
  return isSaid && afterMinutes >= 1 && afterMinutes <= mostMinutes
}

/** Each has a name, and a number where it has to be one. */
export function areWhole(values: StepValues): boolean {
  return Object.entries(values).every(([name, value]) => name !== '' && !(typeof value === 'number' && Number.isNaN(value)))
}

/** `listened`: types of events that the journey listens to. */
type TryEventsProps = { events: readonly TriedEvent[]; listened: readonly string[]; onChange: (events: TriedEvent[]) => void }

/** Events that all people cause meanwhile, so that conditions and the goal can be tried. */
export function TryEvents({ events, listened, onChange }: TryEventsProps) {
  const t = useTryTexts()
  const words = useTexts()
  const change = (next: TriedEvent) => onChange(events.map((event) => (event.key === next.key ? next : event)))
  const added = listened[0] === undefined ? { type: 'CONVERSION' as const } : { event: listened[0], properties: {} }
  return (
    <Fieldset legend={t('events')} variant="unstyled">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {t('eventsText')}
        </Text>
        {events.map((tried) => (
          <Stack key={tried.key} gap="xs">
            <Group gap="xs" align="flex-end">
              <Select
                label={words('eventType')}
                data={[{ value: ANY, label: t('anyEvent') }, ...EVENT_TYPES.map((value) => ({ value, label: words(`event_${value}`) }))]}
                value={tried.type ?? ANY}
                onChange={(value) => {
                  const { key, afterMinutes } = tried
                  const type = EVENT_TYPES.find((each) => each === value)
                  change(type ? { key, afterMinutes, type } : { key, afterMinutes, event: listened[0] ?? '', properties: {} })
                }}
                allowDeselect={false}
                flex={2}
                miw={180}
              />
              <Group gap="xs" align="flex-end" wrap="nowrap" flex={3} miw={260}>
                <DurationFields
                  label={t('after')}
                  minutes={tried.afterMinutes}
                  onChange={(afterMinutes) => change({ ...tried, afterMinutes })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('removeEvent')}
                  onClick={() => onChange(events.filter(({ key }) => key !== tried.key))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            </Group>
            {tried.event !== undefined && (
              <Stack gap="xs" ps="md">
                <Autocomplete
                  label={t('eventName')}
                  data={[...listened]}
                  value={tried.event}
                  onChange={(event) => change({ ...tried, event })}
                  maxLength={LIMITS.eventNameLength}
                  dir="auto"
                />
                <ValueRows
                  label={t('properties')}
                  addLabel={t('addProperty')}
                  values={tried.properties}
                  onChange={(properties) => change({ ...tried, properties })}
                />
              </Stack>
            )}
          </Stack>
        ))}
        {events.length < LIMITS.journeyTestEvents && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...events, { key: crypto.randomUUID(), afterMinutes: 60, ...added }])}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('addEvent')}
          </Button>
        )}
      </Stack>
    </Fieldset>
  )
}
