import { Fieldset, Select, Stack, Text, TextInput } from '@mantine/core'
import { CROSSED, EVENT_TYPES, HIJRI_EVENTS, type EventType, type Filters, type Trigger } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { EntryFields } from './entry-fields.tsx'
import { CustomEventFields } from './event-fields.tsx'
import { DateFields } from './date-fields.tsx'
import { Lockable } from './lockable.tsx'

/** The types in the order in which they are offered. */
const TYPES = Object.keys({
  event: true,
  custom_event: true,
  segment_entry: true,
  inactivity: true,
  hijri: true,
  date: true,
  manual: true,
} satisfies Record<Trigger['type'], true>) as Trigger['type'][]

function newTrigger(type: Trigger['type']): Trigger {
  switch (type) {
    case 'event':
      return { type, eventType: 'SIGN_UP' }
    case 'custom_event':
      return { type, event: '' }
    case 'inactivity':
      return { type, days: LIMITS.journeyInactivityDays.default }
    case 'segment_entry':
      return { type, segment: '' }
    case 'hijri':
      return { type, event: 'ramadan_start' }
    case 'date':
      return { type, trait: 'birthday', daysBefore: LIMITS.journeyDaysBefore.default, hour: 9 }
    case 'manual':
      return { type }
    default:
      return type satisfies never
  }
}

/** Edits the trigger, which takes people in. */
export function TriggerFields() {
  const t = useTexts()
  const { draft, edit } = useEditor()
  const { trigger } = draft
  const change = (next: Trigger, mark?: string) => edit({ ...draft, trigger: next }, mark)
  return (
    <Lockable>
      <Stack gap="sm">
        <Select
          label={t('trigger')}
          description={t(`triggerHelp_${trigger.type}`)}
          data={TYPES.map((value) => ({ value, label: t(`trigger_${value}`) }))}
          value={trigger.type}
          onChange={(value) => {
            const type = TYPES.find((each) => each === value)
            if (type && type !== trigger.type) edit({ ...draft, trigger: newTrigger(type), entry: null })
          }}
          allowDeselect={false}
        />
        <Details trigger={trigger} onChange={change} />
        {trigger.type === 'custom_event' ? (
          <EntryFields />
        ) : (
          <Text size="xs" c="dimmed">
            {t(trigger.type === 'date' ? 'onceAYearText' : 'onceText')}
          </Text>
        )}
      </Stack>
    </Lockable>
  )
}

type DetailsProps<T extends Trigger = Trigger> = { trigger: T; onChange: (next: Trigger, mark?: string) => void }

function Details({ trigger, onChange }: DetailsProps) {
  const t = useTexts()
  switch (trigger.type) {
    case 'event':
      return <EventFields trigger={trigger} onChange={onChange} />
    case 'custom_event':
      return <CustomEventFields trigger={trigger} onChange={onChange} />
    case 'segment_entry':
      return <SegmentField value={trigger.segment} onChange={(segment) => onChange({ ...trigger, segment })} />
    case 'inactivity':
      return (
        <NumberField
          label={t('daysOfSilence')}
          value={trigger.days}
          onChange={(value) => onChange({ ...trigger, days: value ?? Number.NaN }, 'days')}
          {...LIMITS.journeyInactivityDays}
          isWhole
          isNeeded
        />
      )
    case 'hijri':
      return (
        <Select
          label={t('hijriEvent')}
          data={HIJRI_EVENTS.map((value) => ({ value, label: t(`hijri_${value}`) }))}
          value={trigger.event}
          onChange={(value) => onChange({ ...trigger, event: HIJRI_EVENTS.find((each) => each === value) ?? trigger.event })}
          allowDeselect={false}
        />
      )
    case 'date':
      return <DateFields trigger={trigger} onChange={onChange} />
    case 'manual':
      return null
    default:
      return trigger satisfies never
  }
}

function EventFields({ trigger, onChange }: DetailsProps<Extract<Trigger, { type: 'event' }>>) {
  const t = useTexts()
  const { eventType, filters = {} } = trigger
  const setType = (next: EventType) => onChange({ type: 'event', eventType: next })
  const setFilter = (name: keyof Filters, value: string) => {
    const { [name]: _, ...others } = filters
    const next: Filters = value === '' ? others : { ...others, [name]: value }
    onChange({ type: 'event', eventType, ...(Object.keys(next).length > 0 && { filters: next }) }, `filter ${name}`)
  }
  const offered = filtersOf(eventType)
  return (
    <>
      <Select
        label={t('eventType')}
        data={EVENT_TYPES.map((value) => ({ value, label: t(`event_${value}`) }))}
        value={eventType}
        onChange={(value) => setType(EVENT_TYPES.find((each) => each === value) ?? eventType)}
        allowDeselect={false}
      />
      {offered.length > 0 && (
        <Fieldset legend={t('filters')} variant="unstyled">
          <Stack gap="xs" pt={4}>
            {offered.map((name) =>
              name === 'fenceId' ? (
                <FenceField key={name} value={filters.fenceId ?? ''} onChange={(value) => setFilter(name, value)} />
              ) : (
                <TextInput
                  key={name}
                  label={t(`filter_${name}`)}
                  placeholder={t('anyOfThem')}
                  value={filters[name] ?? ''}
                  onChange={({ currentTarget }) => setFilter(name, currentTarget.value)}
                  maxLength={200}
                  dir="auto"
                />
              ),
            )}
          </Stack>
        </Fieldset>
      )}
    </>
  )
}

/** The filters that events of this type allow. */
function filtersOf(type: EventType): (keyof Filters)[] {
  if (type === 'SIGN_UP' || type === 'SIGN_IN') return []
  return Object.hasOwn(CROSSED, type) ? ['fenceId'] : ['blockKey', 'screen', 'campaignId']
}

function FenceField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const t = useTexts()
  const { around } = useEditor()
  const known = [...(around.fences ?? [])].map(([id, name]) => ({ value: id, label: name }))
  const gone = value !== '' && around.fences && !around.fences.has(value) ? [{ value, label: t('fenceGone', { id: value }) }] : []
  return (
    <Select
      label={t('filter_fenceId')}
      placeholder={t('anyOfThem')}
      data={[...known, ...gone]}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      clearable
      searchable
      limit={100}
    />
  )
}

/** A segment by its id, so that it stays the same when it is renamed. */
export function SegmentField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const t = useTexts()
  const { around } = useEditor()
  const segments = [...(around.segments ?? [])].map(([id, name]) => ({ value: id, label: name }))
  const id = segments.find((segment) => segment.value === value || segment.label === value)?.value
  return (
    <Select
      label={t('segment')}
      placeholder={t('segmentPlaceholder')}
      data={segments}
      value={id ?? null}
      onChange={(next) => onChange(next ?? '')}
      searchable
      nothingFoundMessage={t('nothingFound')}
      limit={100}
    />
  )
}
