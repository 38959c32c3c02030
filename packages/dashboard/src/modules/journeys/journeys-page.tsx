import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { JOURNEY_STATUSES } from '@contentflow/core/journeys/journey.ts'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { JOURNEYS, type ListedJourney } from './api.ts'
import { withNumbers } from './draft/stored-draft.ts'
import { JourneyBadge } from './journey-badge.tsx'
import { triggerWords } from './steps/step-words.ts'
import { useWording } from './steps/use-wording.ts'
import { TemplateCards } from './templates/template-cards.tsx'
import { useTexts } from './texts.ts'
import { useAround } from './use-around.ts'

export function JourneysPage() {
  const t = useTexts()
  const { mayEdit, workspace } = useSession()
  const [search, setSearch] = useUrlState('search')
  const [status, setStatus] = useUrlState('status')
  const pages = usePages<ListedJourney>(JOURNEYS, 'journeys', { search, status })
  const columns = useColumns()
  const isEmpty = pages.items.length === 0 && search === '' && status === '' && !pages.isLoading && !pages.error
  return (
    <Page
      title={t('title')}
      subtitle={t('subtitle')}
      actions={
        mayEdit &&
        !isEmpty && (
          <Button component={Link} to="new" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('newJourney')}
          </Button>
        )
      }
    >
      <Stack>
        {!isEmpty && (
          <Group gap="xs">
            <SearchField value={search} onChange={setSearch} label={t('searchJourneys')} />
            <FilterSelect
              label={t('state')}
              placeholder={t('anyStatus')}
              data={JOURNEY_STATUSES.map((value) => ({ value, label: t(`status_${value}`) }))}
              value={status}
              onChange={setStatus}
              width={180}
            />
          </Group>
        )}
        <Listing
          label={t('title')}
          pages={pages}
          columns={columns}
          idOf={({ id }) => id}
          pathOf={({ id }) => `/w/${workspace.id}/journeys/${id}`}
          empty={<EmptyState icon={IconRoute} title={t('emptyTitle')} text={t(mayEdit ? 'emptyText' : 'emptyRead')} />}
          search={search}
          isFiltered={status !== ''}
          onClearFilters={() => {
            setStatus('')
            setSearch('')
          }}
        />
        {isEmpty && mayEdit && <TemplateCards />}
      </Stack>
    </Page>
  )
}

function useColumns(): Column<ListedJourney>[] {
  const t = useTexts()
  const format = useFormat()
  const wording = useWording(useAround())
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ id, name, trigger }) => (
        <Stack gap={2}>
          <Anchor component={Link} to={id} fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name.trim() || t('untitled')}
          </Anchor>
          <Text size="xs" c="dimmed">
            {triggerWords(withNumbers(trigger), wording)}
          </Text>
        </Stack>
      ),
    },
    { id: 'state', title: t('state'), cell: (journey) => <JourneyBadge status={journey.status} incomplete={journey.incomplete} /> },
    { id: 'active', title: t('inItNow'), align: 'end', cell: ({ people }) => format.number(people.active) },
    { id: 'entered', title: t('entered'), align: 'end', isExtra: true, cell: ({ people }) => format.number(people.entered) },
    { id: 'updated', title: t('updated'), isExtra: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
  ]
}
