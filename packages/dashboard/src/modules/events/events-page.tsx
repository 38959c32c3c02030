import { Anchor, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconActivity, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { isBuiltIn } from '@contentflow/core/events/catalog/declared-type.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EnvironmentSwitch, useEnvironment } from '../../ui/environment.tsx'
import { FilterSelect } from '../../ui/fields/filter-select.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlChoice, useUrlState } from '../../ui/url-state.ts'
import { EVENT_TYPES, useOthers, type ListedEventType } from './api.ts'
import { LiveTail } from './live-tail.tsx'
import { NewTypeDialog } from './type-dialog.tsx'
import { useTexts } from './texts.ts'

const VIEWS = ['catalogue', 'live'] as const
const STATES = ['declared', 'undeclared', 'unused', 'violated', 'hidden'] as const

/** What apps report: the catalogue of it, and what arrives just now. */
export function EventsPage() {
  const t = useTexts()
  const { mayEdit } = useSession()
  const [view, setView] = useUrlChoice('view', VIEWS, 'catalogue')
  const [environment, setEnvironment] = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const create = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
      {t('declareNew')}
    </Button>
  )
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={create}>
      <Stack>
        <Group gap="sm">
          <SegmentedControl
            aria-label={t('view')}
            data={VIEWS.map((value) => ({ value, label: t(`view_${value}`) }))}
            value={view}
            onChange={setView}
          />
          <EnvironmentSwitch value={environment} onChange={setEnvironment} />
        </Group>
        {view === 'live' ? <LiveTail environment={environment} /> : <Catalogue environment={environment} />}
      </Stack>
      {isOpen && <NewTypeDialog onClose={() => setOpen(false)} />}
    </Page>
  )
}

function Catalogue({ environment }: { environment: 'live' | 'test' }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const [search, setSearch] = useUrlState('search')
  const [state, setState] = useUrlState('state')
  const pages = usePages<ListedEventType>(EVENT_TYPES, 'types', { search, environment, ...(state !== '' && { state }) })
  const others = useOthers().data?.others ?? 0
  const columns = useColumns()
  return (
    <Stack>
      <Group gap="xs">
        <SearchField value={search} onChange={setSearch} label={t('search')} />
        <FilterSelect
          label={t('state')}
          data={STATES.map((value) => ({ value, label: t(`state_${value}`) }))}
          value={state}
          onChange={setState}
          width={220}
        />
      </Group>
      <Listing
        label={t('title')}
        pages={pages}
        columns={columns}
        idOf={({ name }) => name}
        empty={<EmptyState icon={IconActivity} title={t('emptyTitle')} text={t('emptyText')} />}
        search={search}
        isFiltered={state !== ''}
        pathOf={({ name }) => `/w/${workspace.id}/events/type?${new URLSearchParams({ name })}`}
        onClearFilters={() => (setSearch(''), setState(''))}
      />
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {t('others', { number: format.number(others) })}
        </Text>
      )}
    </Stack>
  )
}

function useColumns(): Column<ListedEventType>[] {
  const t = useTexts()
  const format = useFormat()
  return [
    {
      id: 'name',
      title: t('type'),
      cell: (type) => (
        <Stack gap={2}>
          <Group gap={6}>
            <Anchor component={Link} to={`type?${new URLSearchParams({ name: type.name })}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
              <bdi className="cf-code">{type.name}</bdi>
            </Anchor>
            <StateMark type={type} />
          </Group>
          {type.description !== '' && (
            <Text size="xs" c="dimmed" lineClamp={2} maw={520} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{type.description}</bdi>
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'volume', title: t('volume'), align: 'end', cell: ({ volume }) => format.number(volume) },
    {
      id: 'violations',
      title: t('violations'),
      align: 'end',
      isExtra: true,
      cell: ({ violations }) => (
        <Text size="sm" c={violations > 0 ? 'red' : 'dimmed'} component="span">
          {format.number(violations)}
        </Text>
      ),
    },
    { id: 'owner', title: t('owner'), isExtra: true, cell: ({ owner }) => <bdi>{owner}</bdi> },
    {
      id: 'uses',
      title: t('uses'),
      isExtra: true,
      cell: ({ uses: { segments, journeys } }) => (
        <Text size="sm" c="dimmed" component="span">
          {segments.length + journeys.length === 0
            ? t('none')
            : t('usesCount', { segments: format.number(segments.length), journeys: format.number(journeys.length) })}
        </Text>
      ),
    },
    { id: 'lastSeen', title: t('lastSeen'), isExtra: true, cell: ({ lastSeen }) => (lastSeen ? <Moment at={lastSeen} /> : t('neverSeen')) },
  ]
}

/** Whether somebody declared it, in a word. */
export function StateMark({ type: { name, isDeclared, isHidden } }: { type: Pick<ListedEventType, 'name' | 'isDeclared' | 'isHidden'> }) {
  const t = useTexts()
  const [color, text] = isDeclared
    ? ['green', t('state_declared')]
    : isHidden
      ? ['gray', t('state_hidden')]
      : isBuiltIn(name)
        ? ['blue', t('builtIn')]
        : ['yellow', t('state_undeclared')]
  return (
    <Badge color={color} variant="light" tt="none" fw={600} radius="sm" styles={{ label: { overflow: 'visible' } }}>
      {text}
    </Badge>
  )
}
