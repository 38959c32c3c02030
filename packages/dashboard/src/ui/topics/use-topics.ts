import type { MessageTopic } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import { useLanguage } from '../../i18n.ts'

export const TOPICS = '/message-topics'

export function useTopics() {
  return useRead<{ topics: MessageTopic[] }>(TOPICS)
}

/** The name of a topic in the language of the dashboard, else in whatever it has one. */
export function useTopicName(): (topic: MessageTopic) => string {
  const language = useLanguage()
  return ({ id, names }) => names[language] ?? names['en'] ?? Object.values(names)[0] ?? id
}
