import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { EXPERIMENTS, type ListedExperiment } from './api.ts'
import { HoldoutSection } from './holdout-section.tsx'
import { useTexts } from './texts.ts'
import { useSays } from './words.ts'

const STATES = ['planned', 'running', 'decided'] as const

/** All experiments, and what each says. */
export function ExperimentsPage() {
  const t = useTexts()
  const { workspace } = useSession()
  const [state, setState] = useUrlState('state')
  const pages = usePages<ListedExperiment>(EXPERIMENTS, 'experiments', state === '' ? {} : { state }, { every: 30_000 })
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      <Stack>
        <Group gap="xs">
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
          columns={useColumns()}
          idOf={({ id }) => id}
          empty={<EmptyState icon={IconFlask} title={t('emptyTitle')} text={t('emptyText')} />}
          isFiltered={state !== ''}
          pathOf={({ id }) => `/w/${workspace.id}/experiments/${encodeURIComponent(id)}`}
          onClearFilters={() => setState('')}
        />
        <HoldoutSection />
      </Stack>
    </Page>
  )
}

function useColumns(): Column<ListedExperiment>[] {
  const t = useTexts()
  const format = useFormat()
  const says = useSays()
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ id, name, subject, state }) => (
        <Stack gap={2}>
          <Anchor component={Link} to={encodeURIComponent(id)} fw={600} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed">
            {t(`subject_${subject}`)} · {t(`state_${state}`)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'says',
      title: t('says'),
      cell: (experiment) => (
        <Text
          size="sm"
          component="span"
          c={experiment.harmed.length > 0 || experiment.isMismatch ? 'var(--mantine-color-error)' : undefined}
        >
          {says(experiment)}
        </Text>
      ),
    },
    {
      id: 'units',
      title: t('devices'),
      align: 'end',
      isExtra: true,
      cell: ({ subject, units }) => (subject === 'control' ? t('countOfPeople', { number: format.number(units) }) : format.number(units)),
    },
    {
      id: 'began',
      title: t('began'),
      isExtra: true,
      cell: ({ startedAt }) => (startedAt ? <Moment at={startedAt} /> : t('notBegan')),
    },
  ]
}
