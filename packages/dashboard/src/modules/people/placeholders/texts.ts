import { defineTexts } from '../../../i18n.ts'

export const usePlaceholderTexts = defineTexts('people.placeholders', {
  en: {
    title: 'An app sends one user ID for everybody',
    text: 'These IDs look like a value that was missing in the app. All of its people are one person here, who gets what was meant for each of them. Correct the app, then erase that person.',
    blank: 'an ID of spaces',
    devices_one: '{{formatted}} device',
    devices_other: '{{formatted}} devices',
    most: 'at least {{formatted}} devices',
    refused: 'New calls with such IDs are rejected.',
    refuse: 'Reject such IDs',
  },
  ar: {
    title: 'أحد التطبيقات يرسل معرّف مستخدم واحدًا للجميع',
    text: 'هذه المعرّفات تشبه قيمة مفقودة في التطبيق. كل أشخاصه شخص واحد هنا، يصله ما قُصد به كل منهم. يلزم تصحيح التطبيق، ثم محو هذا الشخص.',
    blank: 'معرّف من مسافات',
    devices_zero: 'لا أجهزة',
    devices_one: 'جهاز واحد',
    devices_two: 'جهازان',
    devices_few: '{{formatted}} أجهزة',
    devices_many: '{{formatted}} جهازًا',
    devices_other: '{{formatted}} جهاز',
    most: '{{formatted}} جهاز على الأقل',
    refused: 'الطلبات الجديدة بهذه المعرّفات مرفوضة.',
    refuse: 'رفض هذه المعرّفات',
  },
})
