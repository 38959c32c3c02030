/** Mails that ask a person something, in fixed words: nothing that an app sent stands in them. */
import type { MessageContent } from './content.ts'

type ConfirmMailInput = { workspace: string; url: string; language: string | null }
type Words = (workspace: string) => Omit<MessageContent, 'ctaUrl'>

const ERASURE: { en: Words; ar: Words } = {
  en: (workspace) => ({
    title: `Erase your data at ${workspace}?`,
    body: `Somebody asked, from a device that was not yours a day ago, to erase everything ${workspace} knows of you. If it was you, confirm it within 30 days. If it wasn't, do nothing: your data stays as it is.`,
    ctaLabel: 'Look at the request',
  }),
  ar: (workspace) => ({
    title: `هل تريد محو بياناتك لدى «${workspace}»؟`,
    body: `وصل طلب لمحو كل ما لدى «${workspace}» من بيانات عنك، من جهاز لم يكن جهازك قبل يوم. إن كان الطلب منك فيلزم تأكيده خلال 30 يومًا. وإن لم يكن منك فلا حاجة إلى أي إجراء، وتبقى بياناتك كما هي.`,
    ctaLabel: 'عرض الطلب',
  }),
}

const EMAIL: { en: Words; ar: Words } = {
  en: (workspace) => ({
    title: `Do you want mail from ${workspace}?`,
    body: `This address was named in an app of ${workspace}. If you want mail from there, confirm it. If not, do nothing: no other mail comes to this address.`,
    ctaLabel: 'Confirm this address',
  }),
  ar: (workspace) => ({
    title: `هل تريد استلام رسائل من «${workspace}»؟`,
    body: `ذُكر هذا العنوان في تطبيق تابع لمساحة «${workspace}». يمكنك تأكيد العنوان إن كنت تريد استلام الرسائل. وإن لم ترد ذلك فلا حاجة إلى أي إجراء، ولن تصل رسالة أخرى إلى هذا العنوان.`,
    ctaLabel: 'تأكيد العنوان',
  }),
}

export function erasureMail(asked: ConfirmMailInput): MessageContent {
  return written(ERASURE, asked)
}

export function confirmationMail(asked: ConfirmMailInput): MessageContent {
  return written(EMAIL, asked)
}

function written(words: { en: Words; ar: Words }, { workspace, url, language }: ConfirmMailInput): MessageContent {
  return { ...words[languageOfMail(language)](workspace), ctaUrl: url }
}

export function languageOfMail(language: string | null): 'en' | 'ar' {
  return /^ar\b/i.test(language ?? '') ? 'ar' : 'en'
}
