import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { EVENT_TYPES, type EventType } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DurationFields } from '../panel/duration-fields.tsx'
import { useTexts } from '../texts.ts'
import { useTryTexts } from '../texts-try.ts'

/** `key` tells rows apart while they are edited. */
export type TriedEvent = { key: string; type: EventType; afterMinutes: number }

/** Events that all people cause meanwhile, so that conditions and the goal can be tried. */
export function TryEvents({ events, onChange }: { events: readonly TriedEvent[]; onChange: (events: TriedEvent[]) => void }) {
  const t = useTryTexts()
  const words = useTexts()
  const change = (key: string, next: Partial<TriedEvent>) =>
    onChange(events.map((event) => (event.key === key ? { ...event, ...next } : event)))
  return (
    <Fieldset legend={t('events')} variant="unstyled">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {t('eventsText')}
        </Text>
        {events.map(({ key, type, afterMinutes }) => (
          <Group key={key} gap="xs" align="flex-end">
            <Select
              label={words('eventType')}
              data={EVENT_TYPES.map((value) => ({ value, label: words(`event_${value}`) }))}
              value={type}
              onChange={(value) => change(key, { type: EVENT_TYPES.find((each) => each === value) ?? type })}
              allowDeselect={false}
              flex={2}
              miw={180}
            />
            <Group gap="xs" align="flex-end" wrap="nowrap" flex={3} miw={260}>
              <DurationFields label={t('after')} minutes={afterMinutes} onChange={(minutes) => change(key, { afterMinutes: minutes })} />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('removeEvent')}
                onClick={() => onChange(events.filter((event) => event.key !== key))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Group>
        ))}
        {events.length < LIMITS.journeyTestEvents && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...events, { key: crypto.randomUUID(), type: 'CONVERSION', afterMinutes: 60 }])}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('addEvent')}
          </Button>
        )}
      </Stack>
    </Fieldset>
  )
}
