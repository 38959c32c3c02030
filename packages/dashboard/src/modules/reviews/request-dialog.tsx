import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { MESSAGE_MEMBERS } from '@contentflow/core/messages/content.ts'
import type { AnyReview } from '@contentflow/server/wire.ts'
import { useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { LaunchCodeField, useLaunch } from '../campaigns/actions/launch-code.tsx'
import { useTexts as useComposerTexts } from '../campaigns/composer/texts.ts'
import { useChannelName } from '../campaigns/words.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useTexts } from './texts.ts'

export type Request = Extract<AnyReview, { kind: 'journey' | 'notification' }>

/** What would go to people when this is approved, as text, and the decision. */
export function RequestDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const t = useTexts()
  const { workspace } = useSession()
  const title = request.kind === 'journey' ? t('journeyTitle', { name: request.name }) : t('messageTitle', { name: request.segment })
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <Stack gap="md">
        <Text size="sm">{t(request.kind === 'journey' ? 'journeyText' : 'messageText')}</Text>
        {request.kind === 'journey' ? (
          <Anchor component={Link} to={`/w/${workspace.id}/journeys/${encodeURIComponent(request.journeyId)}`} size="sm">
            {t('openJourney')}
          </Anchor>
        ) : (
          <Message request={request} />
        )}
        <Decision request={request} onClose={onClose} />
      </Stack>
    </Dialog>
  )
}

function Message({ request: { segment, channel, content } }: { request: Extract<Request, { kind: 'notification' }> }) {
  const t = useTexts()
  const composer = useComposerTexts()
  const channelName = useChannelName()
  const { whatsappTemplate: template } = content
  return (
    <Stack gap="xs" component="dl" m={0}>
      <Fact name={t('audience')}>{segment}</Fact>
      <Fact name={t('channel')}>{channelName(channel)}</Fact>
      {MESSAGE_MEMBERS.map(
        (member) =>
          content[member] && (
            <Fact key={member} name={composer(`member_${member}`)}>
              {content[member]}
            </Fact>
          ),
      )}
      {template && (
        <Fact name={t('template')}>
          {[template.id, ...Object.entries(template.variables ?? {}).map(([name, text]) => `${name}: ${text}`)].join('\n')}
        </Fact>
      )}
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {children}
      </Text>
    </div>
  )
}

type Verdict = 'approve' | 'reject'

/** By a second person who can approve; whoever asked can withdraw. */
function Decision({ request, onClose }: { request: Request; onClose: () => void }) {
  const t = useTexts()
  const { me, workspace } = useSession()
  const { needsCode, isRefused } = useLaunch()
  const isMine = request.requestedBy === me.user.userId
  const mayDecide = workspace.canApprove && !isMine
  const [note, setNote] = useState('')
  const [code, setCode] = useState('')
  const decide = useWrite<Verdict>(
    (verdict) => ({
      method: 'POST',
      path: `/reviews/${request.id}/${verdict}`,
      body: { note: note.trim(), ...(verdict === 'approve' && needsCode && { otp: code.trim() }) },
    }),
    {
      stale: ['/reviews', '/journeys', '/sends', '/content/overview'],
      done: (_, verdict) => t(verdict === 'approve' ? 'approved' : isMine ? 'withdrawn' : 'rejected'),
      showsError: true,
    },
  )
  const send = (verdict: Verdict) => decide.mutate(verdict, { onSuccess: onClose })
  const isWrong = decide.error?.code === 'LAUNCH_OTP_REQUIRED'
  const about =
    request.kind === 'journey'
      ? `/journeys/${encodeURIComponent(request.journeyId)}`
      : `/notifications/segment/${encodeURIComponent(request.segment)}`
  return (
    <>
      {mayDecide && isRefused && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('adminOnly')}
        </Text>
      )}
      {mayDecide && needsCode && <LaunchCodeField path={about} value={code} onChange={setCode} isWrong={isWrong} />}
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
      {decide.error && !isWrong && <Failure error={decide.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        {isMine && (
          <Button variant="default" loading={decide.isPending} onClick={() => send('reject')}>
            {t('withdraw')}
          </Button>
        )}
        {mayDecide && (
          <>
            <Button variant="default" disabled={note.trim() === '' || decide.isPending} onClick={() => send('reject')}>
              {t('reject')}
            </Button>
            <Button disabled={isRefused} loading={decide.isPending} onClick={() => send('approve')}>
              {t(`approve_${request.kind}`)}
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
