import { defineTexts } from '../../../i18n.ts'

export const useSendingTexts = defineTexts('campaigns-sending', {
  en: {
    title: 'Before it goes out',
    relative_link: '{{channel}}, {{language}}: the link leads nowhere, because it starts with / and the workspace has no web address.',
    relative_image: '{{channel}}, {{language}}: the image can’t be shown, because it starts with / and the workspace has no web address.',
    setAddress: 'Set web address',
    push_too_large:
      '{{provider}}, {{language}}: too long for a push. It has at least {{bytes}} bytes, and {{most}} are allowed. Shorten it.',
    public_url: 'Unsubscribe links lead to {{address}}, because the public address of this server (CF_PUBLIC_URL) isn’t set.',
    public_url_none: 'Email can’t be sent, because the public address of this server (CF_PUBLIC_URL) isn’t set.',
  },
  ar: {
    title: 'قبل الإرسال',
    relative_link: '{{channel}}، {{language}}: لا يؤدي الرابط إلى مكان، لأنه يبدأ بـ / وليس لمساحة العمل عنوان ويب.',
    relative_image: '{{channel}}، {{language}}: لا يمكن عرض الصورة، لأن رابطها يبدأ بـ / وليس لمساحة العمل عنوان ويب.',
    setAddress: 'تحديد عنوان الويب',
    push_too_large: '{{provider}}، {{language}}: النص أطول من إشعار. حجمه {{bytes}} بايت على الأقل، والمسموح {{most}}. يلزم اختصاره.',
    public_url: 'تؤدي روابط إلغاء الاشتراك إلى العنوان {{address}}، لأن العنوان العام لهذا الخادم (CF_PUBLIC_URL) غير محدد.',
    public_url_none: 'لا يمكن إرسال البريد، لأن العنوان العام لهذا الخادم (CF_PUBLIC_URL) غير محدد.',
  },
})
