import { isPlainObject, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { isTraitKey } from '../targeting/fields.ts'

/**
 * C-DEV-15 to C-DEV-28, A-09: the trait set that replaces the stored one, or undefined when the stored one stays:
 * nothing sent, no object, or no trait in it that can be kept. Keys that are no trait key and values that are too
 * large are left out silently; of the rest the first fifty count, in the order of the body.
 */
export function cleanTraits(input: unknown): JsonObject | undefined {
  if (!isPlainObject(input)) return undefined
  const kept: JsonObject = {}
  let count = 0
  for (const [key, value] of Object.entries(input)) {
    if (count === LIMITS.traits) break
    if (!isTraitKey(key) || utf8Length(JSON.stringify(value)) > LIMITS.traitBytes) continue
    kept[key] = value
    count++
  }
  return count === 0 ? undefined : kept
}

/** Bytes of a text in UTF-8. */
function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
