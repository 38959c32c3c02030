import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import type { Segment } from './api.ts'
import { useRuleTexts } from './rules/rule-texts.ts'
import { rulesWords } from './rules/row-words.ts'
import { UseList } from './use-list.tsx'
import { useTexts } from './texts.ts'

export function SegmentsPage() {
  const t = useTexts()
  const { mayEdit, workspace } = useSession()
  const [search, setSearch] = useUrlState('search')
  const pages = usePages<Segment>('/segments', 'segments', { search })
  const columns = useColumns()
  const create = mayEdit && (
    <Button component={Link} to="new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('newSegment')}
    </Button>
  )
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={create}>
      <Stack>
        <SearchField value={search} onChange={setSearch} label={t('searchSegments')} />
        <Listing
          label={t('title')}
          pages={pages}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <EmptyState icon={IconUsersGroup} title={t('emptyTitle')} text={t('emptyText')}>
              {create}
            </EmptyState>
          }
          search={search}
          pathOf={({ id }) => `/w/${workspace.id}/segments/${id}`}
          onClearFilters={() => setSearch('')}
        />
      </Stack>
    </Page>
  )
}

function useColumns(): Column<Segment>[] {
  const t = useTexts()
  const format = useFormat()
  const wording = { t: useRuleTexts(), format }
  return [
    {
      id: 'name',
      title: t('name'),
      cell: (segment) => (
        <Stack gap={2}>
          <Anchor component={Link} to={segment.id} fw={600} style={{ overflowWrap: 'anywhere' }}>
            {segment.name}
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2} maw={520} style={{ overflowWrap: 'anywhere' }}>
            {rulesWords(segment, wording)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'people',
      title: t('people'),
      align: 'end',
      cell: ({ memberCount, fewerThan }) => (fewerThan !== undefined ? t('fewerThanFive') : format.number(memberCount)),
    },
    { id: 'freshness', title: t('freshness'), isExtra: true, cell: (segment) => <Freshness segment={segment} /> },
    { id: 'frequency', title: t('frequency'), isExtra: true, cell: ({ updateFrequency }) => t(`frequency_${updateFrequency}`) },
    { id: 'usedBy', title: t('usedBy'), isExtra: true, cell: ({ usedBy }) => <UseList usedBy={usedBy} /> },
  ]
}

/** Every segment follows each change of a person at once; how long ago all were looked at matters for rules that change with time. */
export function Freshness({ segment: { exactAsOf } }: { segment: Segment }) {
  const t = useTexts()
  const format = useFormat()
  if (exactAsOf === null) return <Text size="sm">{t('notCounted')}</Text>
  return (
    <Text size="sm" c="dimmed" component="span">
      {t('followsChanges', { when: format.ago(exactAsOf) })}
      <span className="cf-visually-hidden">
        <Moment at={exactAsOf} exact />
      </span>
    </Text>
  )
}
