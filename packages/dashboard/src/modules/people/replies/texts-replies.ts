import { defineTexts } from '../../../i18n.ts'

export const useReplyTexts = defineTexts('people-replies', {
  en: {
    title: 'Replies',
    text: 'What this person answered to text messages in the last 30 days.',
    body: 'Reply',
    channel: 'Channel',
    when: 'When',
    channel_sms: 'Text message',
    channel_whatsapp: 'WhatsApp',
    keyword_stop: 'Left this channel',
    keyword_start: 'Came back to this channel',
    keyword_help: 'Asked for help',
  },
  ar: {
    title: 'الردود',
    text: 'ما رد به هذا الشخص على الرسائل النصية خلال آخر 30 يومًا.',
    body: 'الرد',
    channel: 'القناة',
    when: 'الوقت',
    channel_sms: 'رسالة نصية',
    channel_whatsapp: 'واتساب',
    keyword_stop: 'غادر هذه القناة',
    keyword_start: 'عاد إلى هذه القناة',
    keyword_help: 'طلب المساعدة',
  },
})
