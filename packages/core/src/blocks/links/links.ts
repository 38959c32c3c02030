/** The links that content holds: what its fields of the type `url` say, in every language and variant. */
import type { Definition } from '../definition.ts'
import { valueAt, type Field, type JsonObject } from '../field.ts'
import type { InstanceContent, Translations } from '../instance.ts'
import type { Link } from './link-schemes.ts'

type Values = Pick<InstanceContent, 'values' | 'translations' | 'variants'>

/** The links of content whose values are stored by field id. */
export function linksOfContent(fields: readonly Field[], { values, translations, variants }: Values): Link[] {
  const urls = fields.filter(({ type }) => type === 'url')
  if (urls.length === 0) return []
  const translated = (at: string, all: Translations) =>
    Object.entries(all).flatMap(([locale, own]) => linksOfValues(urls, `${at}translations.${locale}`, own))
  return [
    ...linksOfValues(urls, 'values', values),
    ...translated('', translations),
    ...variants.flatMap((variant, index) => [
      ...linksOfValues(urls, `variants[${index}].values`, variant.values),
      ...translated(`variants[${index}].`, variant.translations ?? {}),
    ]),
  ]
}

function linksOfValues(urls: readonly Field[], at: string, values: JsonObject): Link[] {
  return urls.flatMap(({ id, tag }) => {
    const url = valueAt(values, id)
    return typeof url === 'string' ? [{ at: `${at}.${tag}`, url }] : []
  })
}

/** What a new instance of the type begins with. */
export function linksOfDefinition({ fields, blank }: Pick<Definition, 'fields' | 'blank'>): Link[] {
  return fields.flatMap((field, index) => {
    if (field.type !== 'url') return []
    const begins = valueAt(blank, field.id)
    return [
      ...(typeof field.default === 'string' ? [{ at: `fields[${index}].default`, url: field.default }] : []),
      ...(typeof begins === 'string' ? [{ at: `blank.${field.id}`, url: begins }] : []),
    ]
  })
}
