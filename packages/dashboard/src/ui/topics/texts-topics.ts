import { defineTexts } from '../../i18n.ts'

export const useTopicChoiceTexts = defineTexts('topic-choice', {
  en: {
    noTopic: 'No topic',
    topic: 'Topic',
    topicText: 'Whoever does not want it gets nothing',
    topicGone: '{{id}} (archived)',
  },
  ar: {
    noTopic: 'بلا موضوع',
    topic: 'الموضوع',
    topicText: 'من لا يريده لا تصله الرسالة',
    topicGone: '{{id}} (في الأرشيف)',
  },
})
