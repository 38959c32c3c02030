/** Every single thing of an instance's content that can be edited, compared or merged on its own. Values are by tag, as the API has them. */
import { valueAt, type Json, type JsonObject } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent, Variant } from '@contentflow/core/blocks/instance.ts'

/** One set of values: that of a translation (null: the source language) and of a variant (null: shared by all). */
export type Layer = { locale: string | null; variant: string | null }

export type Setting = 'title' | 'seg' | 'priority' | 'startTime' | 'endTime' | 'frequency' | 'variants'
export type ChangeLocation = { setting: Setting } | (Layer & { tag: string })

/** Equal for equal places. */
export function placeKey(place: ChangeLocation): string {
  return 'setting' in place ? place.setting : JSON.stringify([place.variant, place.locale?.toLowerCase() ?? null, place.tag])
}

/** Locales are compared without case, as the server does; the spelling that is stored stays. */
function spelling(translations: { [locale: string]: JsonObject } | undefined, locale: string): string {
  return Object.keys(translations ?? {}).find((known) => known.toLowerCase() === locale.toLowerCase()) ?? locale
}

/** The values of one layer, without what lies below it. */
export function valuesIn(content: InstanceContent, { locale, variant }: Layer): JsonObject {
  const owner = variant === null ? content : content.variants.find(({ id }) => id === variant)
  if (locale === null) return owner?.values ?? {}
  return owner?.translations?.[spelling(owner.translations, locale)] ?? {}
}

export function valueOf(content: InstanceContent, place: ChangeLocation): Json | undefined {
  if (!('setting' in place)) return valueAt(valuesIn(content, place), place.tag)
  switch (place.setting) {
    case 'startTime':
    case 'endTime':
      return content.schedule?.[place.setting]
    case 'variants':
      return content.variants.map(({ id, weight }) => ({ id, weight }))
    default:
      return content[place.setting]
  }
}

/** The content with one thing changed. Undefined, null and an empty text clear it. */
export function withValue(content: InstanceContent, place: ChangeLocation, value: Json | undefined): InstanceContent {
  if ('setting' in place) return withSetting(content, place.setting, value ?? null)
  if (place.variant === null) return { ...content, ...withOwned(content, place, value) }
  const { variant } = place
  // A variant that somebody else removed comes back without a share, so that what was typed for it is not lost.
  const known = content.variants.some(({ id }) => id === variant)
  const variants: Variant[] = known ? content.variants : [...content.variants, { id: variant, weight: 0, values: {} }]
  return { ...content, variants: variants.map((each) => (each.id === variant ? { ...each, ...withOwned(each, place, value) } : each)) }
}

type Owner = { values: JsonObject; translations?: { [locale: string]: JsonObject } }

function withOwned(
  { values, translations = {} }: Owner,
  { locale, tag }: Layer & { tag: string },
  value: Json | undefined,
): Required<Owner> {
  if (locale === null) return { values: withMember(values, tag, value), translations }
  const code = spelling(translations, locale)
  const translated = withMember(translations[code] ?? {}, tag, value)
  const { [code]: _, ...others } = translations
  return { values, translations: Object.keys(translated).length === 0 ? others : { ...translations, [code]: translated } }
}

function withMember(values: JsonObject, tag: string, value: Json | undefined): JsonObject {
  const { [tag]: _, ...others } = values
  return value === undefined || value === null || value === '' ? others : { ...values, [tag]: value }
}

function withSetting(content: InstanceContent, setting: Setting, value: Json): InstanceContent {
  switch (setting) {
    case 'startTime':
    case 'endTime': {
      const { [setting]: _, ...other } = content.schedule ?? {}
      const schedule = value === null ? other : { ...other, [setting]: value as string }
      return { ...content, schedule: Object.keys(schedule).length === 0 ? null : schedule }
    }
    case 'variants':
      return { ...content, variants: (value as Pick<Variant, 'id' | 'weight'>[]).map((each) => withKnownValues(content, each)) }
    default:
      return { ...content, [setting]: value }
  }
}

function withKnownValues({ variants }: InstanceContent, { id, weight }: Pick<Variant, 'id' | 'weight'>): Variant {
  return { values: {}, ...variants.find((known) => known.id === id), id, weight }
}

const SETTINGS: Setting[] = ['title', 'seg', 'startTime', 'endTime', 'priority', 'frequency', 'variants']

/** Every place of the content that holds something; settings first, because values need their variant. */
export function placesOf(content: InstanceContent): ChangeLocation[] {
  return [
    ...SETTINGS.map((setting) => ({ setting })),
    ...ownedPlaces(content, null),
    ...content.variants.flatMap((each) => ownedPlaces(each, each.id)),
  ]
}

function ownedPlaces({ values, translations = {} }: Owner, variant: string | null): ChangeLocation[] {
  const inLocale = (locale: string | null, tags: JsonObject) => Object.keys(tags).map((tag) => ({ tag, locale, variant }))
  return [...inLocale(null, values), ...Object.entries(translations).flatMap(([locale, tags]) => inLocale(locale, tags))]
}
