import { defineTexts } from '../../../i18n.ts'

export const useWebAddressTexts = defineTexts('settings-web-address', {
  en: {
    title: 'Web address',
    text: 'What links and images such as /offers/3 start with in emails, SMS and WhatsApp messages. Inside apps they stay as they are.',
    label: 'Web address',
    hint: 'Starts with https://. Leave it empty if all links are written in full.',
    wrong: 'Enter an address that starts with https://, without ? and #.',
    save: 'Save web address',
    saved: 'Web address saved',
    none: 'Not set',
    linksTitle: 'Unsubscribe links aren’t set up for good',
    linksTo:
      'The public address of this server (CF_PUBLIC_URL) isn’t set. Unsubscribe links lead to the address used for the latest approval, now {{address}}. Whoever runs this server sets it.',
    linksNowhere:
      'The public address of this server (CF_PUBLIC_URL) isn’t set, so campaigns and journeys can’t send email. Whoever runs this server sets it.',
  },
  ar: {
    title: 'عنوان الويب',
    text: 'بداية الروابط والصور مثل ‎/offers/3‎ في رسائل البريد والرسائل النصية وواتساب. تبقى داخل التطبيقات كما هي.',
    label: 'عنوان الويب',
    hint: 'يبدأ بـ ‎https://‎. يبقى الحقل فارغًا إذا كانت كل الروابط مكتوبة كاملة.',
    wrong: 'يلزم عنوان يبدأ بـ ‎https://‎ بلا ? ولا #.',
    save: 'حفظ عنوان الويب',
    saved: 'تم حفظ عنوان الويب',
    none: 'غير محدد',
    linksTitle: 'روابط إلغاء الاشتراك غير مضبوطة نهائيًا',
    linksTo:
      'العنوان العام لهذا الخادم (CF_PUBLIC_URL) غير محدد. تؤدي روابط إلغاء الاشتراك إلى العنوان المستخدم عند آخر اعتماد، وهو الآن {{address}}. يحدده مشغّل الخادم.',
    linksNowhere: 'العنوان العام لهذا الخادم (CF_PUBLIC_URL) غير محدد، فلا بريد من الحملات والرحلات. يحدده مشغّل الخادم.',
  },
})
