import { isWaiting, mayBecome, REQUEST_STATES, REQUEST_TEXT, type RequestState } from '@contentflow/core/identity/subject-requests.ts'
import type { SubjectRequest } from '@contentflow/server/wire.ts'
import { Anchor, Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { useMemberNames } from '../api.ts'
import { Facts, type Fact } from '../facts.tsx'
import { REQUESTS, STALE } from './requests.ts'
import { useRequestTexts } from './texts.ts'

type Change = { state?: RequestState; extend?: true; reason?: string; note?: string }

const ACTIONS = { verifying: 'toVerifying', open: 'toOpen', done: 'toDone', refused: 'toRefused' } as const

/** One request: what it needs next, with a note and, where the law asks for it, a reason. */
export function HandleDialog({ request, onClose }: { request: SubjectRequest; onClose: () => void }) {
  const t = useRequestTexts()
  const [note, setNote] = useState(request.note ?? '')
  const [reason, setReason] = useState(request.reason ?? '')
  const [isMissing, setMissing] = useState(false)
  const change = useWrite<Change>((body) => ({ method: 'PATCH', path: `${REQUESTS}/${encodeURIComponent(request.id)}`, body }), {
    stale: STALE,
    done: t('saved'),
    showsError: true,
  })
  const send = (more: Change) => {
    const needsReason = more.extend === true || more.state === 'refused'
    setMissing(needsReason && reason.trim() === '')
    if (needsReason && reason.trim() === '') return
    const texts = { ...(note !== (request.note ?? '') && { note }), ...(reason.trim() !== '' && { reason }) }
    change.mutate({ ...texts, ...more }, { onSuccess: onClose })
  }
  const waits = isWaiting(request.state)
  return (
    <Dialog opened onClose={onClose} title={t('handleTitle', { kind: t(`kind_${request.kind}`) })} closeOnClickOutside={false}>
      <Stack>
        <RequestFacts request={request} />
        <Textarea
          label={t('note')}
          description={t('noteHelp')}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          maxLength={REQUEST_TEXT}
          readOnly={!waits}
          autosize
          minRows={2}
          dir="auto"
        />
        <Textarea
          label={t('reason')}
          description={t('reasonHelp')}
          error={isMissing && t('reasonMissing')}
          value={reason}
          onChange={({ currentTarget }) => (setReason(currentTarget.value), setMissing(false))}
          maxLength={REQUEST_TEXT}
          readOnly={!waits}
          autosize
          minRows={1}
          dir="auto"
        />
        {change.error && <Failure error={change.error} />}
        {waits && <Actions request={request} isBusy={change.isPending} onSend={send} />}
      </Stack>
    </Dialog>
  )
}

type ActionsProps = { request: SubjectRequest; isBusy: boolean; onSend: (change: Change) => void }

function Actions({ request: { state, mayExtend }, isBusy, onSend }: ActionsProps) {
  const t = useRequestTexts()
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" disabled={isBusy} onClick={() => onSend({})}>
        {t('save')}
      </Button>
      {mayExtend && (
        <Button variant="default" disabled={isBusy} onClick={() => onSend({ extend: true })}>
          {t('extend')}
        </Button>
      )}
      {REQUEST_STATES.filter((next) => mayBecome(state, next)).map((next) => (
        <Button
          key={next}
          disabled={isBusy}
          variant={next === 'done' ? 'filled' : 'default'}
          {...(next === 'refused' && { color: 'red', variant: 'light' })}
          onClick={() => onSend({ state: next })}
        >
          {t(ACTIONS[next])}
        </Button>
      ))}
    </Group>
  )
}

function RequestFacts({ request }: { request: SubjectRequest }) {
  const t = useRequestTexts()
  const format = useFormat()
  const members = useMemberNames()
  const { workspace } = useSession()
  const { receivedOn, dueOn, extendedTo, article, handledBy, exportId, erasureId } = request
  const due = format.calendarDate(extendedTo ?? dueOn)
  const facts: Fact[] = [
    [t('received'), format.calendarDate(receivedOn)],
    [t('due'), extendedTo === null ? due : `${due} (${t('extended')})`],
    [t('article'), <bdi key="article">{article}</bdi>],
    [t('handledBy'), members.get(handledBy) ?? handledBy],
  ]
  if (exportId !== null) facts.push([t('receipt'), t('exportReceipt', { id: exportId })])
  if (erasureId !== null)
    facts.push([
      t('receipt'),
      <Anchor key="erasure" component={Link} to={`/w/${workspace.id}/people/erasures/${encodeURIComponent(erasureId)}`} size="sm">
        {t('erasureReceipt')}
      </Anchor>,
    ])
  return <Facts facts={facts} />
}
