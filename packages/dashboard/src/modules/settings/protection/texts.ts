import { defineTexts } from '../../../i18n.ts'

export const useProtectionTexts = defineTexts('settings.protection', {
  en: {
    protections: 'Protections',
    protectionsText: 'What guards people and content beyond the usual. All are off until an admin turns them on.',
    protectionsEffect: 'with confirmed erasures, the answer to an erasure can be that it waits. Nothing else changes for them.',
    confirmErasures: 'Confirm erasures',
    confirmErasures_text:
      "An erasure requested on a device that has been the person's for less than a day waits. The person confirms it by email, or an admin on the Erasures page.",
    confirmErasures_off: 'Anyone who has the app key and names a person can then erase them at once.',
    confirmEmails: 'Confirm email addresses',
    confirmEmails_text: 'An address that only an app named gets one email that asks. It gets nothing else until the person confirms.',
    confirmEmails_off: 'Addresses that an app names then get email without having confirmed.',
    approveMessages: 'Approve messages',
    approveMessages_text: 'Messages to segments and the activation of journeys need the approval of a second member.',
    approveMessages_off: 'One member alone can then send to a segment and activate journeys.',
    strictApprovals: 'Strict approvals',
    strictApprovals_text:
      'Only members who joined by an invitation link request and give approval. Nobody approves what an account they invited within a day requested.',
    strictApprovals_off: 'Accounts whose address was never proved can then request and give approval.',
    refusePlaceholderIds: 'Reject placeholder IDs',
    refusePlaceholderIds_text:
      'User IDs such as undefined, null or NaN are rejected. An app with an error sends one of them for everybody.',
    refusePlaceholderIds_off: 'An app with an error can then make all of its people one person.',
    firstMessages: 'Limit of first messages',
    firstMessages_text: 'At most {{most}} addresses an hour that only an app named get their first message. Others wait for the next hour.',
    linkSchemes: 'Links into named apps only',
    linkSchemes_text:
      'Links in content and messages open no app until you name its scheme under Protection. Web, email and phone links work.',
    identityReport: 'Identity report',
    identityReport_text:
      'Counts which calls of live apps prove for whom they speak. Nothing is rejected. Signed user tokens come from your own server.',
    endText: 'You can turn it on again.',
    derived: 'Derived keys',
    derivedText:
      'Two app keys that follow from the workspace ID. Anyone who knows the ID can use them, so turn them off once your apps have a key.',
    derivedOn: 'They open this workspace.',
    derivedOff: 'They are turned off.',
    derivedLink: 'Keys',
  },
  ar: {
    protections: 'وسائل الحماية',
    protectionsText: 'ما يحمي الأشخاص والمحتوى فوق المعتاد. كلها معطّلة ما لم يفعّلها أحد المديرين.',
    protectionsEffect: 'عند تأكيد طلبات المحو قد يكون جواب طلب المحو أنه قيد الانتظار. ولا يتغير لها شيء آخر.',
    confirmErasures: 'تأكيد طلبات المحو',
    confirmErasures_text:
      'طلب المحو من جهاز لم يمض على ارتباطه بالشخص يوم يبقى قيد الانتظار، حتى يؤكده الشخص عبر البريد أو أحد المديرين في صفحة عمليات المحو.',
    confirmErasures_off: 'عندها يمكن لكل من لديه مفتاح التطبيق ويسمّي شخصًا أن يمحوه فورًا.',
    confirmEmails: 'تأكيد عناوين البريد',
    confirmEmails_text: 'العنوان الذي ورد من تطبيق وحده تصله رسالة بريد واحدة تسأل صاحبه، ولا يصله غيرها حتى يؤكد.',
    confirmEmails_off: 'عندها تصل رسائل البريد إلى عناوين ترد من التطبيقات دون تأكيد.',
    approveMessages: 'اعتماد الرسائل',
    approveMessages_text: 'الرسائل إلى الشرائح وتفعيل الرحلات يتطلبان اعتماد عضو ثانٍ.',
    approveMessages_off: 'عندها يمكن لعضو وحده الإرسال إلى شريحة وتفعيل الرحلات.',
    strictApprovals: 'اعتماد مشدد',
    strictApprovals_text: 'الطلب والاعتماد لمن انضم برابط دعوة فقط. ولا يعتمد عضو ما طلبه حساب دعاه خلال اليوم نفسه.',
    strictApprovals_off: 'عندها يمكن لحسابات لم يثبت عنوانها أن تطلب وأن تعتمد.',
    refusePlaceholderIds: 'رفض المعرّفات البديلة',
    refusePlaceholderIds_text:
      'تُرفض معرّفات مستخدمين مثل \u2066undefined\u2069 و\u2066null\u2069 و\u2066NaN\u2069، إذ يرسل أحدها للجميع تطبيقٌ فيه خطأ.',
    refusePlaceholderIds_off: 'عندها يمكن لتطبيق فيه خطأ أن يجعل كل أشخاصه شخصًا واحدًا.',
    firstMessages: 'حد الرسائل الأولى',
    firstMessages_text:
      'من العناوين التي وردت من تطبيق وحده تصل الرسالة الأولى إلى {{most}} في الساعة على الأكثر، وينتظر الباقي الساعة التالية.',
    linkSchemes: 'روابط إلى التطبيقات المسمّاة فقط',
    linkSchemes_text: 'لا تفتح الروابط في المحتوى والرسائل أي تطبيق حتى تضيف مخططه في قسم الحماية. وتعمل روابط الويب والبريد والهاتف.',
    identityReport: 'تقرير الهوية',
    identityReport_text: 'يعدّ طلبات التطبيقات الفعلية التي تثبت باسم من تتحدث، ولا يرفض شيئًا. ورموز المستخدمين الموقّعة تأتي من خادمك.',
    endText: 'يمكنك التفعيل مجددًا.',
    derived: 'المفاتيح المشتقة',
    derivedText: 'مفتاحا تطبيقات مشتقان من معرّف مساحة العمل. يستطيع استخدامهما كل من يعرف المعرّف، فيحسن تعطيلهما متى صار لتطبيقاتك مفتاح.',
    derivedOn: 'تفتح مساحة العمل هذه.',
    derivedOff: 'معطّلة.',
    derivedLink: 'المفاتيح',
  },
})
