import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconChevronRight, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Pages } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { useMemberNames } from '../content/use-member-names.ts'
import { useTexts } from './texts.ts'
import classes from './reviews.module.css'

type QueueProps<T> = {
  label: string
  /** The kind of requests in words, with their number. */
  title: string
  pages: Pages<T>
  rowOf: (item: T) => Row
}

/** Requests that wait for a second person; the oldest first. */
export function Queue<T extends { id: string }>({ label, title, pages, rowOf }: QueueProps<T>) {
  const t = useTexts()
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.items.length === 0) return null
  return (
    <section aria-label={label}>
      <Text size="sm" fw={600} mb="sm">
        {title}
      </Text>
      <ul className={classes.queue}>
        {pages.items.map((item) => (
          <li key={item.id}>
            <QueueRow {...rowOf(item)} />
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

export type Row = {
  picture: Icon
  name: string
  /** The page where it is looked at and decided. */
  path: string
  asked: { requestedBy: string; requestedAt: string }
  /** Shown before and after the author and time of the request. */
  before?: ReactNode
  after?: ReactNode
}

function QueueRow({ picture: Picture, name, path, asked: { requestedBy, requestedAt }, before, after }: Row) {
  const t = useTexts()
  const { me } = useSession()
  const nameOf = useMemberNames()
  return (
    <Group gap="sm" wrap="nowrap">
      <Picture size={20} stroke={1.7} aria-hidden style={{ flexShrink: 0 }} />
      <div className={classes.words}>
        <Anchor component={Link} to={path} c="inherit" fw={600} size="sm" dir="auto" display="block" className="cf-foreign">
          {name}
        </Anchor>
        <Text size="sm" c="dimmed" component="div">
          {before}
          {requestedBy === me.user.userId ? t('askedByYou') : t('askedBy', { name: nameOf(requestedBy) })} · <Moment at={requestedAt} />
          {after}
        </Text>
      </div>
      <IconChevronRight size={16} aria-hidden className="cf-mirrored" style={{ flexShrink: 0 }} />
    </Group>
  )
}
