/** Segments and fences as a document holds them. */
import { cutText } from '../cut-text.ts'
import type { Parsed } from '../blocks/definition.ts'
import { textLength, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { orderByExclusion } from '../targeting/exclusions.ts'
import { UPDATE_FREQUENCIES, type UpdateFrequency } from '../targeting/frequency.ts'
import { toPoint } from '../targeting/geo.ts'
import type { RegexCheck } from '../targeting/rule-value.ts'
import { parseRules, type SegmentRules } from '../targeting/rule.ts'

/** Named by its name, which is what content and campaigns aim at; so are the segments it leaves out. */
export type SegmentCode = { name: string } & SegmentRules & { excludedSegments: string[]; updateFrequency: UpdateFrequency }
/** Named by its id, which journeys and rules hold. */
export type FenceCode = { id: string; name: string; latitude: number; longitude: number; radiusMeters: number }

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

export function readSegmentCode(entry: JsonObject, isRegexValid: RegexCheck): Parsed<SegmentCode> {
  const { name, excludedSegments = [], updateFrequency = 'realtime' } = entry
  if (typeof name !== 'string' || name.trim() === '' || textLength(name) > LIMITS.segmentNameLength || name === 'All users')
    return no(`name must be a string of 1 to ${LIMITS.segmentNameLength} characters, and not All users`)
  const frequency = UPDATE_FREQUENCIES.find((each) => each === updateFrequency)
  if (!frequency) return no(`updateFrequency must be one of ${UPDATE_FREQUENCIES.join(', ')}`)
  if (!Array.isArray(excludedSegments) || !excludedSegments.every((each): each is string => typeof each === 'string'))
    return no('excludedSegments must be an array of segment names')
  const rules = parseRules(entry, isRegexValid)
  if (!rules.ok) return no(rules.error)
  return { ok: true, value: { name, ...rules.value, excludedSegments, updateFrequency: frequency } }
}

export function readFenceCode({ id, name, latitude, longitude, radiusMeters }: JsonObject): Parsed<FenceCode> {
  const { min, max } = LIMITS.geofenceRadiusMeters
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id)) return no('id must be 1 to 40 letters, digits, _ and -')
  if (typeof name !== 'string' || name.trim() === '' || name.length > LIMITS.geofenceNameLength)
    return no(`name must be a string of 1 to ${LIMITS.geofenceNameLength} characters`)
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || !toPoint({ latitude, longitude }))
    return no('latitude and longitude must be numbers of degrees')
  if (typeof radiusMeters !== 'number' || radiusMeters < min || radiusMeters > max)
    return no(`radiusMeters must be a number from ${min} to ${max}`)
  return { ok: true, value: { id, name, latitude, longitude, radiusMeters } }
}

export function exclusionFault(segments: readonly SegmentCode[]): string | undefined {
  const names = new Set(segments.map(({ name }) => name))
  for (const { name, excludedSegments } of segments) {
    const missing = excludedSegments.find((excluded) => !names.has(excluded))
    if (missing !== undefined)
      return `segment ${JSON.stringify(name)} leaves out ${JSON.stringify(cutText(missing, 100))}, which is not in the document`
  }
  const circle = orderByExclusion(segments.map(({ name, excludedSegments }) => ({ id: name, excluded: excludedSegments })))
  return circle ? undefined : 'segments leave each other out in a circle'
}
