/** The value of a field for a reader of one language and variant, and its layer: the same layering as delivery (G-31, G-37). */
import { hasFieldType, isEmpty, valueAt, type Field, type Json, type JsonObject } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { localeChain } from '@contentflow/core/locale/pick-locale.ts'
import { valuesIn, type Layer } from '../changes/places.ts'

/** The layers a reader draws on, nearest first: the variant in the language and its parents, the variant, then the same of everyone. */
function layersFor({ locale, variant }: Layer): Layer[] {
  const chain = locale === null ? [null] : [locale, ...localeChain(locale).slice(1), null]
  const inVariant = variant === null ? [] : chain.map((code) => ({ locale: code, variant }))
  return [...inVariant, ...chain.map((code) => ({ locale: code, variant: null }))]
}

export type Resolved = {
  /** Stored in the layer itself. */
  own: Json | undefined
  /** The value shown without an own one, and its layer. */
  inherited: { value: Json; from: Layer } | undefined
}

export function resolveValue(content: InstanceContent, layer: Layer, tag: string): Resolved {
  const [, ...below] = layersFor(layer)
  const from = below.find((lower) => valueAt(valuesIn(content, lower), tag) !== undefined)
  const value = from && valueAt(valuesIn(content, from), tag)
  return {
    own: valueAt(valuesIn(content, layer), tag),
    inherited: from === undefined || value === undefined || isEmpty(value) ? undefined : { value, from },
  }
}

/** Values by tag as `/sync` would send them; what its field can no longer hold is left out. */
export function deliveredValues(fields: readonly Field[], content: InstanceContent, layer: Layer): JsonObject {
  const values = Object.assign(
    {},
    ...layersFor(layer)
      .toReversed()
      .map((each) => valuesIn(content, each)),
  ) as JsonObject
  const kept = fields.flatMap((field): [string, Json][] => {
    const value = valueAt(values, field.tag)
    return value !== undefined && hasFieldType(field, value) ? [[field.tag, value]] : []
  })
  return Object.fromEntries(kept)
}
