import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCalendarClock } from '@tabler/icons-react'
import { useState } from 'react'
import type { PublishAsked, Scheduled } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { Confirm } from '../../../../ui/confirm.tsx'
import { Failure } from '../../../../ui/failure.tsx'
import { MomentField } from '../../../../ui/moments/moment-field.tsx'
import { useMemberNames } from '../../use-member-names.ts'
import { instancePath, type Impact } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { usePublicationTexts } from '../publication-texts.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { isPossible } from './publication-time.tsx'
import { ServingNotice } from './serving-notice.tsx'

/** Planned publications, and those that failed at their moment. */
export function PlannedList() {
  const t = usePublicationTexts()
  const { instance } = useEditor()
  const path = `${instancePath(instance.blockKey, instance.id)}/schedule`
  const { data } = useRead<{ schedule: Scheduled[] }>(path, {}, { every: 30_000 })
  const [moving, setMoving] = useState<Scheduled>()
  const [ending, setEnding] = useState<Scheduled>()
  if (!data || data.schedule.length === 0) return null
  return (
    <Stack gap="xs" component="ul" aria-label={t('planned')} m={0} p={0} style={{ listStyle: 'none' }}>
      {data.schedule.map((planned) => (
        <li key={planned.id}>
          <Planned planned={planned} onMove={() => setMoving(planned)} onCancel={() => setEnding(planned)} />
        </li>
      ))}
      {moving && <MoveDialog path={path} planned={moving} onClose={() => setMoving(undefined)} />}
      {ending && <CancelDialog path={path} planned={ending} onClose={() => setEnding(undefined)} />}
    </Stack>
  )
}

function Planned({ planned, onMove, onCancel }: { planned: Scheduled; onMove: () => void; onCancel: () => void }) {
  const t = usePublicationTexts()
  const format = useFormat()
  const nameOf = useMemberNames()
  const { isReadOnly } = useEditor()
  const { revision, targets, at, fault, madeBy } = planned
  const words = { number: revision, where: format.list(targets.map((target) => t(target))), at: format.moment(at) }
  return (
    <Alert
      color={fault === null ? 'blue' : 'red'}
      icon={fault === null ? <IconCalendarClock aria-hidden /> : <IconAlertTriangle aria-hidden />}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 240px">
          {fault === null ? t('plannedOne', words) : t('plannedFailed', { ...words, fault })}
          <Text span size="sm" c="dimmed">
            {' · '}
            {t('by', { name: nameOf(madeBy) })}
          </Text>
        </Text>
        {!isReadOnly && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={onMove}>
              {t('move')}
            </Button>
            <Button size="xs" variant="default" onClick={onCancel}>
              {t('cancelPlan')}
            </Button>
          </Group>
        )}
      </Group>
    </Alert>
  )
}

type DialogProps = { path: string; planned: Scheduled; onClose: () => void }
const STALE = ['/blocks/', '/instances', '/content', '/reviews']

function MoveDialog({ path, planned, onClose }: DialogProps) {
  const t = usePublicationTexts()
  const [at, setAt] = useState<string | undefined>(planned.at)
  const move = useWrite<string, Scheduled | PublishAsked>(
    (moment) => ({ method: 'PUT', path: `${path}/${planned.id}`, body: { at: moment } }),
    { stale: STALE, done: (data) => t('requestId' in data ? 'submitted' : 'moved'), showsError: true },
  )
  const isFine = at !== undefined && isPossible({ isLater: true, at }, Date.now())
  const { instance } = useEditor()
  const question = { target: planned.targets[0] ?? 'live', revision: planned.revision, scheduleId: planned.id, at: at ?? '' }
  const serving = useRead<Impact>(`${instancePath(instance.blockKey, instance.id)}/impact`, question, { when: isFine }).data?.serving
  // Escape closes the calendar.
  return (
    <Dialog opened onClose={onClose} title={t('moveTitle')} closeOnEscape={false}>
      <Stack gap="md">
        <MomentField label={t('moment')} value={at} onChange={setAt} error={at && !isFine ? t('momentPast') : undefined} isRequired />
        {isFine && serving && <ServingNotice serving={serving} />}
        {move.error && <Failure error={move.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          <Button disabled={!isFine} loading={move.isPending} onClick={() => at && move.mutate(at, { onSuccess: onClose })}>
            {t('move')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function CancelDialog({ path, planned, onClose }: DialogProps) {
  const t = usePublicationTexts()
  const format = useFormat()
  const cancel = useWrite<void>(() => ({ method: 'DELETE', path: `${path}/${planned.id}` }), { stale: STALE, done: t('cancelled') })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => cancel.mutate(undefined, { onSettled: onClose })}
      title={t('cancelTitle')}
      action={t('cancelPlan')}
      isBusy={cancel.isPending}
    >
      {t('cancelText', { number: planned.revision, at: format.moment(planned.at) })}
    </Confirm>
  )
}
