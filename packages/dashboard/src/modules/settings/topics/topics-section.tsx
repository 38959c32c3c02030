import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import type { MessageTopic } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { EditedList } from '../edited-list.tsx'
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
  const [leaving, setLeaving] = useState<MessageTopic>()
  const archive = useWrite<string>((id) => ({ method: 'DELETE', path: `${TOPICS}/${id}` }), {
    stale: [TOPICS],
    done: t('archived'),
    showsError: true,
  })
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('name')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('channels')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('presumed')}</Table.Th>
            {onEdit && (
              <Table.Th>
                <span className="cf-visually-hidden">{t('edit')}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {topics.map((topic) => (
            <Table.Tr key={topic.id}>
              <Table.Td>
                <Stack gap={0}>
                  <Text size="sm" fw={600} dir="auto">
                    {nameOf(topic)}
                  </Text>
                  <Text size="xs" c="dimmed" className="cf-code">
                    <bdi>{topic.id}</bdi>
                  </Text>
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="sm">{topic.channels.map((channel) => t(`channel_${channel}`)).join(' · ')}</Table.Td>
              <Table.Td visibleFrom="sm">{t(topic.mode)}</Table.Td>
              {onEdit && (
                <Table.Td>
                  <Group gap="xs" justify="flex-end">
                    <Button size="xs" variant="default" aria-label={`${t('edit')}: ${nameOf(topic)}`} onClick={() => onEdit(topic)}>
                      {t('edit')}
                    </Button>
                    <Button size="xs" variant="default" aria-label={`${t('archive')}: ${nameOf(topic)}`} onClick={() => setLeaving(topic)}>
                      {t('archive')}
                    </Button>
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('archiveTitle')}
        action={t('archive')}
        isBusy={archive.isPending}
        onConfirm={() => leaving && archive.mutate(leaving.id, { onSuccess: () => setLeaving(undefined) })}
      >
        <Stack gap="xs">
          {leaving && t('archiveText', { name: nameOf(leaving) })}
          {archive.error && <Failure error={archive.error} />}
        </Stack>
      </Confirm>
    </Table.ScrollContainer>
  )
}
