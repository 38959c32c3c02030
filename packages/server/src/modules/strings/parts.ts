/** Read, planned or written at a time: some milliseconds of the one thread that answers everybody. */
const TEXTS = 5_000
const STRINGS = 1_000

/** So many strings have at most `TEXTS` texts, or one of them has all its own. `locales`: in how many they may have one. */
export function stringsAtOnce(locales: number): number {
  return Math.max(1, Math.min(STRINGS, Math.floor(TEXTS / (locales + 1))))
}

/** `strings` in parts of so many. */
export function* partsOf<T>(strings: readonly T[], locales: number): Generator<T[]> {
  const size = stringsAtOnce(locales)
  for (let from = 0; from < strings.length; from += size) yield strings.slice(from, from + size)
}
