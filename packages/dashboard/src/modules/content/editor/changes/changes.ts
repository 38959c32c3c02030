/** The differences between two contents of an instance, the body that saves them, and the merge of two people's edits. */
import { isEmpty, type Json, type JsonObject } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { isEqual } from '@contentflow/core/targeting/compare-values.ts'
import { placeKey, placesOf, valueOf, withValue, type ChangeLocation } from './places.ts'

export type Change = { place: ChangeLocation; before: Json | undefined; after: Json | undefined }

export function changesBetween(before: InstanceContent, after: InstanceContent): Change[] {
  const places = new Map([...placesOf(before), ...placesOf(after)].map((place) => [placeKey(place), place]))
  return [...places.values()]
    .map((place) => ({ place, before: valueOf(before, place), after: valueOf(after, place) }))
    .filter((change) => !isSame(change.place, change.before, change.after))
}

/** Settings that are listed even with their default: segment, times and priority. */
const ALWAYS = new Set(['title', 'seg', 'startTime', 'endTime', 'priority'])

/** Lists the whole content, for somebody who has to agree to all of it. */
export function everythingIn(content: InstanceContent): Change[] {
  return placesOf(content)
    .map((place) => ({ place, before: undefined, after: valueOf(content, place) }))
    .filter(({ place, after }) => ('setting' in place && ALWAYS.has(place.setting)) || !isEmpty(after))
}

/** In base values, missing and empty are the same. In a layer above, an empty list hides the value below it. */
function isSame(place: ChangeLocation, a: Json | undefined, b: Json | undefined): boolean {
  const isBase = 'setting' in place || (place.locale === null && place.variant === null)
  if (isBase && isEmpty(a) && isEmpty(b)) return true
  return isEqual(a ?? null, b ?? null)
}

/** The partial body of a save (G-36): only what changed, null where something was cleared. */
export function patchOf(before: InstanceContent, after: InstanceContent): JsonObject {
  const patch: JsonObject = {}
  const values: JsonObject = {}
  const translations: { [locale: string]: JsonObject } = {}
  for (const { place, after: value } of changesBetween(before, after)) {
    if ('setting' in place || place.variant !== null) Object.assign(patch, settingPatch(place, after))
    else if (place.locale === null) values[place.tag] = value ?? null
    else (translations[place.locale] ??= {})[place.tag] = value ?? null
  }
  return {
    ...patch,
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(translations).length > 0 && { translations }),
  }
}

/** Schedules and variants are sent whole. */
function settingPatch(place: ChangeLocation, { schedule, variants, ...content }: InstanceContent): JsonObject {
  if (!('setting' in place) || place.setting === 'variants') return { variants }
  if (place.setting === 'startTime' || place.setting === 'endTime') return { schedule }
  return { [place.setting]: content[place.setting] }
}

export type Conflict = { place: ChangeLocation; base: Json | undefined; mine: Json | undefined; theirs: Json | undefined }
export type Merge = {
  /** Changed by both, to different things. */
  conflicts: Conflict[]
  /** Changed by the other alone. */
  taken: Change[]
}

export function mergeOf(base: InstanceContent, mine: InstanceContent, theirs: InstanceContent): Merge {
  const own = new Map(changesBetween(base, mine).map((change) => [placeKey(change.place), change]))
  const conflicts: Conflict[] = []
  const taken: Change[] = []
  for (const change of changesBetween(base, theirs)) {
    const other = own.get(placeKey(change.place))
    if (!other) taken.push(change)
    else if (!isSame(change.place, other.after, change.after))
      conflicts.push({ place: change.place, base: change.before, mine: other.after, theirs: change.after })
  }
  return { conflicts, taken }
}

/** Their content with my changes on top, except where theirs was chosen (by key of the place). */
export function mergeWith(
  base: InstanceContent,
  mine: InstanceContent,
  theirs: InstanceContent,
  keepsTheirs: ReadonlySet<string>,
): InstanceContent {
  return changesBetween(base, mine)
    .filter(({ place }) => !keepsTheirs.has(placeKey(place)))
    .reduce((content, { place, after }) => withValue(content, place, after), theirs)
}
