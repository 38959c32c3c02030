import { defineTexts } from '../i18n.ts'

export const useReasonTexts = defineTexts('reasons', {
  en: {
    noConsent: 'No consent: hasn’t agreed to this channel',
    pdpl_opt_out: 'Opted out of all messages',
    noContact: 'No contact: no number, address or push device',
    emailNotConfirmed: 'Address not confirmed: named by an app, no answer to the confirmation email yet',
    firstMessageLimit: 'Waiting for the next hour: limit of first messages',
    noContent: 'No content in the person’s or the source language',
    unresolvedToken: 'Empty placeholder: no value for this person',
    capped: 'Over the limit of {{most}} recipients per channel',
    frequencyCapped: 'Frequency cap: {{most}} marketing messages today',
    no_profile: 'No person with this ID',
    control_group: 'Control group: left out to see what the campaign changes',
    interrupted: 'Interrupted: may have arrived, not sent again by itself',
  },
  ar: {
    noConsent: 'بلا موافقة: لا موافقة على هذه القناة',
    pdpl_opt_out: 'إلغاء الاشتراك من كل الرسائل',
    noContact: 'بلا وسيلة تواصل: لا رقم أو بريد أو جهاز للإشعارات',
    emailNotConfirmed: 'عنوان غير مؤكَّد: ذكره التطبيق، ولا رد بعد على رسالة التأكيد',
    firstMessageLimit: 'بانتظار الساعة التالية: حد الرسائل الأولى',
    noContent: 'لا محتوى بلغة الشخص ولا باللغة الأصلية',
    unresolvedToken: 'متغيّر فارغ: لا قيمة لهذا الشخص',
    capped: 'فوق الحد: {{most}} مستلم لكل قناة',
    frequencyCapped: 'حد التكرار: {{most}} رسائل تسويقية اليوم',
    no_profile: 'لا شخص بهذا المعرّف',
    control_group: 'المجموعة الضابطة: بلا رسالة ليُقاس أثر الحملة',
    interrupted: 'انقطع: ربما وصلت، ولا يُعاد الإرسال تلقائيًا',
  },
})
