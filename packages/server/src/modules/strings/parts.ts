/** How many are read, planned or written at a time: that takes some milliseconds, in which nobody else is answered. */
const TEXTS = 5_000
const STRINGS = 1_000

/** How many strings make a part: they have at most `TEXTS` texts, unless a single string has more. `locales`: how many texts a string may have. */
export function stringsAtOnce(locales: number): number {
  return Math.max(1, Math.min(STRINGS, Math.floor(TEXTS / (locales + 1))))
}

/** `strings` in parts of that size. */
export function* partsOf<T>(strings: readonly T[], locales: number): Generator<T[]> {
  const size = stringsAtOnce(locales)
  for (let from = 0; from < strings.length; from += size) yield strings.slice(from, from + size)
}
