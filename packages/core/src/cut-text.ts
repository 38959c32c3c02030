/**
 * Texts that have to be shorter, cut between signs as people count them: a letter with its marks, an emoji of several parts
 * and the two halves of a surrogate pair stay together. Lengths are those of strings, so what is cut fits where it was counted.
 */
const SIGNS = new Intl.Segmenter()

/** The beginning of it, of at most `most` units. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  // Where a sign begins is known from what stands before it and its own first character.
  const { index } = SIGNS.segment(text.slice(0, most + 2)).containing(most) ?? { index: most }
  // One endless sign is cut all the same, but never within a character.
  return index > 0 ? text.slice(0, index) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** The same with a sign that something is missing, within `most`. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most - 1).trimEnd()}…`
}

/** The first signs of it, at most so many of them. */
export function firstSigns(text: string, most: number): string {
  if (text.length <= most) return text
  let end = 0
  let left = most
  for (const { index, segment } of SIGNS.segment(text)) {
    if (left-- === 0) return text.slice(0, end)
    end = index + segment.length
  }
  return text
}
