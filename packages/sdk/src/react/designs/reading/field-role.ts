import { wordsOf } from './tag-words.ts'

/** The role of a text, number, select or toggle field, judged by the words of its tag. */
export type Role =
  | 'alt'
  | 'badge'
  | 'body'
  | 'closeLabel'
  | 'code'
  | 'count'
  | 'currency'
  | 'discount'
  | 'eyebrow'
  | 'linkLabel'
  | 'list'
  | 'price'
  | 'setting'
  | 'state'
  | 'subtitle'
  | 'title'
  | 'wasPrice'

type Field = { tag: string; type: string }

/** Words that make a field an instruction to the app: its value is never text for people. */
const SETTING_WORDS = set('color colour background theme style class id sku slug key event anchor icon position align ratio layout size')
const LABEL_WORDS = set('label button btn cta')
const CLOSE_WORDS = set('secondary dismiss close cancel later decline skip')
const TITLE_WORDS = set('title headline heading header name')
const SUBTITLE_WORDS = set('subtitle subheading subheadline tagline caption subtext intro lead')
const EYEBROW_WORDS = set('eyebrow kicker greeting overline brand label')
const LIST_WORDS = set('tips steps points bullets lines features benefits highlights')
const WAS_WORDS = set('was old original before compare list regular')
const PRICE_WORDS = set('price cost')

function set(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** The role of a field that holds text, a number or a choice. */
export function roleOf({ tag, type }: Field): Role {
  const words = wordsOf(tag)
  const has = (wanted: ReadonlySet<string>) => words.some((word) => wanted.has(word))
  if (words.includes('currency')) return 'currency'
  if (type === 'number') return numberRole(words, has)
  if (words.some((word) => word === 'badge' || word === 'ribbon' || word === 'sticker')) return 'badge'
  if (type === 'select') return words.includes('state') || words.includes('status') || words.includes('availability') ? 'state' : 'setting'
  if (type !== 'text' && type !== 'textarea') return 'setting'
  return textRole(words, has, type)
}

function numberRole(words: readonly string[], has: (wanted: ReadonlySet<string>) => boolean): Role {
  if (has(PRICE_WORDS)) return has(WAS_WORDS) ? 'wasPrice' : 'price'
  if (words.includes('discount')) return 'discount'
  return words.includes('count') && words.includes('item') ? 'count' : 'setting'
}

function textRole(words: readonly string[], has: (wanted: ReadonlySet<string>) => boolean, type: string): Role {
  if (words.includes('alt')) return 'alt'
  if (type === 'textarea') return has(LIST_WORDS) ? 'list' : has(SUBTITLE_WORDS) ? 'subtitle' : 'body'
  if (isLinkLabel(words)) return has(CLOSE_WORDS) ? 'closeLabel' : 'linkLabel'
  if (has(SETTING_WORDS)) return 'setting'
  if (words.includes('code') || words.includes('coupon')) return 'code'
  if (has(PRICE_WORDS)) return has(WAS_WORDS) ? 'wasPrice' : 'price'
  if (has(SUBTITLE_WORDS) || (words.includes('sub') && has(TITLE_WORDS))) return 'subtitle'
  if (has(TITLE_WORDS)) return 'title'
  return has(EYEBROW_WORDS) ? 'eyebrow' : 'body'
}

/** `cta_label`, `button`, `link_text`, but not `label` alone, which is a line above a headline. */
function isLinkLabel(words: readonly string[]): boolean {
  if (words.length === 1) return words[0] !== 'label' && LABEL_WORDS.has(words[0] ?? '')
  if (words.some((word) => LABEL_WORDS.has(word))) return true
  return (words[0] === 'link' || words[0] === 'action') && (words.at(-1) === 'text' || words.at(-1) === 'title')
}
