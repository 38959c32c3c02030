import { IconLayoutGrid } from '@tabler/icons-react'
import type { Review } from '@contentflow/server/wire.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { instancePath } from '../content/api.ts'
import { Queue } from './queue.tsx'
import { useTexts } from './texts.ts'

/** Requests to publish. `total` is the server's. */
export function ReviewQueue({ total }: { total: number }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const pages = usePages<Review>('/reviews', 'reviews', { limit: 5 }, { every: 30_000 })
  const count = pages.total ?? total
  return (
    <Queue
      label={t('queue')}
      title={t('toReview', { count, formatted: format.number(count) })}
      pages={pages}
      rowOf={(review) => ({
        picture: IconLayoutGrid,
        name: review.title || t('untitled'),
        path: `${instancePath(workspace.id, review.blockKey, review.instanceId)}?review=${review.id}`,
        asked: review,
        after: review.at && ` · ${t('for', { at: format.moment(review.at) })}`,
      })}
    />
  )
}
