import { cutText, firstSigns } from '../cut-text.ts'
import { foldTag } from '../locale/language-tag.ts'
import { hasFieldType, isEmpty, valueAt, type Field, type JsonObject } from './field.ts'
import type { InstanceContent } from './instance.ts'

/** How far one language is filled: texts of the base values that are translated, of all that could be. */
export type LocaleFill = { locale: string; filled: number; of: number }
/** What a list shows of an instance; null where it has no text or no image. */
export type Outline = { label: string | null; image: string | null; locales: LocaleFill[] }

/** Characters of a label. */
const LABEL_LENGTH = 120

function shortLabel(label: string): string {
  // A sign may have any number of marks.
  return cutText(firstSigns(label.replaceAll(/\s+/g, ' ').trim(), LABEL_LENGTH), LABEL_LENGTH * 8)
}

/** The first text, in `locale` where it has one, and the first image in the order of the fields, and the languages that hold anything. */
export function outlineOf(
  fields: readonly Field[],
  { values, translations }: Pick<InstanceContent, 'values' | 'translations'>,
  locale?: string,
): Outline {
  const texts = fields.filter((field) => isText(field) && !isEmpty(valueAt(values, field.id)))
  const translated = locale === undefined ? undefined : translationFor(translations, locale)
  const label = (translated && firstString(texts.slice(0, 1), translated)) ?? firstString(texts, values)
  return {
    label: label === null ? null : shortLabel(label),
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

/** The first text among the values that still fit the type of their field, as delivery checks them. */
function firstString(fields: readonly Field[], values: JsonObject): string | null {
  for (const field of fields) {
    const value = valueAt(values, field.id)
    if (typeof value === 'string' && !isEmpty(value) && hasFieldType(field, value)) return value
  }
  return null
}

/** The translation for this locale, or for another region of its language. */
function translationFor(translations: InstanceContent['translations'], locale: string): JsonObject | undefined {
  const language = (tag: string) => foldTag(tag).split('-')[0]
  const exact = Object.entries(translations).find(([tag]) => foldTag(tag) === foldTag(locale))
  return (exact ?? Object.entries(translations).find(([tag]) => language(tag) === language(locale)))?.[1]
}
