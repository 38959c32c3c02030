import { defineTexts } from '../../../i18n.ts'

export const useEndingTexts = defineTexts('settings.ending', {
  en: {
    title: 'Delete workspace',
    text: 'Deletes everything in this workspace: content, people, messages, files, and its sandbox. Members keep their accounts.',
    button: 'Delete workspace',
    ask: 'Apps get nothing from now on and no message is sent. In 14 days everything is deleted. Until then an admin can restore it. After that this can’t be undone.',
    name: 'Type the name of the workspace: {{name}}',
    cancel: 'Cancel',
    ends: 'This workspace will be deleted on {{date}}',
    endsText:
      'Apps get nothing from it and no message is sent. You can still read everything and export it. Until that day an admin can restore it.',
    restore: 'Restore workspace',
    restored: 'Workspace restored',
  },
  ar: {
    title: 'حذف مساحة العمل',
    text: 'يُحذف كل ما في مساحة العمل: المحتوى والأشخاص والرسائل والملفات وبيئتها التجريبية. تبقى حسابات الأعضاء.',
    button: 'حذف مساحة العمل',
    ask: 'لا تحصل التطبيقات على شيء من الآن ولا تُرسل رسائل. يُحذف كل شيء بعد 14 يومًا، وحتى ذلك اليوم يستطيع مدير استعادتها. بعده لا يمكن التراجع.',
    name: 'يلزم كتابة اسم مساحة العمل: {{name}}',
    cancel: 'إلغاء',
    ends: 'ستُحذف مساحة العمل هذه في {{date}}',
    endsText:
      'لا تحصل التطبيقات على شيء منها ولا تُرسل رسائل. ما زال الاطلاع على كل شيء وتصديره ممكنًا. حتى ذلك اليوم يستطيع مدير استعادتها.',
    restore: 'استعادة مساحة العمل',
    restored: 'استُعيدت مساحة العمل',
  },
})
