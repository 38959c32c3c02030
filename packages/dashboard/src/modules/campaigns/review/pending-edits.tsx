import { Alert, Anchor, Group, Text } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { Link } from 'react-router'
import { isApproved } from '@contentflow/core/campaigns/status.ts'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useUrlState } from '../../../ui/url-state.ts'
import { campaignApi, type Campaign, type CampaignEdit } from '../api.ts'
import { useReviewTexts } from './texts.ts'

/** The anchor of the requested changes, for links from elsewhere on the page. */
export function PendingEdits({ campaign: { id, status } }: { campaign: Campaign }) {
  const t = useReviewTexts()
  const format = useFormat()
  const [tab] = useUrlState('tab')
  const path = `${campaignApi(id)}/edit-requests`
  const when = isApproved(status)
  const { total = 0 } = usePages<CampaignEdit>(path, 'editRequests', { status: 'pending', limit: 1 }, { every: 30_000, when })
  if (!when || total === 0 || tab === 'edits') return null
  return (
    <Alert color="orange" icon={<IconEdit aria-hidden />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t('waiting', { count: total, formatted: format.number(total) })}</Text>
        <Anchor component={Link} to="?tab=edits" size="sm" fw={600}>
          {t('seeEdits')}
        </Anchor>
      </Group>
    </Alert>
  )
}
