/** The centre's own words, by id. Words that an app gives replace the built-in English and Arabic ones. */
type PreferenceWords = { readonly [id: string]: string }

const EN: PreferenceWords = {
  title: 'Your message preferences',
  ways: 'How you may be reached',
  email: 'Email',
  sms: 'Text message',
  whatsapp: 'WhatsApp',
  push: 'Notification in the app',
  often: 'Messages in a week, at most',
  unlimited: 'As many as there are',
  tracking: 'Count whether I open emails and follow their links',
  failed: 'Your choices cannot be loaded right now',
  unsaved: 'That could not be saved; it is as it was before',
  saved: 'Saved',
}

const AR: PreferenceWords = {
  title: 'تفضيلات رسائلك',
  ways: 'كيف يمكن الوصول إليك',
  email: 'البريد الإلكتروني',
  sms: 'رسالة نصية',
  whatsapp: 'واتساب',
  push: 'إشعار في التطبيق',
  often: 'عدد الرسائل في الأسبوع على الأكثر',
  unlimited: 'كل الرسائل',
  tracking: 'حساب فتحي للرسائل واتباعي لروابطها',
  failed: 'تعذّر تحميل اختياراتك الآن',
  unsaved: 'تعذّر الحفظ، وبقي كل شيء كما كان',
  saved: 'تم الحفظ',
}

/** What a word is in this language. */
export function preferenceWord(locale: string, given: PreferenceWords | undefined): (id: string) => string {
  const known = /^ar\b/i.test(locale) ? AR : EN
  return (id) => given?.[`preferences.${id}`] ?? known[id] ?? id
}
