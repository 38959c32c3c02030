/** How texts are compared in searches: without case and the ways one Arabic letter is written. */
import { sql, type RawBuilder } from 'kysely'

// What Arabic search leaves aside, as Lucene's ArabicNormalizer does: the forms of alef, of yeh and of heh at the end,
// tatweel and vowel marks; and with them the letters of Persian keyboards and marks that only steer direction.
const LETTERS = 'أإآٱىیةک'
const AS_LETTERS = 'ااااييهك'
const LEFT_OUT = '\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0653\u0654\u0655\u0670\u200c\u200d\u200e\u200f'

/** Shorter ones would be found across the ends of words that have nothing to do with them. */
const SHORTEST_JOINED = 5

/** Some columns are of the collation C, which knows the capitals of ASCII only. */
function folded(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`translate(lower(${text} collate "default"), ${LETTERS + LEFT_OUT}, ${AS_LETTERS})`
}

/** Whether a text has the search in it. What is written in one word or in two, as عبدالله and عبد الله, is the same. */
export function holdsText(text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const asked = sql`${search}::text`
  const found = sql<boolean>`strpos(${folded(text)}, ${folded(asked)}) > 0`
  const isJoined = /\p{Script=Arabic}/u.test(search) && search.replaceAll(' ', '').length >= SHORTEST_JOINED
  if (!isJoined) return found
  const joined = (each: RawBuilder<unknown>) => sql`replace(${folded(each)}, ' ', '')`
  return sql<boolean>`(${found} or strpos(${joined(text)}, ${joined(asked)}) > 0)`
}
