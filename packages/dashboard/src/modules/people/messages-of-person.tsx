import { Badge, Stack, Text } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import type { Send } from '@contentflow/server/wire.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { PAGE, type Subject } from './api.ts'
import { useReasonWords } from '../../ui/reason-words.ts'
import { RepliesOf } from './replies/replies-of-person.tsx'
import { useMessageTexts } from './texts-messages.ts'

/** Messages that were sent to a person, or were not, and why. Only people of live apps get messages. */
export function MessagesOf({ subject }: { subject: Subject }) {
  const t = useMessageTexts()
  const pages = usePages<Send>('/sends', 'sends', { userId: subject.id, limit: PAGE })
  const columns = useColumns()
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('note')}
      </Text>
      <Listing
        label={t('tab')}
        pages={pages}
        columns={columns}
        idOf={({ sourceId, step, channel, createdAt }) => [sourceId, step, channel, createdAt].join('/')}
        empty={<EmptyState icon={IconMessage} title={t('emptyTitle')} text={t('emptyText')} />}
      />
      <RepliesOf subject={subject} />
    </Stack>
  )
}

const COLORS = { due: 'gray', sending: 'blue', sent: 'green', failed: 'red', skipped: 'orange' } as const

function useColumns(): Column<Send>[] {
  const t = useMessageTexts()
  return [
    {
      id: 'message',
      title: t('message'),
      cell: ({ name, source }) => (
        <Stack gap={0} align="flex-start">
          <bdi style={{ overflowWrap: 'anywhere' }}>{name || t('untitled')}</bdi>
          <Text size="xs" c="dimmed">
            {t(`source_${source}`)}
          </Text>
        </Stack>
      ),
    },
    { id: 'channel', title: t('channel'), cell: ({ channel }) => t(`channel_${channel}`) },
    {
      id: 'outcome',
      title: t('outcome'),
      cell: (send) => (
        <Stack gap={2} align="flex-start">
          <Badge color={COLORS[send.state]} variant="light" tt="none" radius="sm">
            {t(`state_${send.state}`)}
          </Badge>
          <Why send={send} />
        </Stack>
      ),
    },
    { id: 'when', title: t('when'), cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
  ]
}

const TOLD = ['delivered', 'failed', 'bounced', 'left', 'complained'] as const

function Why({ send: { reason, told, nextAt, state } }: { send: Send }) {
  const t = useMessageTexts()
  const format = useFormat()
  const words = useReasonWords()
  const later = TOLD.find((each) => each === told)
  return (
    <>
      {reason !== null && (
        <Text size="xs">
          <bdi>{words(reason)}</bdi>
        </Text>
      )}
      {later !== undefined && <Text size="xs">{t(`told_${later}`)}</Text>}
      {state === 'due' && nextAt !== null && (
        <Text size="xs" c="dimmed">
          {t('retryAt', { when: format.moment(nextAt) })}
        </Text>
      )}
    </>
  )
}
