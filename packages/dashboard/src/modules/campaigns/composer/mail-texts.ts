import { defineTexts } from '../../../i18n.ts'

export const useMailTexts = defineTexts('campaigns-mail', {
  en: {
    kind: 'Email',
    simple: 'Simple',
    designed: 'Designed',
    simpleHelp: 'The email shows the texts below.',
    designedHelp: 'A mail of sections goes out by email; the other channels keep the texts.',
    title: 'Designed mail',
    edit: 'Edit the mail',
    noSubject: 'no subject yet',
    keeps: 'The campaign keeps it when the draft is saved.',
    done: 'Done',
    fault_mailStop: '{{language}}: the designed mail has something to correct.',
    fault_mailWrong: 'The designed mail can’t be saved as it is: {{reason}}',
  },
  ar: {
    kind: 'البريد الإلكتروني',
    simple: 'بسيط',
    designed: 'مصمم',
    simpleHelp: 'يعرض البريد النصوص أدناه.',
    designedHelp: 'تُرسل رسالة من مقاطع بالبريد، وتبقى النصوص للقنوات الأخرى.',
    title: 'الرسالة المصممة',
    edit: 'تعديل الرسالة',
    noSubject: 'بلا موضوع بعد',
    keeps: 'تُحفظ مع مسودة الحملة.',
    done: 'تم',
    fault_mailStop: '{{language}}: في الرسالة المصممة ما يجب تصحيحه.',
    fault_mailWrong: 'لا يمكن حفظ الرسالة المصممة كما هي: {{reason}}',
  },
})
