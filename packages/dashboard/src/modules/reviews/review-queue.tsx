import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconChevronRight, IconLayoutGrid, type Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Review } from '@contentflow/server/wire.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/moment.tsx'
import { instancePath } from '../content/api.ts'
import { useMemberNames } from '../content/use-member-names.ts'
import { useTexts } from './texts.ts'
import classes from './reviews.module.css'

/** What can wait for a second person: a new kind needs its picture and the page where it is looked at and decided. */
const KINDS: Record<Review['kind'], { icon: Icon; path: (workspaceId: string, review: Review) => string }> = {
  instance: {
    icon: IconLayoutGrid,
    path: (workspaceId, { blockKey, instanceId, id }) => `${instancePath(workspaceId, blockKey, instanceId)}?review=${id}`,
  },
}

/** Requests to publish, the oldest first. `total` is the server's. */
export function ReviewQueue({ total }: { total: number }) {
  const t = useTexts()
  const format = useFormat()
  const pages = usePages<Review>('/reviews', 'reviews', { limit: 5 }, { every: 30_000 })
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.items.length === 0) return null
  const count = pages.total ?? total
  return (
    <section aria-label={t('queue')}>
      <Text size="sm" fw={600} mb="sm">
        {t('toReview', { count, formatted: format.number(count) })}
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

function Row({ review }: { review: Review }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace, me } = useSession()
  const nameOf = useMemberNames()
  const { icon: Picture, path } = KINDS[review.kind]
  const isMine = review.requestedBy === me.user.userId
  return (
    <Group gap="sm" wrap="nowrap">
      <Picture size={20} stroke={1.7} aria-hidden style={{ flexShrink: 0 }} />
      <div className={classes.words}>
        <Anchor
          component={Link}
          to={path(workspace.id, review)}
          c="inherit"
          fw={600}
          size="sm"
          dir="auto"
          display="block"
          className="cf-foreign"
        >
          {review.title || t('untitled')}
        </Anchor>
        <Text size="sm" c="dimmed" component="div">
          {isMine ? t('askedByYou') : t('askedBy', { name: nameOf(review.requestedBy) })} · <Moment at={review.requestedAt} />
          {review.at && ` · ${t('for', { at: format.moment(review.at) })}`}
        </Text>
      </div>
      <IconChevronRight size={16} aria-hidden className="cf-mirrored" style={{ flexShrink: 0 }} />
    </Group>
  )
}
