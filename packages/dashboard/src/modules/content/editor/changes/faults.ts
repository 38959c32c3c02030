/** Faults that prevent content from being saved or published. The rules are in core; here are only their words. */
import { isEmpty, isFieldType, textLength, valueFault, type Field, type Json } from '@contentflow/core/blocks/field.ts'
import { fieldsByTag, type InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { placeKey, placesOf, valueOf, type ChangeLocation } from './places.ts'

type Problem =
  | 'tooLong'
  | 'notOneLine'
  | 'badLink'
  | 'badImage'
  | 'notOffered'
  | 'tooMany'
  | 'tooFew'
  | 'required'
  | 'unusable'
  | 'endNotAfterStart'
  | 'noShare'
  | 'badVariantName'
  | 'badWeight'
  | 'notNumber'
export type Fault = { place: ChangeLocation; problem: Problem; /** The number a limit has. */ limit?: number }
/** `saving`: the server refuses these. `publishing`: fine in a draft, refused for what is published. */
export type Faults = { saving: Fault[]; publishing: Fault[] }

export function findFaults(fields: readonly Field[], content: InstanceContent): Faults {
  const byTag = fieldsByTag(fields)
  const saving: Fault[] = [...settingFaults(content)]
  const publishing: Fault[] = []
  const overlaid = placesOf(content).filter((place) => !('setting' in place) && (place.locale !== null || place.variant !== null))
  const base = [...byTag.keys()].map((tag) => ({ tag, locale: null, variant: null }))
  for (const place of [...base, ...overlaid]) {
    const field = 'tag' in place ? byTag.get(place.tag) : undefined
    if (!field) continue
    const value = valueOf(content, place)
    const problem = value === undefined ? undefined : problemOf(field, value)
    if (problem) saving.push({ place, ...problem })
    else publishing.push(...missing(field, value).map((found) => ({ place, ...found })))
  }
  return { saving, publishing }
}

function settingFaults({ schedule, variants, priority, frequency }: InstanceContent): Fault[] {
  const { startTime, endTime } = schedule ?? {}
  const ids = variants.map(({ id }) => id)
  return [
    ...(startTime && endTime && endTime <= startTime ? [{ place: { setting: 'endTime' }, problem: 'endNotAfterStart' } as const] : []),
    ...(isWhole(priority, -1_000_000, 1_000_000) ? [] : [{ place: { setting: 'priority' }, problem: 'unusable' } as const]),
    ...(frequency === null || isWhole(frequency.max, 1, 1_000) ? [] : [{ place: { setting: 'frequency' }, problem: 'unusable' } as const]),
    ...(variants.every(({ weight }) => isWhole(weight, 0, 1_000_000))
      ? []
      : [{ place: { setting: 'variants' }, problem: 'badWeight' } as const]),
    ...(variants.length > 0 && variants.every(({ weight }) => weight === 0)
      ? [{ place: { setting: 'variants' }, problem: 'noShare' } as const]
      : []),
    ...(ids.some((id, index) => id === '' || ids.indexOf(id) !== index)
      ? [{ place: { setting: 'variants' }, problem: 'badVariantName' } as const]
      : []),
  ]
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}

/** Why a value cannot be stored, or undefined when it can. */
function problemOf(field: Field, value: Json): Omit<Fault, 'place'> | undefined {
  // The text in the field of a number is no number.
  if (Number.isNaN(value)) return { problem: 'notNumber' }
  if (valueFault(field, value) === undefined) return undefined
  const { type } = field
  if (!isFieldType(type)) return { problem: 'unusable' }
  switch (type) {
    case 'text':
    case 'textarea':
      return field.maxLength !== undefined && typeof value === 'string' && textLength(value) > field.maxLength
        ? { problem: 'tooLong', limit: field.maxLength }
        : { problem: 'notOneLine' }
    case 'url':
      return { problem: 'badLink' }
    case 'image':
      return { problem: 'badImage' }
    case 'select':
      return { problem: 'notOffered' }
    case 'collection':
      return { problem: 'tooMany', ...(field.maxItems !== undefined && { limit: field.maxItems }) }
    case 'number':
    case 'toggle':
      return { problem: 'unusable' }
    default:
      return type satisfies never
  }
}

function missing(field: Field, value: Json | undefined): Omit<Fault, 'place'>[] {
  if (field.required && isEmpty(value)) return [{ problem: 'required' }]
  const count = Array.isArray(value) ? value.length : 0
  if (field.type === 'collection' && count < (field.minItems ?? 0)) return [{ problem: 'tooFew', limit: field.minItems ?? 0 }]
  return []
}

export function faultAt(faults: readonly Fault[], place: ChangeLocation): Fault | undefined {
  const key = placeKey(place)
  return faults.find((fault) => placeKey(fault.place) === key)
}
