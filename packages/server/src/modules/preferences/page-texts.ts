/** The words of the page on which people choose what they get, in English and Arabic. */
import type { ChannelType } from '@contentflow/core/channels/channel.ts'

export type PageLanguage = 'en' | 'ar'
export type PageTexts = {
  title: string
  /** `{{who}}`: a masked address. */
  whose: string
  optedOut: string
  ways: string
  channels: Record<ChannelType, string>
  about: string
  often: string
  oftenLabel: string
  unlimited: string
  /** By how many a week. */
  limits: Record<1 | 2 | 4 | 7, string>
  counting: string
  track: string
  signal: string
  save: string
  leaveTitle: string
  leaveText: string
  leave: string
  dataTitle: string
  dataText: string
  access: string
  erasure: string
  oldTitle: string
  oldText: string
  fresh: string
  language: string
  /** What became of what was pressed. `{{day}}`: the last day for the answer. */
  outcomes: Record<Outcome, string>
}
/** What became of what was pressed. */
export type Outcome = 'saved' | 'unchanged' | 'left' | 'asked' | 'waiting' | 'sent' | 'unsent' | 'changed' | 'old' | 'often' | 'unclear'

/** Where there is no page to show. */
export const NO_PAGE = {
  unknown: {
    en: 'This link is not complete. Open it from the message again, or ask the sender.',
    ar: 'الرابط غير مكتمل. افتحه من الرسالة مرة أخرى أو تواصل مع المرسل.',
  },
  gone: {
    en: 'Nothing is stored of you here any more, so there is nothing to choose and no message is sent.',
    ar: 'لم يعد محفوظًا هنا أي شيء عنك، فلا شيء لاختياره ولن تُرسل أي رسالة.',
  },
} as const

export const PAGE_TEXTS: Record<PageLanguage, PageTexts> = {
  en: {
    title: 'Your message preferences',
    whose: 'For {{who}}',
    optedOut: 'You asked that nothing is sent to you, and that holds whatever you choose here. To change it, ask the sender.',
    ways: 'How you may be reached',
    channels: { email: 'Email', sms: 'Text message', whatsapp: 'WhatsApp', push: 'Notification in the app' },
    about: 'What you want to hear about',
    often: 'How often',
    oftenLabel: 'Messages in a week, at most',
    unlimited: 'As many as there are',
    limits: { 1: '1', 2: '2', 4: '4', 7: '7' },
    counting: 'Opens and clicks',
    track: 'The sender may count whether I open emails and follow their links',
    signal: 'Your browser asks not to be tracked (Global Privacy Control), so this stays off.',
    save: 'Save my choice',
    leaveTitle: 'Leave everything',
    leaveText: 'No more messages by email, text message, WhatsApp or notification.',
    leave: 'Stop all messages',
    dataTitle: 'Your data',
    dataText: 'The sender makes sure that it is you who asks, and answers within the days that the law gives.',
    access: 'Ask for my data',
    erasure: 'Ask to erase my data',
    oldTitle: 'This link is old',
    oldText: 'It still lets you stop all messages. To choose more, have a fresh link sent to your email address.',
    fresh: 'Send me a fresh link',
    language: 'العربية',
    outcomes: {
      saved: 'Your choice is saved.',
      unchanged: 'It is saved as it was; nothing had changed.',
      left: 'Done. No more messages will be sent to you.',
      asked: 'Your request is with the sender. It is answered by {{day}}.',
      waiting: 'You asked for this before. It is answered by {{day}}.',
      sent: 'A fresh link is on its way to your email address.',
      unsent: 'No email could be sent to you. Ask the sender for a fresh link.',
      changed: 'The choices have changed since you opened this page, and nothing was saved. Look at them again, then save.',
      old: 'This link is too old for that, and nothing was changed. Have a fresh one sent to you.',
      often: 'That was a lot of changes within an hour. Nothing was changed; try again later. To stop all messages works at any time.',
      unclear: 'It was not clear what you chose, and nothing was changed.',
    },
  },
  ar: {
    title: 'تفضيلات رسائلك',
    whose: 'لصاحب {{who}}',
    optedOut: 'طلبت ألّا يُرسل إليك شيء، ويبقى ذلك ساريًا مهما اخترت هنا. لتغييره تواصل مع المرسل.',
    ways: 'كيف يمكن الوصول إليك',
    channels: { email: 'البريد الإلكتروني', sms: 'رسالة نصية', whatsapp: 'واتساب', push: 'إشعار في التطبيق' },
    about: 'ما تريد أن يصلك',
    often: 'كم مرة',
    oftenLabel: 'عدد الرسائل في الأسبوع على الأكثر',
    unlimited: 'كل الرسائل',
    limits: { 1: 'رسالة واحدة', 2: 'رسالتان', 4: '4 رسائل', 7: '7 رسائل' },
    counting: 'الفتح والنقر',
    track: 'يجوز للمرسل أن يحسب فتحي للرسائل واتباعي لروابطها',
    signal: 'يطلب متصفحك عدم التتبع (Global Privacy Control)، لذا يبقى هذا معطّلًا.',
    save: 'حفظ اختياري',
    leaveTitle: 'إيقاف كل شيء',
    leaveText: 'لن تصلك رسائل بالبريد أو الرسائل النصية أو واتساب أو الإشعارات.',
    leave: 'إيقاف كل الرسائل',
    dataTitle: 'بياناتك',
    dataText: 'يتأكد المرسل من أنك صاحب الطلب، ثم يجيب خلال المدة التي يحددها النظام.',
    access: 'طلب نسخة من بياناتي',
    erasure: 'طلب محو بياناتي',
    oldTitle: 'هذا الرابط قديم',
    oldText: 'ما زال يتيح لك إيقاف كل الرسائل. لاختيار غير ذلك اطلب رابطًا جديدًا إلى بريدك.',
    fresh: 'إرسال رابط جديد إليّ',
    language: 'English',
    outcomes: {
      saved: 'حُفظ اختيارك.',
      unchanged: 'حُفظ كما كان، فلم يتغير شيء.',
      left: 'تم. لن تُرسل إليك رسائل بعد الآن.',
      asked: 'وصل طلبك إلى المرسل، وموعد الجواب أقصاه {{day}}.',
      waiting: 'سبق أن طلبت هذا، وموعد الجواب أقصاه {{day}}.',
      sent: 'أُرسل رابط جديد إلى بريدك.',
      unsent: 'تعذر إرسال بريد إليك. اطلب رابطًا جديدًا من المرسل.',
      changed: 'تغيرت الخيارات منذ أن فتحت هذه الصفحة ولم يُحفظ شيء. راجعها ثم احفظ.',
      old: 'هذا الرابط أقدم من أن يفعل ذلك، ولم يتغير شيء. اطلب رابطًا جديدًا.',
      often: 'جرت تغييرات كثيرة خلال ساعة، فلم يتغير شيء. حاول لاحقًا. أما إيقاف كل الرسائل فممكن في أي وقت.',
      unclear: 'لم يتضح ما اخترته، ولم يتغير شيء.',
    },
  },
}

/** `lang` of the address goes before the header Accept-Language. */
export function pageLanguage(asked: string | undefined, header: string | undefined): PageLanguage {
  if (asked === 'en' || asked === 'ar') return asked
  return /^\s*ar\b/i.test(header ?? '') ? 'ar' : 'en'
}
