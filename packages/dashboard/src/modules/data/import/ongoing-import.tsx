import { Alert, Anchor, Button, Group, Paper, Progress, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCalendar } from '../../../calendar.ts'
import { useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { EnvironmentBadge } from '../../../ui/state-badge.tsx'
import { uploadPath, useMemberNames, type Import, type UploadPage } from '../api.ts'
import { useTexts } from '../texts.ts'
import { DryRun } from './dry-run.tsx'
import { ResumeImport } from './resume-import.tsx'
import { startSending, type Sending } from './sending.ts'
import { useImportTexts } from './texts.ts'
import { useImport, useImportActions, type ImportActions } from './use-import.ts'
import { placesOfOngoing } from './places.ts'
import { takeBack, type Reopened } from './reopened.ts'

type OngoingImportProps = {
  importId: string
  onNew: () => void
  /** Called to change its columns, with the open file. */
  onColumns: (reopened: Reopened) => void
}

/** An import from its first row to its end, whichever member began it. */
export function OngoingImport({ importId, onNew, onColumns }: OngoingImportProps) {
  const { data, error, refetch, sending } = useImport(importId)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton h={280} />
  return <State held={data} sending={sending} onNew={onNew} onColumns={onColumns} />
}

type StateProps = Pick<OngoingImportProps, 'onNew' | 'onColumns'> & { held: Import; sending: Sending | undefined }

function State({ held, sending, onNew, onColumns }: StateProps) {
  const { mayEdit } = useSession()
  const actions = useImportActions(held)
  const canGiveUp = mayEdit && ['staging', 'matching', 'ready', 'failed'].includes(held.status)
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        <Stack gap="md">
          <Head held={held} actions={actions} canGiveUp={canGiveUp} />
          {actions.error && <Failure error={actions.error} />}
          <Step held={held} sending={sending} actions={actions} onNew={onNew} />
        </Stack>
      </Paper>
      {held.status === 'ready' && (
        <DryRun
          held={held}
          actions={actions}
          file={sending?.file}
          onColumns={() => actions.takeBack(() => onColumns(takeBack(held.importId)))}
        />
      )}
    </Stack>
  )
}

function Head({ held, actions, canGiveUp }: { held: Import; actions: ImportActions; canGiveUp: boolean }) {
  const t = useImportTexts()
  const data = useTexts()
  const members = useMemberNames()
  return (
    <Group justify="space-between" align="start" gap="sm">
      <div>
        <Group gap="xs">
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {held.fileName || data('noName')}
          </Title>
          {held.env === 'test' && <EnvironmentBadge environment="test" />}
        </Group>
        <Text size="sm" c="dimmed" component="div">
          {data('by', { name: members.get(held.createdBy) ?? data('formerMember') })} · <Moment at={held.createdAt} />
          {(held.status === 'staging' || held.status === 'ready') && (
            <>
              {' '}
              · {t('keptUntil')} <Moment at={held.stagedUntil} />
            </>
          )}
        </Text>
      </div>
      {canGiveUp && (
        <Button variant="default" onClick={actions.giveUp} loading={actions.isGivingUp}>
          {t('giveUp')}
        </Button>
      )}
    </Group>
  )
}

type StepProps = { held: Import; sending: Sending | undefined; actions: ImportActions; onNew: () => void }

function Step({ held, sending, actions, onNew }: StepProps) {
  const t = useImportTexts()
  const { counts, doneRows } = held
  switch (held.status) {
    case 'staging':
      return sending ? <SendingRows sending={sending} held={held} /> : <ResumeImport held={held} actions={actions} />
    case 'matching':
      return (
        <Working title={t('matching')} done={doneRows} total={counts.rows} note={actions.isGivingUp ? t('givesUp') : t('matchingText')} />
      )
    case 'ready':
      return <Text size="sm">{t('readyText')}</Text>
    case 'committing':
      return <Working title={t('committing')} done={doneRows} total={counts.rows} note={t('committingText')} />
    case 'committed':
      return <Done held={held} onNew={onNew} />
    case 'failed':
      return <Failed held={held} />
    case 'cancelled':
      return (
        <Alert color="gray" title={t('cancelledTitle')}>
          <Stack gap="sm" align="start">
            <Text size="sm">{t('cancelledText')}</Text>
            <Button onClick={onNew}>{t('another')}</Button>
          </Stack>
        </Alert>
      )
    default:
      return held.status satisfies never
  }
}

/** How far something long is, in words and as a bar. */
function Working({ title, done, total, note }: { title: string; done: number; total: number; note: ReactNode }) {
  const t = useImportTexts()
  const format = useFormat()
  return (
    <Stack gap={6} role="status">
      <Text size="sm" fw={500}>
        {title} {t('ofRows', { count: total, done: format.number(done), total: format.number(total) })}
      </Text>
      <Progress aria-label={title} value={(done * 100) / Math.max(total, 1)} size={8} />
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    </Stack>
  )
}

function SendingRows({ sending: { sent, total, state, error, file, workspaceId }, held }: { sending: Sending; held: Import }) {
  const t = useImportTexts()
  const { timeZone } = useCalendar()
  const columns = placesOfOngoing(workspaceId, held, file, timeZone)
  const again = () => void startSending({ importId: held.importId, workspaceId, file, columns, staged: sent })
  if (state !== 'failed') return <Working title={t('sending')} done={sent} total={total} note={t('sendingText')} />
  return (
    <Stack gap="sm" align="start">
      {error && <Failure error={error} title={t('sendingStopped')} />}
      <Button onClick={again}>{t('continue')}</Button>
    </Stack>
  )
}

function Done({ held, onNew }: { held: Import; onNew: () => void }) {
  const t = useImportTexts()
  const format = useFormat()
  const { workspace, mayEdit } = useSession()
  const { data } = useRead<UploadPage>(uploadPath(held.importId))
  const root = `/w/${workspace.id}`
  return (
    <Alert color="teal" title={t('doneTitle')}>
      <Stack gap="sm" align="start">
        {data && (
          <Text size="sm">
            {t('doneText', { count: data.written, people: format.number(data.written), values: format.number(data.valueCount) })}
          </Text>
        )}
        <Group gap="md">
          <Anchor component={Link} size="sm" to={`${root}/data?upload=${encodeURIComponent(held.importId)}`}>
            {t('toHistory')}
          </Anchor>
          {mayEdit && (
            <Anchor component={Link} size="sm" to={`${root}/segments/new`}>
              {t('toSegment')}
            </Anchor>
          )}
        </Group>
        {mayEdit && (
          <Button variant="default" onClick={onNew}>
            {t('another')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function Failed({ held }: { held: Import }) {
  const t = useImportTexts()
  const { workspace } = useSession()
  return (
    <Alert color="red" role="alert" title={t('failedTitle')}>
      <Stack gap="sm" align="start">
        <Text size="sm">{t('failedText')}</Text>
        {held.doneRows > 0 && (
          <Anchor component={Link} size="sm" to={`/w/${workspace.id}/data?upload=${encodeURIComponent(held.importId)}`}>
            {t('toHistory')}
          </Anchor>
        )}
      </Stack>
    </Alert>
  )
}
