/** A product as content of the workspace says it, by the tags of its fields. */
import { foldTag } from '../../locale/language-tag.ts'
import { localeChain } from '../../locale/pick-locale.ts'
import type { Json } from '../../blocks/field.ts'
import { addressesOf, priceOf, textOf } from './products.ts'
import type { Product } from './product-section.ts'

const PRODUCT_TAGS = ['name', 'image', 'price', 'currency', 'url'] as const
type Tag = (typeof PRODUCT_TAGS)[number]

/** The values of a piece of content: `values` in the source language, `translations` by language. */
type Layered<T> = { values: T; translations?: { [locale: string]: T } | null | undefined }

/**
 * In the language, or a parent of it, or else as it is written; undefined: it says no name. `valuesOf`: what one layer says under a
 * tag, first things first.
 */
export function contentProduct<T>(
  { values, translations }: Layered<T>,
  locale: string,
  valuesOf: (layer: T, tag: Tag) => readonly (Json | undefined)[],
): Product | undefined {
  const byLocale = new Map(Object.entries(translations ?? {}).map(([tag, said]) => [foldTag(tag), said]))
  const layers = [...localeChain(locale).flatMap((tag) => byLocale.get(tag) ?? []), values]
  const said = Object.fromEntries(
    PRODUCT_TAGS.map((tag) => [
      tag,
      layers
        .flatMap((layer) => valuesOf(layer, tag))
        .map(textOf)
        .find((text) => text !== '') ?? '',
    ]),
  ) as { [tag in Tag]: string }
  const name = said.name.trim()
  return name === '' ? undefined : { name, ...addressesOf(said, null), ...priceOf(said.price, said.currency) }
}
