import { defineTexts } from '../../i18n.ts'

export const useTexts = defineTexts('reviews', {
  en: {
    queue: 'Review queue',
    toReview_one: '{{formatted}} request to review',
    toReview_other: '{{formatted}} requests to review',
    kind_instance: 'Publish',
    kind_campaign: 'Campaign',
    kind_campaign_edit: 'Campaign edit',
    more: 'Show more',
    untitled: 'Untitled',
    askedBy: 'Submitted by {{name}}',
    askedByYou: 'Submitted by you',
    for: 'for {{at}}',
  },
  ar: {
    queue: 'قائمة المراجعة',
    toReview_zero: 'لا طلبات للمراجعة',
    toReview_one: 'طلب واحد للمراجعة',
    toReview_two: 'طلبان للمراجعة',
    toReview_few: '{{formatted}} طلبات للمراجعة',
    toReview_many: '{{formatted}} طلبًا للمراجعة',
    toReview_other: '{{formatted}} طلب للمراجعة',
    kind_instance: 'نشر',
    kind_campaign: 'حملة',
    kind_campaign_edit: 'تعديل حملة',
    more: 'عرض المزيد',
    untitled: 'بلا عنوان',
    askedBy: 'أرسله {{name}}',
    askedByYou: 'أرسلتَه أنت',
    for: 'موعده {{at}}',
  },
})
