import { Button, Group, List, Radio, Stack, TagsInput, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import { campaignApi, type Campaign, type CampaignTest } from '../api.ts'
import { useReasonWords } from '../../../ui/reason-words.ts'
import { useChannelName } from '../words.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useActionTexts } from './texts.ts'

const MOST_PEOPLE = 10

/** The message itself, to oneself or to named people. */
export function TestSendDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useActionTexts()
  const [isMe, setMe] = useState(true)
  const [people, setPeople] = useState<string[]>([])
  const hasChannel = SEND_CHANNELS.some((channel) => campaign.dispatchChannels.includes(channel))
  const send = useWrite<'me' | string[], { results: CampaignTest[] }>(
    (to) => ({ method: 'POST', path: `${campaignApi(campaign.id)}/test-send`, body: { to } }),
    { stale: [], showsError: true },
  )
  return (
    <Dialog opened onClose={onClose} title={t('testSendTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate(isMe ? 'me' : people)
        }}
      >
        <Stack>
          <Text size="sm">{t('testSendText')}</Text>
          <Radio.Group value={isMe ? 'me' : 'people'} onChange={(next) => setMe(next === 'me')} aria-label={t('testSendTitle')}>
            <Stack gap="xs">
              <Radio value="me" label={t('toMe')} />
              <Radio value="people" label={t('toPeople')} disabled={!hasChannel} description={hasChannel ? undefined : t('noChannel')} />
            </Stack>
          </Radio.Group>
          {!isMe && (
            <TagsInput
              label={t('people')}
              description={t('peopleHint')}
              value={people}
              onChange={setPeople}
              maxTags={MOST_PEOPLE}
              acceptValueOnBlur
            />
          )}
          {send.data && <Results results={send.data.results} />}
          {send.error && <Failure error={send.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('close')}
            </Button>
            <Button
              type="submit"
              loading={send.isPending}
              disabled={!isMe && people.length === 0}
              leftSection={<IconSend size={16} aria-hidden className="cf-mirrored" />}
            >
              {t(send.isSuccess ? 'sendAgain' : 'send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Results({ results }: { results: CampaignTest[] }) {
  const t = useActionTexts()
  const channelName = useChannelName()
  const reason = useReasonWords()
  return (
    <div role="status">
      <List size="sm" aria-label={t('results')}>
        {results.map(({ userId, channel, sent, reason: why = '' }) => (
          <List.Item key={`${userId} ${channel}`}>
            <bdi>{userId ?? t('resultMe')}</bdi> · {channelName(channel)}:{' '}
            <Text span inherit c={sent ? undefined : 'var(--mantine-color-error)'}>
              <bdi>{sent ? t('resultSent') : reason(why)}</bdi>
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  )
}
