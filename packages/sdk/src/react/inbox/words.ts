/** The inbox's own words, by id. Words that an app gives replace the built-in English and Arabic ones. */
type InboxWords = { readonly [id: string]: string }

const EN: InboxWords = {
  inbox: 'Messages',
  empty: 'No messages yet',
  failed: 'Messages cannot be loaded right now',
  readAll: 'Mark all as read',
  read: 'Mark as read',
  unread: 'Mark as unread',
  archive: 'Archive',
  more: 'Show older messages',
  isNew: 'New',
  'bell.none': 'Messages',
  'bell.some': 'Messages, {count} unread',
}

const AR: InboxWords = {
  inbox: 'الرسائل',
  empty: 'لا رسائل بعد',
  failed: 'تعذّر تحميل الرسائل الآن',
  readAll: 'تحديد الكل كمقروء',
  read: 'تحديد كمقروءة',
  unread: 'تحديد كغير مقروءة',
  archive: 'أرشفة',
  more: 'عرض رسائل أقدم',
  isNew: 'جديدة',
  'bell.none': 'الرسائل',
  'bell.some': 'الرسائل، {count} غير مقروءة',
}

/** What a word is in this language. */
export function inboxWord(locale: string, given: InboxWords | undefined): (id: string, count?: string) => string {
  const known = /^ar\b/i.test(locale) ? AR : EN
  return (id, count = '') => (given?.[`inbox.${id}`] ?? known[id] ?? id).replace('{count}', count)
}
