import { isEqual } from '../targeting/compare-values.ts'
import { isEmpty, valueAt, type Field, type Json, type JsonObject } from './field.ts'
import { fieldsByTag, type InstanceContent } from './instance.ts'

const SETTINGS = ['title', 'seg', 'priority', 'schedule', 'variants', 'frequency'] as const
type Setting = (typeof SETTINGS)[number]

/** What differs: tags of base values, locales with a different translation, and everything else of a save. */
export type Differences = { fields: string[]; locales: string[]; settings: Setting[] }

/** Of two contents of one block type. Empty and missing are the same; a field that the type has no longer is not looked at. */
export function compareContent(fields: readonly Field[], before: InstanceContent, after: InstanceContent): Differences {
  const byTag = [...fieldsByTag(fields)]
  const differing = (a: JsonObject, b: JsonObject) =>
    byTag.filter(([, { id }]) => !isSame(valueAt(a, id), valueAt(b, id))).map(([tag]) => tag)
  const locales = new Set([...Object.keys(before.translations), ...Object.keys(after.translations)])
  return {
    fields: differing(before.values, after.values),
    locales: [...locales].filter((locale) => differing(before.translations[locale] ?? {}, after.translations[locale] ?? {}).length > 0),
    settings: SETTINGS.filter((setting) => !isSame(before[setting] as Json, after[setting] as Json)),
  }
}

/** The differences of content that was never served: everything that it fills. */
export function filledContent(fields: readonly Field[], content: InstanceContent): Differences {
  const nothing = { ...content, values: {}, translations: {} }
  return { ...compareContent(fields, nothing, content), settings: [] }
}

export function isWithoutDifference({ fields, locales, settings }: Differences): boolean {
  return fields.length === 0 && locales.length === 0 && settings.length === 0
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return isEmpty(a) && isEmpty(b) ? true : a !== undefined && b !== undefined && isEqual(a, b)
}
