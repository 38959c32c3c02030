import { humanize } from './tag-words.ts'

/** The designs' own words, by id. Words that an app gives replace the built-in English and Arabic ones. */
export type Words = { readonly [id: string]: string }

const EN: Words = {
  close: 'Close',
  open: 'Open',
  copy: 'Copy code',
  copied: 'Copied',
  next: 'Next',
  previous: 'Previous',
  pause: 'Pause',
  play: 'Play',
  was: 'Was',
  'stock.none': 'Out of stock',
  'badge.new': 'New',
  'badge.sale': 'Sale',
  'badge.bestseller': 'Bestseller',
  'badge.last_pieces': 'Almost gone',
  'badge.limited': 'Limited',
  'badge.sold_out': 'Sold out',
  'state.open': 'Open now',
  'state.opening_soon': 'Opening soon',
  'state.closed': 'Closed',
  'state.closed_for_works': 'Closed for renovation',
  'items.one': '{count} item',
  'items.other': '{count} items',
  'link.call': 'Call',
  'link.mail': 'Email',
  'link.map': 'Directions',
  'link.video': 'Watch the video',
  'link.contact': 'Contact us',
  'link.ask': 'Ask us',
  'link.more': 'Learn more',
  'link.all': 'See all',
  'link.shop': 'Shop now',
}

const AR: Words = {
  close: 'إغلاق',
  open: 'فتح',
  copy: 'نسخ الرمز',
  copied: 'تم النسخ',
  next: 'التالي',
  previous: 'السابق',
  pause: 'إيقاف الحركة',
  play: 'تشغيل الحركة',
  was: 'السعر السابق',
  'stock.none': 'نفدت الكمية',
  'badge.new': 'جديد',
  'badge.sale': 'تخفيض',
  'badge.bestseller': 'الأكثر مبيعًا',
  'badge.last_pieces': 'آخر القطع',
  'badge.limited': 'كمية محدودة',
  'badge.sold_out': 'نفدت الكمية',
  'state.open': 'مفتوح الآن',
  'state.opening_soon': 'يفتتح قريبًا',
  'state.closed': 'مغلق',
  'state.closed_for_works': 'مغلق للتجديد',
  'items.zero': 'لا منتجات',
  'items.one': 'منتج واحد',
  'items.two': 'منتجان',
  'items.few': '{count} منتجات',
  'items.many': '{count} منتجًا',
  'items.other': '{count} منتج',
  'link.call': 'اتصال',
  'link.mail': 'مراسلة',
  'link.map': 'الاتجاهات',
  'link.video': 'مشاهدة الفيديو',
  'link.contact': 'تواصل معنا',
  'link.ask': 'اسألنا',
  'link.more': 'معرفة المزيد',
  'link.all': 'عرض الكل',
  'link.shop': 'تسوّق الآن',
}

/** Which word a link without a text of its own gets, by the stem of its tag. */
const LINK_WORDS: Words = {
  call: 'call',
  phone: 'call',
  email: 'mail',
  mail: 'mail',
  write: 'mail',
  map: 'map',
  directions: 'map',
  video: 'video',
  watch: 'video',
  support: 'contact',
  contact: 'contact',
  help: 'contact',
  ask: 'ask',
  chat: 'ask',
  details: 'more',
  learn_more: 'more',
  read_more: 'more',
  more: 'more',
  info: 'more',
  all: 'all',
  see_all: 'all',
  browse: 'all',
  shop: 'shop',
}

function languageOf(locale: string): string {
  return locale.split('-')[0]?.toLowerCase() ?? ''
}

/** The word under `id`; an app in a third language gives its own, else English stands. */
export function wordOf(id: string, locale: string, own: Words | undefined): string | undefined {
  const builtIn = languageOf(locale) === 'ar' ? AR : EN
  return at(own, id) ?? at(builtIn, id)
}

function at(words: Words | undefined, id: string): string | undefined {
  return words && Object.hasOwn(words, id) ? words[id] : undefined
}

/** The text of a button whose block has none for it. A tag is English, so its words are only used on an English page. */
export function linkWord(stem: string, kind: string, locale: string, own: Words | undefined): string {
  const known = at(LINK_WORDS, stem) ?? (kind === 'mail' ? 'mail' : kind === 'phone' ? 'call' : undefined)
  const given = at(own, `link.${stem}`) ?? (known && wordOf(`link.${known}`, locale, own))
  if (given) return given
  return languageOf(locale) === 'en' && stem !== '' && stem !== 'cta' ? humanize(stem) : (wordOf('open', locale, own) ?? '')
}

/** `412 items`, in the plural form of the language: the app's noun follows the number, and Arabic writes one and two without it. */
export function itemCountText(count: number, locale: string, own: Words | undefined): string {
  const form = new Intl.PluralRules(locale).select(count)
  const number = new Intl.NumberFormat(locale).format(count)
  const noun = at(own, `items.${form}`) ?? at(own, 'items.other')
  if (noun !== undefined) return `${number} ${noun}`
  return (wordOf(`items.${form}`, locale, own) ?? wordOf('items.other', locale, own) ?? '').replace('{count}', number)
}
