import { defineTexts } from '../../i18n.ts'

export const useLaunchTexts = defineTexts('ui-launch', {
  en: {
    code: 'One-time code',
    text: 'This needs a code that is sent to your email.',
    send: 'Send code',
    again: 'Send again',
    sent: 'Code sent to {{to}}, valid until {{at}}.',
    wrong: 'The code is wrong or no longer valid. Enter it again, or send a new one.',
    adminOnly: 'Only admins can let this go live in this workspace.',
  },
  ar: {
    code: 'رمز لمرة واحدة',
    text: 'يلزم لذلك رمز يُرسل إلى بريدك.',
    send: 'إرسال الرمز',
    again: 'إعادة الإرسال',
    sent: 'أُرسل الرمز إلى {{to}}، وهو صالح حتى {{at}}.',
    wrong: 'الرمز غير صحيح أو لم يعد صالحًا. يلزم إدخاله من جديد أو إرسال رمز آخر.',
    adminOnly: 'بدء هذا في مساحة العمل هذه للمديرين وحدهم.',
  },
})
