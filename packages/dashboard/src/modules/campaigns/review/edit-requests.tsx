import { Alert, Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { AskedChanges } from '@contentflow/core/campaigns/campaign.ts'
import { usePages, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { campaignApi, STALE, type Campaign, type CampaignEdit } from '../api.ts'
import { Mark } from '../campaign-state.tsx'
import { useMemberName } from '../words.ts'
import { DifferenceList } from './difference-list.tsx'
import { differencesBetween } from './differences.ts'
import { useReviewTexts } from './texts.ts'

const COLORS = { pending: 'orange', approved: 'green', rejected: 'red', withdrawn: 'gray' } as const

/** Changes of what is approved that wait for a second person, and what became of earlier ones (G-53). */
export function EditRequests({ campaign }: { campaign: Campaign }) {
  const t = useReviewTexts()
  const pages = usePages<CampaignEdit>(`${campaignApi(campaign.id)}/edit-requests`, 'editRequests', { limit: 20 }, { every: 30_000 })
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (!pages.isLoading && pages.items.length === 0)
    return (
      <Paper withBorder p="md">
        <EmptyState icon={IconEdit} title={t('emptyTitle')} text={t('emptyText')} />
      </Paper>
    )
  return (
    <Stack>
      {pages.items.map((edit) => (
        <EditRequest key={edit.id} campaign={campaign} edit={edit} />
      ))}
    </Stack>
  )
}

function EditRequest({ campaign, edit }: { campaign: Campaign; edit: CampaignEdit }) {
  const t = useReviewTexts()
  const { me } = useSession()
  const memberName = useMemberName()
  const { status, requestedBy, requestedAt, decidedBy, note, baseVersion } = edit
  const isOpen = status === 'pending'
  const isMine = requestedBy === me.user.userId
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group gap="xs">
          <Mark color={COLORS[status]} text={t(`status_${status}`)} />
          <Text size="sm" component="div">
            {isMine && isOpen ? t('askedByYou') : t('askedBy', { name: memberName(requestedBy) })} · <Moment at={requestedAt} />
          </Text>
        </Group>
        {isOpen && baseVersion !== campaign.version && <Alert color="yellow">{t('outdated')}</Alert>}
        {isOpen && (
          <DifferenceList
            differences={differencesBetween(campaign, edit.changes as AskedChanges)}
            label={t('requested')}
            after={t('requested')}
          />
        )}
        {decidedBy !== null && status !== 'withdrawn' && (
          <Text size="sm" c="dimmed">
            {t('decidedBy', { name: memberName(decidedBy) })}
          </Text>
        )}
        {note !== null && (
          <Text size="sm" dir="auto" className="cf-foreign" style={{ whiteSpace: 'pre-wrap' }}>
            {note}
          </Text>
        )}
        {isOpen && !isMine && <Decision campaign={campaign} edit={edit} />}
      </Stack>
    </Paper>
  )
}

function Decision({ campaign, edit }: { campaign: Campaign; edit: CampaignEdit }) {
  const t = useReviewTexts()
  const { mayApprove } = useSession()
  const [note, setNote] = useState('')
  const decide = useWrite<'approve' | 'reject'>(
    (verdict) => ({
      method: 'POST',
      path: `${campaignApi(campaign.id)}/edit-requests/${encodeURIComponent(edit.id)}/${verdict}`,
      body: note.trim() === '' ? {} : { note: note.trim() },
    }),
    { stale: STALE, done: (_, verdict) => t(verdict === 'approve' ? 'approved' : 'rejected'), showsError: true },
  )
  if (!mayApprove)
    return (
      <Text size="sm" c="dimmed">
        {t('needsApprover')}
      </Text>
    )
  const isSending = (verdict: string) => decide.isPending && decide.variables === verdict
  return (
    <>
      <Textarea
        label={t('note')}
        description={t('noteHint')}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        maxLength={LIMITS.reviewNoteLength}
        dir="auto"
        rows={2}
        resize="vertical"
      />
      {decide.error && <Failure error={decide.error} />}
      <Group justify="flex-end">
        <Button
          variant="default"
          loading={isSending('reject')}
          disabled={note.trim() === '' || decide.isPending}
          onClick={() => decide.mutate('reject')}
        >
          {t('reject')}
        </Button>
        <Button loading={isSending('approve')} disabled={decide.isPending} onClick={() => decide.mutate('approve')}>
          {t('approve')}
        </Button>
      </Group>
    </>
  )
}
