import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import { TRACKING_TOPIC } from '@contentflow/core/messages/responses/tracking.ts'
import { useTopicName, useTopics } from '../../ui/topics/use-topics.ts'
import { useTexts } from './texts.ts'

/** What an answer to a topic of the workspace is about, with its channel; undefined of every other answer. */
export function useTopicLabel(): (answer: string) => string | undefined {
  const t = useTexts()
  const nameOf = useTopicName()
  const { data } = useTopics()
  return (answer) => {
    if (answer === TRACKING_TOPIC) return t('topicTracking')
    const [id = '', over] = answer.split('.')
    const topic = data?.topics.find((each) => each.id === id)
    const channel = CHANNEL_TYPES.find((each) => each === over)
    if (!topic || (over !== undefined && !channel)) return undefined
    return channel ? t('topicOver', { topic: nameOf(topic), channel: t(`channel_${channel}`) }) : nameOf(topic)
  }
}
