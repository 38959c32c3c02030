import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AnyReview, Journey } from '@contentflow/server/wire.ts'
import { call } from '../../api.ts'
import { useSession } from '../../session.tsx'
import { Decision } from '../../ui/decision/decision.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useChannelName } from '../campaigns/words.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, MessageFacts } from './facts.tsx'
import { JourneyInWords } from './journey-in-words.tsx'
import { MailFacts } from './mail-facts.tsx'
import { useTexts } from './texts.ts'

export type Request = Extract<AnyReview, { kind: 'journey' | 'notification' }>
type RequestDialogProps<K extends Request['kind']> = { request: Extract<Request, { kind: K }>; onClose: () => void }

/** What people would get when this is approved, as text, and the buttons to decide. */
export function RequestDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const t = useTexts()
  const title = request.kind === 'journey' ? t('journeyTitle', { name: request.name }) : t('messageTitle', { name: request.segment })
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <Stack gap="md">
        <Text size="sm">{t(request.kind === 'journey' ? 'journeyText' : 'messageText')}</Text>
        {request.kind === 'journey' ? (
          <AskedJourney request={request} onClose={onClose} />
        ) : (
          <AskedMessage request={request} onClose={onClose} />
        )}
      </Stack>
    </Dialog>
  )
}

function AskedJourney({ request, onClose }: RequestDialogProps<'journey'>) {
  const t = useTexts()
  const { workspace } = useSession()
  const path = `/journeys/${encodeURIComponent(request.journeyId)}`
  // Read for this request, after it was made: a change withdraws it, so what is approved is never older than what is shown.
  const read = useQuery({
    queryKey: [workspace.id, path, 'request', request.id],
    queryFn: async ({ signal }) => (await call<Journey>(path, { workspaceId: workspace.id, signal })).data,
  })
  return (
    <>
      <Loaded read={read} height={160}>
        {(journey) => <JourneyInWords journey={journey} />}
      </Loaded>
      <Anchor component={Link} to={`/w/${workspace.id}/journeys/${encodeURIComponent(request.journeyId)}`} size="sm">
        {t('openJourney')}
      </Anchor>
      <Decision
        review={request}
        approve={t('approve_journey')}
        stale={['/journeys', '/content/overview']}
        launches={path}
        isShown={read.data !== undefined}
        onClose={onClose}
      />
    </>
  )
}

function AskedMessage({ request, onClose }: RequestDialogProps<'notification'>) {
  const t = useTexts()
  const channelName = useChannelName()
  const { segment, channel, content, mail } = request
  return (
    <>
      <Stack gap="xs" component="dl" m={0}>
        <Fact name={t('audience')}>{segment}</Fact>
        <Fact name={t('channel')}>{channelName(channel)}</Fact>
        {mail ? <MailFacts mail={mail} /> : <MessageFacts content={content} />}
      </Stack>
      <Decision
        review={request}
        approve={t('approve_notification')}
        stale={['/sends', '/content/overview']}
        launches={`/notifications/segment/${encodeURIComponent(segment)}`}
        onClose={onClose}
      />
    </>
  )
}
