import { defineTexts } from '../i18n.ts'

export const useReasonTexts = defineTexts('reasons', {
  en: {
    noConsent: 'No consent to this channel',
    pdpl_opt_out: 'Opted out of all messages',
    noContact: 'No address, number or device',
    noContent: 'No content in a language of this person',
    unresolvedToken: 'A value in the text is not known of this person',
    capped: 'More than {{most}} recipients',
    frequencyCapped: 'Already got {{most}} messages within 24 hours',
    no_profile: 'No person with this ID',
    interrupted: 'The server stopped while sending: the message may have arrived',
  },
  ar: {
    noConsent: 'لا موافقة على هذه القناة',
    pdpl_opt_out: 'رفض استلام أي رسائل',
    noContact: 'لا عنوان ولا رقم ولا جهاز',
    noContent: 'لا محتوى بلغة هذا الشخص',
    unresolvedToken: 'في النص قيمة غير معروفة لهذا الشخص',
    capped: 'أكثر من {{most}} مستلم',
    frequencyCapped: 'استلم {{most}} رسائل خلال 24 ساعة',
    no_profile: 'لا شخص بهذا المعرّف',
    interrupted: 'توقف الخادم أثناء الإرسال: ربما وصلت الرسالة',
  },
})
