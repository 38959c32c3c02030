import { Text } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import type { MessageTopic } from '@contentflow/server/wire.ts'
import { useSession } from '../../../session.tsx'
import { EditedList } from '../edited-list.tsx'
import { EditedTable } from '../edited-table.tsx'
import { OnlyFor } from '../notes.tsx'
import { useTopicTexts } from './texts.ts'
import { TopicForm } from './topic-form.tsx'
import { TOPICS, useTopicName, useTopics } from '../../../ui/topics/use-topics.ts'

export function TopicsSection() {
  const t = useTopicTexts()
  const { mayAdmin } = useSession()
  const read = useTopics()
  return (
    <EditedList
      texts={{ title: t('title'), text: t('text'), add: t('add'), emptyTitle: t('emptyTitle'), emptyText: t('emptyText') }}
      icon={IconTags}
      read={{ ...read, data: read.data?.topics }}
      renderTable={(topics, onEdit) => <TopicTable topics={topics} onEdit={onEdit} />}
      renderForm={(topic, onClose) => <TopicForm topic={topic} onClose={onClose} />}
    >
      {!mayAdmin && <OnlyFor who="admins" />}
    </EditedList>
  )
}

type TopicTableProps = { topics: readonly MessageTopic[]; onEdit: ((topic: MessageTopic) => void) | undefined }

function TopicTable({ topics, onEdit }: TopicTableProps) {
  const t = useTopicTexts()
  const nameOf = useTopicName()
  return (
    <EditedTable
      items={topics}
      texts={{ name: t('name'), edit: t('edit') }}
      nameOf={nameOf}
      renderDetail={({ id }) => (
        <Text size="xs" c="dimmed" className="cf-code">
          <bdi>{id}</bdi>
        </Text>
      )}
      columns={[
        { head: t('channels'), cell: ({ channels }) => channels.map((channel) => t(`channel_${channel}`)).join(' · ') },
        { head: t('presumed'), cell: ({ mode }) => t(mode) },
      ]}
      onEdit={onEdit}
      removal={{
        path: TOPICS,
        stale: [TOPICS],
        texts: {
          action: t('archive'),
          done: t('archived'),
          title: () => t('archiveTitle'),
          text: (topic) => t('archiveText', { name: nameOf(topic) }),
        },
      }}
    />
  )
}
