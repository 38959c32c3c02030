import { defineTexts } from '../../../i18n.ts'

export const useFirstMessagesTexts = defineTexts('settings-first-messages', {
  en: {
    title: 'First messages',
    text: 'Emails to addresses that only an app named and that got nothing from you yet. A limit keeps strangers from being written to by the thousand.',
    limit: 'Limit first messages',
    limitText: 'Messages over the limit wait for the next hour. None is lost.',
    perHour: 'First messages per hour',
    wrong: 'Enter a whole number from 1 to {{max}}.',
    save: 'Save limit',
    saved: 'Limit saved',
    none: 'No limit',
    some: 'At most {{n}} per hour',
    counts: 'This hour: {{sent}}. Waiting: {{held}}.',
  },
  ar: {
    title: 'الرسائل الأولى',
    text: 'رسائل بريد إلى عناوين لم يذكرها إلا التطبيق ولم يصلها شيء منك من قبل. يمنع الحد مراسلة الغرباء بالآلاف.',
    limit: 'تحديد عدد الرسائل الأولى',
    limitText: 'ما زاد على الحد ينتظر الساعة التالية، ولا تضيع أي رسالة.',
    perHour: 'الرسائل الأولى في الساعة',
    wrong: 'يلزم رقم صحيح من 1 إلى {{max}}.',
    save: 'حفظ الحد',
    saved: 'تم حفظ الحد',
    none: 'بلا حد',
    some: 'الحد الأقصى في الساعة: {{n}}',
    counts: 'هذه الساعة: {{sent}}. قيد الانتظار: {{held}}.',
  },
})
