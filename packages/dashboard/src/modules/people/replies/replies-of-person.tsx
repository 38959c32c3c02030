import { Stack, Text, Title } from '@mantine/core'
import type { InboundMessage } from '@contentflow/server/wire.ts'
import { usePages } from '../../../data.ts'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { PAGE, type Subject } from '../api.ts'
import { useReplyTexts } from './texts-replies.ts'

/** What a person answered to text messages; nothing of people who never did. */
export function RepliesOf({ subject }: { subject: Subject }) {
  const t = useReplyTexts()
  const pages = usePages<InboundMessage>('/inbound-messages', 'messages', { userId: subject.id, limit: PAGE })
  const columns = useColumns()
  if (pages.items.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('text')}
      </Text>
      <Listing label={t('title')} pages={pages} columns={columns} idOf={({ id }) => id} empty={null} />
    </Stack>
  )
}

function useColumns(): Column<InboundMessage>[] {
  const t = useReplyTexts()
  return [
    {
      id: 'body',
      title: t('body'),
      cell: ({ body, keyword }) => (
        <Stack gap={0} align="flex-start">
          <bdi style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{body}</bdi>
          {keyword !== null && (
            <Text size="xs" c="dimmed">
              {t(`keyword_${keyword}`)}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'channel', title: t('channel'), cell: ({ channel }) => t(`channel_${channel}`) },
    { id: 'when', title: t('when'), cell: ({ at }) => <Moment at={at} /> },
  ]
}
