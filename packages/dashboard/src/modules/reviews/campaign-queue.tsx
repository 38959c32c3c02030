import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconChevronRight, IconSpeakerphone } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CampaignReview } from '@contentflow/server/wire.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/moment.tsx'
import { campaignPath } from '../campaigns/api.ts'
import { useMemberNames } from '../content/use-member-names.ts'
import { useTexts } from './texts.ts'
import classes from './reviews.module.css'

/** Campaigns, and changes of campaigns, that wait for a second person; the oldest first. `total` is the server's. */
export function CampaignQueue({ total }: { total: number }) {
  const t = useTexts()
  const format = useFormat()
  const pages = usePages<CampaignReview>('/campaigns/reviews', 'reviews', { limit: 5 }, { every: 30_000 })
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.items.length === 0) return null
  const count = pages.total ?? total
  return (
    <section aria-label={t('campaignQueue')}>
      <Text size="sm" fw={600} mb="sm">
        {t('campaignsToReview', { count, formatted: format.number(count) })}
      </Text>
      <ul className={classes.queue}>
        {pages.items.map((review) => (
          <li key={review.id}>
            <Row review={review} />
          </li>
        ))}
      </ul>
      {pages.hasMore && (
        <Button variant="default" size="xs" onClick={pages.loadMore} loading={pages.isMoreLoading}>
          {t('more')}
        </Button>
      )}
    </section>
  )
}

function Row({ review: { kind, campaignId, name, requestedBy, requestedAt } }: { review: CampaignReview }) {
  const t = useTexts()
  const { workspace, me } = useSession()
  const nameOf = useMemberNames()
  const isMine = requestedBy === me.user.userId
  const path = campaignPath(workspace.id, campaignId) + (kind === 'campaign_edit' ? '?tab=edits' : '')
  return (
    <Group gap="sm" wrap="nowrap">
      <IconSpeakerphone size={20} stroke={1.7} aria-hidden style={{ flexShrink: 0 }} />
      <div className={classes.words}>
        <Anchor component={Link} to={path} c="inherit" fw={600} size="sm" dir="auto" display="block" className="cf-foreign">
          {name}
        </Anchor>
        <Text size="sm" c="dimmed" component="div">
          {kind === 'campaign_edit' && `${t('campaignEdit')} · `}
          {isMine ? t('askedByYou') : t('askedBy', { name: nameOf(requestedBy) })} · <Moment at={requestedAt} />
        </Text>
      </div>
      <IconChevronRight size={16} aria-hidden className="cf-mirrored" style={{ flexShrink: 0 }} />
    </Group>
  )
}
