import { defineTexts } from '../../../i18n.ts'

export const usePublishingTexts = defineTexts('settings-publishing', {
  en: {
    publishing: 'Publishing',
    publishingText: 'Who decides what live apps get.',
    publishingEffect: 'nothing changes. Content that is live stays live.',
    approval: 'Publishing to live needs a second person',
    approvalText:
      'Publish becomes Submit for review. A member who can approve, and did not ask, sees the differences and approves or rejects. Build pipelines publish as before.',
    approvalOn: 'Review required',
    approvalOff: 'Review no longer required',
    approvalIsOn: 'Publishing to live needs a second person.',
    approvalIsOff: 'Every editor can publish to live.',
  },
  ar: {
    publishing: 'النشر',
    publishingText: 'من يقرر ما يصل إلى التطبيقات الفعلية.',
    publishingEffect: 'لا يتغير شيء. يبقى المنشور منشورًا.',
    approval: 'يلزم شخص ثانٍ للنشر في التطبيقات الفعلية',
    approvalText:
      'يحل «إرسال للمراجعة» محل «نشر». يرى الفروق عضوٌ له صلاحية الاعتماد غير مقدّم الطلب، ثم يعتمد أو يرفض. تنشر عمليات البناء كما كانت.',
    approvalOn: 'صارت المراجعة لازمة',
    approvalOff: 'لم تعد المراجعة لازمة',
    approvalIsOn: 'يلزم شخص ثانٍ للنشر في التطبيقات الفعلية.',
    approvalIsOff: 'يستطيع كل محرر النشر في التطبيقات الفعلية.',
  },
})
