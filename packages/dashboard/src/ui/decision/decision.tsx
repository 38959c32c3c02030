import { Button, Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { AnyReview } from '@contentflow/server/wire.ts'
import { useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../failure.tsx'
import { isCodeWrong, LaunchGate, useLaunch } from '../launch/launch-gate.tsx'
import { useDecisionTexts } from './texts-decision.ts'

type ReviewDecision = 'approve' | 'reject'

type DecisionProps = {
  review: Pick<AnyReview, 'id' | 'requestedBy'>
  /** The verb on the button. */
  approve: string
  /** Starts of paths whose readings are stale afterwards, besides the requests themselves. */
  stale: string[]
  /** Path of what goes live with it, where launch protection is asked. */
  launches?: string
  /** False while what would be approved is not shown yet. */
  isShown?: boolean
  onClose: () => void
}

/** For a second person with approval rights; the member who asked can withdraw. */
export function Decision({ review: { id, requestedBy }, approve, stale, launches, isShown = true, onClose }: DecisionProps) {
  const t = useDecisionTexts()
  const { me, workspace } = useSession()
  const isRefused = useLaunch().isRefused && launches !== undefined
  const isMine = requestedBy === me.user.userId
  const mayDecide = workspace.canApprove && !isMine
  const [note, setNote] = useState('')
  const [code, setCode] = useState('')
  const decide = useWrite<ReviewDecision>(
    (verdict) => ({
      method: 'POST',
      path: `/reviews/${id}/${verdict}`,
      body: { note: note.trim(), ...(verdict === 'approve' && code.trim() !== '' && { otp: code.trim() }) },
    }),
    {
      stale: ['/reviews', ...stale],
      done: (_, verdict) => t(verdict === 'approve' ? 'approved' : isMine ? 'withdrawn' : 'rejected'),
      showsError: true,
    },
  )
  const send = (verdict: ReviewDecision) => decide.mutate(verdict, { onSuccess: onClose })
  const isSending = (verdict: ReviewDecision) => decide.isPending && decide.variables === verdict
  return (
    <>
      {mayDecide && launches !== undefined && <LaunchGate path={launches} code={code} onCode={setCode} error={decide.error} />}
      {mayDecide && (
        <Textarea
          label={t('note')}
          description={t('noteHint')}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          maxLength={LIMITS.reviewNoteLength}
          dir="auto"
          autosize
          minRows={2}
        />
      )}
      {decide.error && !isCodeWrong(decide.error) && <Failure error={decide.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        {isMine && (
          <Button variant="default" loading={isSending('reject')} onClick={() => send('reject')}>
            {t('withdraw')}
          </Button>
        )}
        {mayDecide && (
          <>
            <Button
              variant="default"
              loading={isSending('reject')}
              disabled={note.trim() === '' || decide.isPending}
              onClick={() => send('reject')}
            >
              {t('reject')}
            </Button>
            <Button loading={isSending('approve')} disabled={!isShown || isRefused || decide.isPending} onClick={() => send('approve')}>
              {approve}
            </Button>
          </>
        )}
      </Group>
      {!isMine && !mayDecide && (
        <Text size="sm" c="dimmed" ta="end">
          {t('needsApprover')}
        </Text>
      )}
    </>
  )
}
