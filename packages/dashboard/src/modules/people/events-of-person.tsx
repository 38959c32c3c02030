import { Stack, Text } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useFormat } from '../../format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { useRuleTexts } from '../segments/rules/rule-texts.ts'
import { foundWords } from '../segments/rules/rule-words.ts'
import { useBlockNames } from '../../ui/use-block-names.ts'
import { useEvents, type StoredEvent } from './api.ts'
import type { Environment } from '../../ui/environment.tsx'
import { useTexts } from './texts.ts'

/** Messages and actions of the person. `path`: `/users/<id>` or `/devices/<id>`. */
export function EventsOf({ path, environment }: { path: string; environment: Environment }) {
  const t = useTexts()
  const format = useFormat()
  const pages = useEvents(path, environment)
  const columns = useColumns()
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('eventsNote', { days: format.number(LIMITS.recentDays) })}
      </Text>
      <Listing
        label={t('tabEvents')}
        pages={pages}
        columns={columns}
        idOf={({ id }) => id}
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
    { id: 'device', title: t('device'), isExtra: true, cell: ({ deviceId }) => <bdi className="cf-code">{deviceId}</bdi> },
    { id: 'when', title: t('when'), cell: ({ at }) => <Moment at={at} /> },
  ]
}
