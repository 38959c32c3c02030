import { defineTexts } from '../../i18n.ts'

export const useTexts = defineTexts('reviews', {
  en: {
    queue: 'Review queue',
    toReview_one: '{{formatted}} request to publish',
    toReview_other: '{{formatted}} requests to publish',
    more: 'Show more',
    untitled: 'Untitled',
    askedBy: 'Submitted by {{name}}',
    askedByYou: 'Submitted by you',
    for: 'for {{at}}',
  },
  ar: {
    queue: 'قائمة المراجعة',
    toReview_zero: 'لا طلبات نشر',
    toReview_one: 'طلب نشر واحد',
    toReview_two: 'طلبا نشر',
    toReview_few: '{{formatted}} طلبات نشر',
    toReview_many: '{{formatted}} طلب نشر',
    toReview_other: '{{formatted}} طلب نشر',
    more: 'عرض المزيد',
    untitled: 'بلا عنوان',
    askedBy: 'أرسله {{name}}',
    askedByYou: 'أرسلتَه أنت',
    for: 'موعده {{at}}',
  },
})
