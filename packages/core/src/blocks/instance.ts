import { LIMITS } from '../limits.ts'
import { foldTag } from '../locale/language-tag.ts'
import { readTag } from '../locale/pick-locale.ts'
import { parseEnd, parseTime } from '../time.ts'
import type { Parsed } from './definition.ts'
import { isEmpty, isPlainObject, textLength, valueAt, valueFault, type Field, type Json, type JsonObject } from './field.ts'

export type Frequency = { per: 'session' | 'day' | 'week' | 'ever'; max: number }
/** ISO 8601 UTC; the end is exclusive (G-37). */
export type Schedule = { startTime?: string; endTime?: string }
export type Translations = { [locale: string]: JsonObject }
export type Variant = { id: string; weight: number; values: JsonObject; translations?: Translations }

/** Everything a save can change, and so what a revision keeps. All values are keyed by field id (G-36, C-BLK-46). */
export type InstanceContent = {
  title: string
  values: JsonObject
  seg: string | null
  priority: number
  schedule: Schedule | null
  variants: Variant[]
  translations: Translations
  frequency: Frequency | null
}

/** A checked partial save: `null` inside `values` and `translations` clears one entry. */
export type InstancePatch = Partial<InstanceContent>

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Tags may repeat in a definition (C-BLK-45): the first field with a tag owns it, for reading and writing. */
export function fieldsByTag(fields: readonly Field[]): Map<string, Field> {
  const byTag = new Map<string, Field>()
  for (const field of fields) if (!byTag.has(field.tag)) byTag.set(field.tag, field)
  return byTag
}

/** Turns what is stored by field id into what people and clients address by tag. */
export function valuesByTag(fields: readonly Field[], values: JsonObject): JsonObject {
  const entries: [string, Json][] = []
  for (const [tag, field] of fieldsByTag(fields)) {
    const value = valueAt(values, field.id)
    if (value !== undefined) entries.push([tag, value])
  }
  return Object.fromEntries(entries)
}

/**
 * Reads a partial instance body (G-36): members that are absent stay as they are. Unknown members are ignored, `name` is refused
 * (M-INST-05). `day`: the zone in which a day without a time is whole.
 */
export function parseInstancePatch(input: unknown, fields: readonly Field[], day?: string): Parsed<InstancePatch> {
  if (!isPlainObject(input)) return no('body must be a JSON object')
  if ('name' in input) return no('an instance has no name; use title')
  const patch: InstancePatch = {}
  const byTag = fieldsByTag(fields)

  if (input['title'] !== undefined) {
    const title = input['title'] ?? ''
    if (typeof title !== 'string' || textLength(title) > LIMITS.instanceTitleLength)
      return no(`title must be a string of at most ${LIMITS.instanceTitleLength} characters`)
    patch.title = title
  }
  if (input['seg'] !== undefined) {
    const seg = input['seg']
    if (seg !== null && typeof seg !== 'string') return no('seg must be a segment name, or null for everyone')
    patch.seg = seg === '' ? null : seg
  }
  if (input['priority'] !== undefined) {
    const priority = input['priority'] ?? 0
    if (!isWholeBetween(priority, -1_000_000, 1_000_000)) return no('priority must be an integer between -1000000 and 1000000')
    patch.priority = priority
  }
  const parts = [
    readInto(patch, 'values', input['values'], (value) => parseValues(value, byTag, 'values')),
    readInto(patch, 'translations', input['translations'], (value) => parseTranslations(value, byTag, 'translations')),
    readInto(patch, 'variants', input['variants'], (value) => parseVariants(value, byTag)),
    readInto(patch, 'schedule', input['schedule'], (value) => parseSchedule(value, day)),
    readInto(patch, 'frequency', input['frequency'], parseFrequency),
  ]
  return parts.find((part) => part !== undefined) ?? { ok: true, value: patch }
}

function readInto<K extends keyof InstancePatch>(
  patch: InstancePatch,
  key: K,
  input: Json | undefined,
  parse: (value: Json) => Parsed<NonNullable<InstancePatch[K]> | null>,
) {
  if (input === undefined) return undefined
  const parsed = parse(input)
  if (!parsed.ok) return parsed
  patch[key] = parsed.value as InstancePatch[K]
  return undefined
}

/** Values by tag in, values by field id out; null clears. Unknown tags are refused (G-36). */
function parseValues(input: Json, byTag: ReadonlyMap<string, Field>, where: string): Parsed<JsonObject> {
  if (!isPlainObject(input)) return no(`${where} must be an object keyed by field tag`)
  const values: [string, Json][] = []
  for (const [tag, value] of Object.entries(input)) {
    const field = byTag.get(tag)
    if (!field) return no(`${where}: this block type has no field ${tag}`)
    const fault = valueFault(field, value)
    if (fault) return no(`${where} ${tag} ${fault}`)
    values.push([field.id, value === '' ? null : value])
  }
  return { ok: true, value: Object.fromEntries(values) }
}

function parseTranslations(input: Json, byTag: ReadonlyMap<string, Field>, where: string): Parsed<Translations> {
  if (input === null) return { ok: true, value: {} }
  if (!isPlainObject(input)) return no(`${where} must be an object keyed by locale`)
  const translations: [string, JsonObject][] = []
  for (const [sent, values] of Object.entries(input)) {
    const locale = readTag(sent)
    if (locale === undefined) return no(`${where}: ${sent} is not a locale code such as ar or en-GB`)
    if (values === null) {
      translations.push([locale, Object.fromEntries([...byTag.values()].map((field) => [field.id, null]))])
      continue
    }
    const parsed = parseValues(values, byTag, `${where}.${locale}`)
    if (!parsed.ok) return parsed
    translations.push([locale, parsed.value])
  }
  return { ok: true, value: Object.fromEntries(translations) }
}

function parseVariants(input: Json, byTag: ReadonlyMap<string, Field>): Parsed<Variant[]> {
  if (input === null) return { ok: true, value: [] }
  if (!Array.isArray(input)) return no('variants must be an array')
  if (input.length > LIMITS.variantsPerInstance) return no(`variants must have at most ${LIMITS.variantsPerInstance} entries`)
  const variants: Variant[] = []
  for (const [index, entry] of input.entries()) {
    const variant = parseVariant(entry, byTag, `variants[${index}]`)
    if (!variant.ok) return variant
    if (variants.some((other) => other.id === variant.value.id)) return no(`variants[${index}]: id ${variant.value.id} is used twice`)
    variants.push(variant.value)
  }
  if (variants.length > 0 && variants.every((variant) => variant.weight === 0)) return no('variants: at least one weight must be above 0')
  return { ok: true, value: variants }
}

function parseVariant(input: Json, byTag: ReadonlyMap<string, Field>, where: string): Parsed<Variant> {
  if (!isPlainObject(input)) return no(`${where} must be an object {id, weight, values}`)
  const { id, weight } = input
  if (typeof id !== 'string' || id === '' || id.length > LIMITS.fieldTextLength) return no(`${where}.id must be a non-empty string`)
  if (!isWholeBetween(weight, 0, 1_000_000)) return no(`${where}.weight must be an integer from 0 to 1000000`)
  const values = parseValues(input['values'] ?? {}, byTag, `${where}.values`)
  if (!values.ok) return values
  const variant: Variant = { id, weight, values: withoutNulls(values.value) }
  if (input['translations'] != null) {
    const translations = parseTranslations(input['translations'], byTag, `${where}.translations`)
    if (!translations.ok) return translations
    variant.translations = mergeTranslations({}, translations.value)
  }
  return { ok: true, value: variant }
}

function parseSchedule(input: Json, day?: string): Parsed<Schedule | null> {
  if (input === null) return { ok: true, value: null }
  if (!isPlainObject(input)) return no('schedule must be an object {startTime?, endTime?}')
  const schedule: Schedule = {}
  for (const member of ['startTime', 'endTime'] as const) {
    const text = input[member]
    if (text == null) continue
    const read = member === 'startTime' ? parseTime : parseEnd
    const time = typeof text === 'string' ? read(text, { day }) : undefined
    if (!time) return no(`schedule.${member} must be an ISO 8601 time such as 2026-03-01T09:00:00Z`)
    schedule[member] = time
  }
  if (schedule.startTime && schedule.endTime && schedule.endTime <= schedule.startTime)
    return no('schedule.endTime must be after startTime')
  return { ok: true, value: schedule.startTime || schedule.endTime ? schedule : null }
}

function parseFrequency(input: Json): Parsed<Frequency | null> {
  if (input === null) return { ok: true, value: null }
  if (!isPlainObject(input)) return no('frequency must be an object {per, max}')
  const { per, max } = input
  if (per !== 'session' && per !== 'day' && per !== 'week' && per !== 'ever') return no('frequency.per must be session, day, week or ever')
  if (!isWholeBetween(max, 1, 1000)) return no('frequency.max must be an integer from 1 to 1000')
  return { ok: true, value: { per, max } }
}

/** The same content with one of its variants alone, which everybody gets then; null: with none. Undefined: there is no such variant. */
export function withVariant(content: InstanceContent, id: string | null): InstanceContent | undefined {
  if (id === null) return { ...content, variants: [] }
  const chosen = content.variants.find((variant) => variant.id === id)
  return chosen && { ...content, variants: [{ ...chosen, weight: Math.max(1, chosen.weight) }] }
}

/** Lays a checked patch over what is stored: values and translations entry by entry, everything else whole. */
export function applyPatch(content: InstanceContent, patch: InstancePatch): InstanceContent {
  return {
    ...content,
    ...patch,
    values: withoutNulls({ ...content.values, ...patch.values }),
    translations: patch.translations ? mergeTranslations(content.translations, patch.translations) : content.translations,
  }
}

function mergeTranslations(stored: Translations, patch: Translations): Translations {
  const merged = new Map(Object.entries(stored))
  for (const [locale, values] of Object.entries(patch)) {
    const known = [...merged.keys()].find((code) => foldTag(code) === foldTag(locale)) ?? locale
    const next = withoutNulls({ ...merged.get(known), ...values })
    if (Object.keys(next).length > 0) merged.set(known, next)
    else merged.delete(known)
  }
  return Object.fromEntries(merged)
}

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** M-REG-32, M-REG-36, G-37: why this content may not be live, or undefined when it may. */
export function publishFault(fields: readonly Field[], content: InstanceContent): string | undefined {
  const [base = {}, ...others] = layersOf(content)
  for (const field of fields) {
    // A translation or variant without the field shows the base value; one with it stands in its place.
    const overlaid = others.map((values) => valueAt(values, field.id)).filter((value) => value !== undefined)
    for (const value of [valueAt(base, field.id), ...overlaid]) {
      if (field.required && isEmpty(value)) return `${field.tag} is required and empty`
      if (field.type !== 'collection') continue
      const count = Array.isArray(value) ? value.length : 0
      if (count < (field.minItems ?? 0)) return `${field.tag} needs at least ${field.minItems} items`
      if (count > (field.maxItems ?? Infinity)) return `${field.tag} must have at most ${field.maxItems} items`
    }
  }
  return undefined
}

type Layered = Pick<InstanceContent, 'values' | 'translations' | 'variants'>

/** The base values, then every set of values that may lie over them. */
function layersOf({ values, translations, variants }: Layered): JsonObject[] {
  const ofVariants = variants.flatMap((variant) => [variant.values, ...Object.values(variant.translations ?? {})])
  return [values, ...Object.values(translations), ...ofVariants]
}

export type Reference = { field: Field; instanceId: string }

/** Every instance that a set of values points at, in base values, translations and variants alike. */
export function listReferences(fields: readonly Field[], content: Layered): Reference[] {
  const collections = fields.filter((field) => field.type === 'collection')
  return layersOf(content).flatMap((values) =>
    collections.flatMap((field) => {
      const ids = valueAt(values, field.id)
      return Array.isArray(ids) ? ids.map((id) => ({ field, instanceId: id as string })) : []
    }),
  )
}

function isWholeBetween(value: Json | undefined, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}
