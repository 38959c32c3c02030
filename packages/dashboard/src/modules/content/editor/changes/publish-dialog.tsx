import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call, type ApiError } from '../../../../api.ts'
import { useRead } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { useSession } from '../../../../session.tsx'
import { Failure } from '../../../../ui/failure.tsx'
import { contentOf, instancePath, type Audience, type Environment, type Impact, type ServedContent, type Revision } from '../api.ts'
import { ChangeList } from './change-list.tsx'
import { changesBetween, patchOf } from './changes.ts'
import { useEditor } from '../editor-context.tsx'
import { usePublicationTexts } from '../publication-texts.ts'
import { useNeedsReview } from '../use-needs-review.ts'
import { findFaults } from './faults.ts'
import { isPossible, PublicationTimeField, type PublicationTime } from './publication-time.tsx'
import { FaultList } from './fault-list.tsx'
import { ServingNotice } from './serving-notice.tsx'
import { useLocaleNames } from '../fields/locale-names.ts'
import { useTexts } from '../texts.ts'
import type { Draft } from '../use-draft.ts'
import { Dialog } from '../../../../ui/dialog.tsx'

type Props = {
  target: Environment
  draft: Draft
  /** Published as it was; otherwise what is in the form. */
  revision?: Revision | undefined
  onClose: () => void
  /** `at`: later, at that moment. */
  onConfirm: (at: string | undefined) => void
  isBusy: boolean
  error: ApiError | null
}

/** What a publication changes, for whom, in which languages and from when, before it is done. */
export function PublishDialog({ target, draft, revision, onClose, onConfirm, isBusy, error }: Props) {
  const t = useTexts()
  const { workspace } = useSession()
  const words = usePublicationTexts()
  const { instance, definition } = useEditor()
  const [time, setTime] = useState<PublicationTime>({ isLater: false, at: undefined })
  const isForReview = useNeedsReview() && target === 'live'
  const content = revision?.content ?? draft.content
  const faults = useMemo(() => findFaults(definition.fields, content), [definition, content])
  const path = `${instancePath(instance.blockKey, instance.id)}/impact`
  const body = revision ? patchOf(contentOf(instance), revision.content) : patchOf(draft.base, draft.content)
  const hasFaults = faults.saving.length + faults.publishing.length > 0
  const at = time.isLater && isPossible(time, Date.now()) ? time.at : undefined
  const impact = useQuery({
    queryKey: [workspace.id, path, target, body, at],
    queryFn: async ({ signal }) =>
      (await call<Impact>(path, { method: 'POST', query: { target, ...(at && { at }) }, body, workspaceId: workspace.id, signal })).data,
    enabled: !hasFaults,
    // Another moment only changes what is shown when.
    placeholderData: keepPreviousData,
  })
  const served = useRead<ServedContent>(`${instancePath(instance.blockKey, instance.id)}/at`, { environment: target }).data?.content
  const isThere = (target === 'live' ? instance.live : (instance.test ?? instance.live)) !== null
  const changes = useMemo(() => (served ? changesBetween(served, content) : []), [served, content])
  const fault = impact.data?.fault
  const title = revision
    ? words('publishOfRevision', { number: revision.number })
    : t(isThere ? `publishChanges_${target}` : `publishTitle_${target}`)
  const action = isForReview
    ? words('submit')
    : time.isLater
      ? words('schedule')
      : t(isThere ? `confirmChanges_${target}` : `confirmPublish_${target}`)
  const isReady = !hasFaults && impact.data !== undefined && !impact.isPlaceholderData && !fault && isPossible(time, Date.now())
  // While the calendar is open, Escape closes it.
  return (
    <Dialog opened onClose={onClose} title={title} size="lg" closeOnEscape={!time.isLater}>
      <Stack gap="md">
        {hasFaults ? (
          <FaultList faults={[...faults.saving, ...faults.publishing]} />
        ) : impact.error ? (
          <Failure error={impact.error} onRetry={() => void impact.refetch()} />
        ) : !impact.data ? (
          <Skeleton height={72} role="status" aria-label={t('loading')} />
        ) : fault ? (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('cannotPublish')} role="alert">
            {fault}
          </Alert>
        ) : (
          <ImpactText impact={impact.data} isLater={time.isLater} />
        )}
        {isThere ? (
          <ChangeList changes={changes} label={t('differences')} />
        ) : (
          !revision && draft.changes.length > 0 && <Text size="sm">{t('savesFirst', { count: draft.changes.length })}</Text>
        )}
        <PublicationTimeField time={time} onChange={setTime} />
        {impact.data && !fault && !impact.isPlaceholderData && <ServingNotice serving={impact.data.serving} />}
        {isForReview && <Text size="sm">{words('submitText')}</Text>}
        {error && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button onClick={() => onConfirm(time.isLater ? time.at : undefined)} loading={isBusy} disabled={!isReady} data-autofocus>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** `isLater`: the times are shown beside the moment. */
function ImpactText({ impact: { target, audience, audienceNow, schedule, state }, isLater }: { impact: Impact; isLater: boolean }) {
  const t = useTexts()
  const format = useFormat()
  const names = useLocaleNames()
  const { content } = useEditor()
  const audienceText = useAudienceText()
  const languages = format.list([null, ...Object.keys(content.translations)].map(names))
  const from =
    schedule?.startTime && new Date(schedule.startTime) > new Date()
      ? t('fromTime', { at: format.moment(schedule.startTime) })
      : t('atOnce')
  const until = schedule?.endTime ? t('untilTime', { at: format.moment(schedule.endTime) }) : t('withoutEnd')
  const moved =
    audienceNow && (audienceNow.segment !== audience.segment || audienceNow.devices !== audience.devices) ? audienceNow : undefined
  return (
    <Alert color={target === 'live' ? 'green' : 'violet'} variant="light" title={audienceText(audience)}>
      <Stack gap={4}>
        <Text size="sm">
          {t('inLanguages', { languages })} {!isLater && (state === 'ended' ? t('alreadyOver') : `${from} ${until}`)}
        </Text>
        {moved && <NowText audience={moved} />}
        <Text size="xs" c="dimmed">
          {audience.segment === null ? t('devicesOfEveryone') : t('devicesOfSegment')}{' '}
          {t('countedAt', { time: format.time(audience.asOf) })}
        </Text>
      </Stack>
    </Alert>
  )
}

function NowText({ audience }: { audience: Audience }) {
  const t = useTexts()
  return <Text size="sm">{t('untilNow', { audience: useAudienceText()(audience) })}</Text>
}

function useAudienceText(): (audience: Audience) => string {
  const t = useTexts()
  const format = useFormat()
  return ({ segment, isKnown, devices }) => {
    if (!isKnown) return t('nobody', { name: segment ?? '' })
    const shown = format.number(devices)
    return segment === null ? t('forEveryone', { count: devices, shown }) : t('forSegment', { count: devices, shown, name: segment })
  }
}
