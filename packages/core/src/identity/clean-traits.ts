import { isPlainObject, type JsonObject } from '../blocks/field.ts'
import { utf8Length } from '../json/utf8-length.ts'
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
