import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconEyeCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Review } from '@contentflow/server/wire.ts'
import { useRead } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { useSession } from '../../../../session.tsx'
import { Decision } from '../../../../ui/decision/decision.tsx'
import { Failure } from '../../../../ui/failure.tsx'
import { Moment } from '../../../../ui/moments/moment.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import { useMemberNames } from '../../use-member-names.ts'
import { instancePath, type ServedContent } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { usePublicationTexts } from '../publication-texts.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { ChangeList } from './change-list.tsx'
import { changesBetween, everythingIn } from './changes.ts'
import { useRevisions } from './use-revisions.ts'

/** Requests to publish this instance that wait for a second person. The address can name the one that is looked at. */
export function ReviewNotices() {
  const t = usePublicationTexts()
  const { instance } = useEditor()
  const [open, setOpen] = useUrlState('review')
  const { data } = useRead<{ reviews: Review[] }>('/reviews', { instanceId: instance.id, limit: 50 }, { every: 30_000 })
  const reviews = data?.reviews ?? []
  const shown = reviews.find(({ id }) => id === open)
  return (
    <>
      {reviews.map((review) => (
        <Notice key={review.id} review={review} onOpen={() => setOpen(review.id)} />
      ))}
      {shown && <ReviewDialog key={shown.id} review={shown} onClose={() => setOpen('')} />}
      {data && open !== '' && !shown && (
        <Alert color="gray" withCloseButton closeButtonLabel={t('close')} onClose={() => setOpen('')}>
          {t('reviewOver')}
        </Alert>
      )}
    </>
  )
}

function useWords(review: Review) {
  const t = usePublicationTexts()
  const { me, workspace } = useSession()
  const nameOf = useMemberNames()
  const isMine = review.requestedBy === me.user.userId
  const { action, revision: number } = review
  const title = isMine ? t(`asked_${action}_mine`, { number }) : t(`asked_${action}`, { name: nameOf(review.requestedBy), number })
  return { isMine, title, mayDecide: workspace.canApprove && !isMine }
}

function Notice({ review, onOpen }: { review: Review; onOpen: () => void }) {
  const t = usePublicationTexts()
  const format = useFormat()
  const { title, mayDecide } = useWords(review)
  return (
    <Alert color="orange" icon={<IconEyeCheck aria-hidden />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 240px" component="div">
          {title} · <Moment at={review.requestedAt} />
          {review.at && ` · ${t('reviewAt', { at: format.moment(review.at) })}`}
        </Text>
        <Button size="xs" variant={mayDecide ? 'filled' : 'default'} onClick={onOpen}>
          {t(mayDecide ? 'review' : 'seeDifferences')}
        </Button>
      </Group>
    </Alert>
  )
}

/** What would change for live apps, and the buttons to decide. */
function ReviewDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  const t = usePublicationTexts()
  const format = useFormat()
  const { title } = useWords(review)
  return (
    <Dialog opened onClose={onClose} title={t('reviewTitle', { number: review.revision })} size="lg">
      <Stack gap="md">
        <Text size="sm" component="div">
          {title} · <Moment at={review.requestedAt} />
        </Text>
        <Text size="sm" fw={600}>
          {t(`when_${review.action}`, { at: review.at === null ? t('whenApproved') : format.moment(review.at) })}
        </Text>
        <Differences review={review} />
        <Decision
          review={review}
          approve={t(review.at === null ? `approve_${review.action}` : 'approveAt')}
          stale={['/blocks/', '/instances', '/content']}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  )
}

/** What live apps get when it is approved, as text: content that they do not have yet, and content that differs. */
function Differences({ review: { revision, action } }: { review: Review }) {
  const t = usePublicationTexts()
  const { instance } = useEditor()
  const asked = useRevisions(instance, revision).items.find(({ number }) => number === revision)?.content
  const served = useRead<ServedContent>(`${instancePath(instance.blockKey, instance.id)}/at`, { environment: 'live' })
  const now = served.data?.content
  const isFirst = served.data !== undefined && !now
  const isTakenAway = action === 'unpublish' || action === 'delete'
  const changes = useMemo(() => (now && asked ? changesBetween(now, asked) : []), [now, asked])
  if (served.error && !served.data) return <Failure error={served.error} onRetry={() => void served.refetch()} />
  if (!asked || !served.data) return <Skeleton height={96} />
  if (isFirst || isTakenAway)
    return (
      <>
        {isFirst && <Text size="sm">{t('firstPublication', { number: revision })}</Text>}
        <ChangeList changes={everythingIn(asked)} label={t('everything')} isWhole />
      </>
    )
  return (
    <>
      <ChangeList changes={changes} label={t('differences')} />
      <details>
        <summary>{t('everythingOf', { number: revision })}</summary>
        <ChangeList changes={everythingIn(asked)} label={t('everything')} isWhole />
      </details>
    </>
  )
}
