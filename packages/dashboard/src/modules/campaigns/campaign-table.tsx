import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CAMPAIGN_STATUSES } from '@contentflow/core/campaigns/status.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { campaignPath, type Campaign } from './api.ts'
import { CampaignState, ChangedSince } from './campaign-state.tsx'
import { useTexts } from './texts.ts'
import { useChannelName, useGoalName, useSegmentName } from './words.ts'

export function CampaignTable({ create }: { create: ReactNode }) {
  const t = useTexts()
  const { workspace } = useSession()
  const [search, setSearch] = useUrlState('search')
  const [status, setStatus] = useUrlState('status')
  const pages = usePages<Campaign>('/campaigns', 'campaigns', { search, status, limit: 25 }, { every: 30_000 })
  const columns = useColumns()
  return (
    <Stack>
      <Group gap="xs">
        <SearchField value={search} onChange={setSearch} label={t('searchCampaigns')} />
        <FilterSelect
          label={t('status')}
          data={CAMPAIGN_STATUSES.map((each) => ({ value: each, label: t(`status_${each}`) }))}
          value={status}
          onChange={setStatus}
          width={180}
        />
      </Group>
      <Listing
        label={t('title')}
        pages={pages}
        columns={columns}
        idOf={({ id }) => id}
        pathOf={({ id }) => campaignPath(workspace.id, id)}
        search={search}
        isFiltered={status !== ''}
        onClearFilters={() => {
          setSearch('')
          setStatus('')
        }}
        empty={
          <EmptyState icon={IconSpeakerphone} title={t('emptyTitle')} text={t(create ? 'emptyText' : 'emptyRead')}>
            {create}
          </EmptyState>
        }
      />
    </Stack>
  )
}

function useColumns(): Column<Campaign>[] {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const channelName = useChannelName()
  const goalName = useGoalName()
  const segmentName = useSegmentName()
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ id, name, type }) => (
        <Stack gap={2}>
          <Anchor component={Link} to={campaignPath(workspace.id, id)} fw={600} dir="auto" className="cf-foreign">
            {name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {goalName(type)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'status',
      title: t('status'),
      cell: ({ status, changedSinceApproval }) => (
        <Stack gap={4} align="flex-start">
          <CampaignState status={status} />
          {changedSinceApproval.length > 0 && <ChangedSince />}
        </Stack>
      ),
    },
    {
      id: 'audience',
      title: t('audience'),
      isExtra: true,
      cell: ({ segments }) => (segments.length === 0 ? t('nobody') : format.list(segments.map(segmentName))),
    },
    {
      id: 'channels',
      title: t('channels'),
      isExtra: true,
      cell: ({ dispatchChannels }) => (dispatchChannels.length === 0 ? t('noChannel') : format.list(dispatchChannels.map(channelName))),
    },
    { id: 'starts', title: t('starts'), isExtra: true, cell: (campaign) => <Start campaign={campaign} /> },
    { id: 'updated', title: t('updated'), isExtra: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
  ]
}

/** A campaign that never went out and whose start has passed starts at its launch. */
function Start({ campaign: { schedule, status } }: { campaign: Campaign }) {
  const t = useTexts()
  const isOpen = ['draft', 'rejected', 'pending_review', 'approved'].includes(status)
  const { startTime } = schedule
  if (startTime === undefined || (isOpen && Date.parse(startTime) <= Date.now())) return t('atLaunch')
  return <Moment at={startTime} exact />
}
