import { Group, Stack, Text } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Pages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/fields/filter-select.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { useRuleTexts } from '../segments/rules/rule-texts.ts'
import { foundWords } from '../segments/rules/rule-words.ts'
import { useBlockNames } from '../../ui/use-block-names.ts'
import { useEvents, type StoredEvent } from './api.ts'
import type { Environment } from '../../ui/environment.tsx'
import { useTexts } from './texts.ts'

/** What a device reported. `path`: `/devices/<id>`. */
export function EventsOf({ path, environment }: { path: string; environment: Environment }) {
  return <EventList days={LIMITS.recentDays} pages={useEvents(path, environment)} />
}

const SPANS = [7, LIMITS.recentDays, LIMITS.eventWindowDays] as const

/** What a person did on all devices, of one type where that is asked, and further back. `path`: `/users/<id>`. */
export function EventsOfUser({ path, environment }: { path: string; environment: Environment }) {
  const t = useTexts()
  const format = useFormat()
  const [type, setType] = useUrlState('event')
  const [span, setSpan] = useUrlState('days')
  const days = SPANS.find((each) => String(each) === span) ?? LIMITS.recentDays
  const [now] = useState(() => Date.now())
  const from = days === LIMITS.recentDays ? '' : new Date(now - days * DAY_MS).toISOString().slice(0, 10)
  const pages = useEvents(path, environment, { type, from })
  const spans = SPANS.map((each) => ({ value: String(each), label: t('eventsDays', { days: format.number(each) }) }))
  return (
    <Stack>
      <Group gap="xs">
        <SearchField value={type} onChange={setType} label={t('eventType')} />
        <FilterSelect
          label={t('eventsSince')}
          placeholder={t('eventsDays', { days: LIMITS.recentDays })}
          data={spans}
          value={span}
          onChange={setSpan}
          width={180}
        />
      </Group>
      <EventList days={days} pages={pages} search={type} onClear={() => setType('')} />
    </Stack>
  )
}

type EventListProps = { days: number; pages: Pages<StoredEvent>; search?: string; onClear?: () => void }

function EventList({ days, pages, search, onClear }: EventListProps) {
  const t = useTexts()
  const format = useFormat()
  const columns = useColumns()
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('eventsNote', { days: format.number(days) })}
      </Text>
      <Listing
        label={t('tabEvents')}
        pages={pages}
        columns={columns}
        idOf={({ id }) => id}
        search={search}
        {...(onClear && { onClearFilters: onClear })}
        empty={<EmptyState icon={IconActivity} title={t('noEventsTitle')} text={t('noEventsText')} />}
      />
    </Stack>
  )
}

const TYPES = ['impression', 'click', 'dismiss', 'conversion'] as const

function useColumns(): Column<StoredEvent>[] {
  const t = useTexts()
  const wording = { t: useRuleTexts(), format: useFormat() }
  const names = useBlockNames()
  return [
    {
      id: 'event',
      title: t('event'),
      cell: ({ type }) => {
        const known = TYPES.find((each) => each === type)
        return known ? t(`type_${known}`) : <bdi className="cf-code">{type}</bdi>
      },
    },
    {
      id: 'where',
      title: t('where'),
      cell: ({ blockKey, screen, stringKey, campaignId }) => {
        const name = names.get(blockKey ?? '')
        const codes = [name === undefined ? blockKey : null, screen, stringKey, campaignId].filter((place) => place !== null)
        return (
          <span style={{ overflowWrap: 'anywhere' }}>
            {name !== undefined && <bdi>{name}</bdi>}
            {name !== undefined && codes.length > 0 && ' · '}
            <bdi className="cf-code">{codes.join(' · ')}</bdi>
          </span>
        )
      },
    },
    {
      id: 'details',
      title: t('details'),
      isExtra: true,
      cell: ({ properties, value, currency }) => (
        <Text size="xs" c="dimmed" lineClamp={2} maw={360} style={{ overflowWrap: 'anywhere' }}>
          {[value === null ? '' : `${value} ${currency ?? ''}`.trim(), properties ? foundWords('', properties, wording) : '']
            .filter(Boolean)
            .join(' · ')}
        </Text>
      ),
    },
    {
      id: 'device',
      title: t('device'),
      isExtra: true,
      cell: ({ deviceId }) => (deviceId === null ? null : <bdi className="cf-code">{deviceId}</bdi>),
    },
    { id: 'when', title: t('when'), cell: ({ at }) => <Moment at={at} /> },
  ]
}
