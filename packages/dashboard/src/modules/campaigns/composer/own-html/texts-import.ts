import { defineTexts } from '../../../../i18n.ts'

export const useImportTexts = defineTexts('campaigns.import-html', {
  en: {
    noSubject: 'No subject',
    title: 'Bring HTML in {{language}}',
    html: 'HTML of the email',
    htmlText: 'The title of the page becomes the subject. Tokens such as {{example}} are filled.',
    chooseFile: 'Choose file',
    clean: 'Clean it, then use it',
    cancel: 'Cancel',
    done: 'Done',
    refused: 'This HTML cannot be used',
    whole: 'Nothing had to be taken out',
    removedTitle: 'Some of it was taken out',
    removedText: 'Mail programs do not take it, or it could harm whoever reads the email. The preview shows what is left.',
    line: 'Line {{line}}:',
  },
  ar: {
    noSubject: 'بلا عنوان',
    title: 'إحضار HTML بـ{{language}}',
    html: 'HTML البريد',
    htmlText: 'عنوان الصفحة يصبح عنوان الرسالة. تُملأ الرموز مثل \u2066{{example}}\u2069.',
    chooseFile: 'اختيار ملف',
    clean: 'تنظيفه ثم استخدامه',
    cancel: 'إلغاء',
    done: 'تم',
    refused: 'لا يمكن استخدام هذا الـHTML',
    whole: 'لم يلزم حذف شيء',
    removedTitle: 'حُذف جزء منه',
    removedText: 'لا تقبله برامج البريد، أو قد يضر بمن يقرأ الرسالة. تعرض المعاينة ما بقي.',
    line: 'السطر {{line}}:',
  },
})
