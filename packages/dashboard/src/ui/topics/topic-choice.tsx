import { Select } from '@mantine/core'
import { useTopicChoiceTexts } from './texts-topics.ts'
import { useTopicName, useTopics } from './use-topics.ts'

type TopicChoiceProps = {
  /** The id of a topic; undefined: none. */
  value: string | undefined
  onChange: (topic: string | undefined) => void
  /** The channels that the message leaves through: topics that are not sent over one of them cannot be chosen. */
  channels: readonly string[]
}

/** What a message is about; nothing where the workspace has no topics. */
export function TopicChoice({ value, onChange, channels }: TopicChoiceProps) {
  const t = useTopicChoiceTexts()
  const nameOf = useTopicName()
  const { data } = useTopics()
  const topics = data?.topics ?? []
  if (topics.length === 0 && value === undefined) return null
  const isKnown = value === undefined || topics.some(({ id }) => id === value)
  const shown = [
    { value: '', label: t('noTopic') },
    ...topics.map((topic) => ({
      value: topic.id,
      label: nameOf(topic),
      disabled: topic.id !== value && channels.some((channel) => !(topic.channels as string[]).includes(channel)),
    })),
    ...(isKnown ? [] : [{ value, label: t('topicGone', { id: value }) }]),
  ]
  return (
    <Select
      label={t('topic')}
      description={t('topicText')}
      data={shown}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === null || chosen === '' ? undefined : chosen)}
      allowDeselect={false}
      maw={360}
    />
  )
}
