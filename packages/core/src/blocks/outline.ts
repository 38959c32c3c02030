import { hasFieldType, isEmpty, valueAt, type Field, type JsonObject } from './field.ts'
import type { InstanceContent } from './instance.ts'

/** How far one language is filled: texts of the base values that are translated, of all that could be. */
export type LocaleFill = { locale: string; filled: number; of: number }
/** What a list shows of an instance; null where it has no text or no image. */
export type Outline = { label: string | null; image: string | null; locales: LocaleFill[] }

/** Characters of a label. */
const LABEL_LENGTH = 120

/** The first text and the first image in the order of the fields, and the languages that hold anything. */
export function outlineOf(fields: readonly Field[], { values, translations }: Pick<InstanceContent, 'values' | 'translations'>): Outline {
  const texts = fields.filter((field) => isText(field) && !isEmpty(valueAt(values, field.id)))
  const label = firstString(texts, values)
  return {
    label: label === null ? null : Array.from(label.replaceAll(/\s+/g, ' ').trim()).slice(0, LABEL_LENGTH).join(''),
    image: firstString(
      fields.filter(({ type }) => type === 'image'),
      values,
    ),
    locales: Object.entries(translations).map(([locale, translated]) => ({
      locale,
      filled: texts.filter(({ id }) => !isEmpty(valueAt(translated, id))).length,
      of: texts.length,
    })),
  }
}

function isText({ type }: Field): boolean {
  return type === 'text' || type === 'textarea'
}

/** Of values that still are what their field promises, as delivery sends them. */
function firstString(fields: readonly Field[], values: JsonObject): string | null {
  for (const field of fields) {
    const value = valueAt(values, field.id)
    if (typeof value === 'string' && !isEmpty(value) && hasFieldType(field, value)) return value
  }
  return null
}
