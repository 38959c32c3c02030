/** A string that has an approved translation. */
export type Remembered = { key: string; sourceText: string; text: string }
export type MemoryMatch = {
  text: string
  /** 1 for the same source text; 0.99 when it only differs in numbers, placeholders or case; else the share of equal trigrams. */
  similarity: number
  fromKey: string
}

/** Below this a translation of another text is more work to correct than to write anew. */
const LEAST_SIMILARITY = 0.75
const ALMOST = 0.99
/** Longer texts are taken over only when they are the same. */
const LONGEST_COMPARED = 2_000

/**
 * The translation that fits `sourceText` best; candidates come in the order of preference. Where only numbers or
 * placeholders differ they are put into the translation; `isFit` may refuse a text that comes of another source.
 */
export function bestMatch(
  sourceText: string,
  candidates: readonly Remembered[],
  isFit: (text: string) => boolean,
): MemoryMatch | undefined {
  const exact = candidates.find((candidate) => candidate.sourceText === sourceText)
  if (exact) return { text: exact.text, similarity: 1, fromKey: exact.key }
  if (sourceText.length > LONGEST_COMPARED) return undefined
  const slots = slotsOf(sourceText)
  const shape = shapeOf(sourceText)
  const trigrams = trigramsOf(sourceText)
  let best: MemoryMatch | undefined
  for (const candidate of candidates) {
    if (candidate.sourceText.length > LONGEST_COMPARED) continue
    const isSameShape = shapeOf(candidate.sourceText) === shape
    const text = isSameShape ? adapt(candidate.text, slotsOf(candidate.sourceText), slots) : candidate.text
    const similarity = isSameShape ? ALMOST : Math.min(ALMOST, share(trigrams, trigramsOf(candidate.sourceText)))
    if (text === undefined || similarity < LEAST_SIMILARITY || similarity <= (best?.similarity ?? 0) || !isFit(text)) continue
    best = { text, similarity: Math.round(similarity * 100) / 100, fromKey: candidate.key }
  }
  return best
}

/** How alike two texts are, 0 to 1: the share of equal runs of three characters, whatever the case. */
export function similarity(a: string, b: string): number {
  return share(trigramsOf(a), trigramsOf(b))
}

type Trigrams = { counts: Map<string, number>; total: number }

function trigramsOf(text: string): Trigrams {
  const padded = ` ${text.toLowerCase().replaceAll(/\s+/g, ' ').trim()} `
  const counts = new Map<string, number>()
  const total = Math.max(0, padded.length - 2)
  for (let at = 0; at < total; at++) {
    const trigram = padded.slice(at, at + 3)
    counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
  }
  return { counts, total }
}

function share(a: Trigrams, b: Trigrams): number {
  if (a.total + b.total === 0) return 1
  let common = 0
  for (const [trigram, count] of a.counts) common += Math.min(count, b.counts.get(trigram) ?? 0)
  return (2 * common) / (a.total + b.total)
}

/** Numbers and placeholders. */
const SLOT = /\{\{?\s?[\w.]{1,100}\s?\}?\}|%(?:\d{1,2}\$)?[sd@]|\d+/g

function slotsOf(text: string): string[] {
  return text.match(SLOT) ?? []
}

function shapeOf(text: string): string {
  return text.toLowerCase().replaceAll(SLOT, '\0')
}

/** `text` with what stands in the slots of its source replaced; undefined when it is not clear which is which. */
function adapt(text: string, from: readonly string[], to: readonly string[]): string | undefined {
  const changes = new Map<string, string>()
  for (const [at, before] of from.entries()) {
    const after = to[at] ?? before
    if ((changes.get(before) ?? after) !== after) return undefined
    changes.set(before, after)
  }
  const found = slotsOf(text)
  const count = (slots: readonly string[], slot: string) => slots.filter((other) => other === slot).length
  for (const [before, after] of changes) if (before !== after && count(found, before) !== count(from, before)) return undefined
  return text.replaceAll(SLOT, (slot) => changes.get(slot) ?? slot)
}
