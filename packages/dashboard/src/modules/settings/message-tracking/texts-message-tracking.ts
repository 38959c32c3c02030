import { defineTexts } from '../../../i18n.ts'

export const useMessageTrackingTexts = defineTexts('settings-message-tracking', {
  en: {
    title: 'Opens and clicks',
    text: 'Of whom you learn that they opened an email or followed its links. Holds for emails that are sent from now on.',
    opens: 'Count opens',
    clicks: 'Count clicks',
    off: 'Of nobody',
    agreed: 'Of people who agreed',
    agreedText: 'They said yes to the topic message_tracking.',
    unless_refused: 'Of everybody who did not refuse',
    unless_refusedText: 'Check first whether the law of your country allows it.',
    trap: 'Set a trap for scanners',
    trapText: 'Counted emails have a link that nobody sees. What is followed within ten seconds of it counts as a machine’s.',
    save: 'Save',
    saved: 'Saved',
  },
  ar: {
    title: 'الفتح والنقر',
    text: 'من يُعرف أنه فتح رسالة بريد أو تبع روابطها. يسري على الرسائل التي تُرسل من الآن فصاعدًا.',
    opens: 'حساب الفتح',
    clicks: 'حساب النقر',
    off: 'لا أحد',
    agreed: 'من وافق',
    agreedText: 'وافق على الموضوع message_tracking.',
    unless_refused: 'كل من لم يرفض',
    unless_refusedText: 'تحقق أولًا مما إذا كان قانون بلدك يسمح بذلك.',
    trap: 'نصب فخ لبرامج الفحص',
    trapText: 'في الرسائل المحسوبة رابط لا يراه أحد، وما يُتبع خلال عشر ثوانٍ منه يُحسب لآلة.',
    save: 'حفظ',
    saved: 'تم الحفظ',
  },
})
