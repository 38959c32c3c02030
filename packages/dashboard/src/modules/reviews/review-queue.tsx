import { IconActivity, IconLayoutGrid, IconMessage, IconRoute, IconSpeakerphone } from '@tabler/icons-react'
import type { AnyReview } from '@contentflow/server/wire.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { campaignPath } from '../campaigns/api.ts'
import { instancePath } from '../content/api.ts'
import { Queue, type Row } from './queue.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { useTexts } from './texts.ts'

/** Everything that waits for a second person: requests to publish, campaigns, and changes of campaigns. `total` is the server's. */
export function ReviewQueue({ total }: { total: number }) {
  const t = useTexts()
  const format = useFormat()
  const pages = usePages<AnyReview>('/reviews', 'reviews', { limit: 5 }, { every: 30_000 })
  const count = pages.total ?? total
  const [open, setOpen] = useUrlState('request')
  const shown = pages.items.find(({ id }) => id === open)
  const row = useRow()
  return (
    <>
      <Queue label={t('queue')} title={t('toReview', { count, formatted: format.number(count) })} pages={pages} rowOf={row} />
      {(shown?.kind === 'journey' || shown?.kind === 'notification') && (
        <RequestDialog key={shown.id} request={shown} onClose={() => setOpen('')} />
      )}
    </>
  )
}

function useRow(): (review: AnyReview) => Row {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  return (review) => {
    if (review.kind === 'instance')
      return {
        picture: IconLayoutGrid,
        name: review.title || t('untitled'),
        path: `${instancePath(workspace.id, review.blockKey, review.instanceId)}?review=${review.id}`,
        asked: review,
        before: `${t('kind_instance')} · `,
        after: review.at && ` · ${t('for', { at: format.moment(review.at) })}`,
      }
    if (review.kind === 'journey' || review.kind === 'notification')
      return {
        picture: review.kind === 'journey' ? IconRoute : IconMessage,
        name: review.kind === 'journey' ? review.name : nameOfMessage(review) || t('untitled'),
        path: `/w/${workspace.id}?request=${review.id}`,
        asked: review,
        before: `${t(`kind_${review.kind}`)} · `,
      }
    if (review.kind === 'sensor')
      return {
        picture: IconActivity,
        name: review.key,
        path: `/w/${workspace.id}/strings?key=${encodeURIComponent(review.key)}`,
        asked: review,
        before: `${t('kind_sensor')} · `,
      }
    return {
      picture: IconSpeakerphone,
      name: review.name,
      path: campaignPath(workspace.id, review.campaignId) + (review.kind === 'campaign_edit' ? '?tab=edits' : ''),
      asked: review,
      before: `${t(`kind_${review.kind}`)} · `,
    }
  }
}

function nameOfMessage({ content, mail }: Extract<AnyReview, { kind: 'notification' }>): string | undefined {
  const subject = Object.values(mail?.texts ?? {})[0]?.subject
  return subject || content.title || content.body
}
