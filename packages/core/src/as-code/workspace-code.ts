/** A workspace as one document: what is in it, in a fixed order, named by what stays the same in every workspace. */
import { parseDefinition, type Definition, type Parsed } from '../blocks/definition.ts'
import { isPlainObject, textLength, type Json, type JsonObject } from '../blocks/field.ts'
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
export type WorkspaceCode = { blocks: Definition[]; segments: SegmentCode[]; geofences: FenceCode[] }
export const CODE_KINDS = ['blocks', 'segments', 'geofences'] as const satisfies readonly (keyof WorkspaceCode)[]
export type CodeKind = (typeof CODE_KINDS)[number]

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Each kind in its order, whatever order it came in. */
export function inOrder({ blocks, segments, geofences }: WorkspaceCode): WorkspaceCode {
  const withNames = segments.map((segment) => ({ ...segment, excludedSegments: [...new Set(segment.excludedSegments)].sort() }))
  return {
    blocks: [...blocks].sort((a, b) => compare(a.key, b.key)),
    segments: withNames.sort((a, b) => compare(a.name, b.name)),
    geofences: [...geofences].sort((a, b) => compare(a.id, b.id)),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/**
 * Reads a document. A kind that it does not name is not its business; one that it names is declared completely. The
 * first fault is returned with where it stands. `isRegexValid` belongs to the engine that runs the patterns of rules.
 */
export function readCode(input: unknown, isRegexValid: RegexCheck): Parsed<Partial<WorkspaceCode>> {
  if (!isPlainObject(input)) return no('the document must be an object of blocks, segments and geofences')
  const unknown = Object.keys(input).find((name) => !CODE_KINDS.some((kind) => kind === name))
  if (unknown !== undefined) return no(`the document may have ${CODE_KINDS.join(', ')}, not ${unknown.slice(0, 100)}`)
  const blocks = readList(input, 'blocks', LIMITS.definitionsPerManifest, readBlock, ({ key }) => key)
  if (!blocks.ok) return blocks
  const segments = readList(
    input,
    'segments',
    LIMITS.segmentsPerWorkspace,
    (entry) => readSegment(entry, isRegexValid),
    ({ name }) => name,
  )
  if (!segments.ok) return segments
  const fences = readList(input, 'geofences', LIMITS.geofencesPerWorkspace, readFence, ({ id }) => id)
  if (!fences.ok) return fences
  const fault = segments.value && exclusionFault(segments.value)
  if (fault !== undefined) return no(fault)
  const read = inOrder({ blocks: blocks.value ?? [], segments: segments.value ?? [], geofences: fences.value ?? [] })
  return { ok: true, value: Object.fromEntries(CODE_KINDS.filter((kind) => input[kind] !== undefined).map((kind) => [kind, read[kind]])) }
}

function readList<T>(
  input: JsonObject,
  kind: CodeKind,
  most: number,
  read: (entry: JsonObject) => Parsed<T>,
  keyOf: (item: T) => string,
): Parsed<T[] | undefined> {
  const list: Json | undefined = input[kind]
  if (list === undefined) return { ok: true, value: undefined }
  if (!Array.isArray(list) || list.length > most) return no(`${kind} must be an array of at most ${most}`)
  const items = new Map<string, T>()
  for (const [at, entry] of list.entries()) {
    const item = isPlainObject(entry) ? read(entry) : no('must be an object')
    if (!item.ok) return no(`${kind}[${at}]: ${item.error}`)
    const key = keyOf(item.value)
    if (items.has(key)) return no(`${kind}[${at}]: ${JSON.stringify(key)} stands there twice`)
    items.set(key, item.value)
  }
  return { ok: true, value: [...items.values()] }
}

function readBlock(entry: JsonObject): Parsed<Definition> {
  return parseDefinition(entry)
}

function readSegment(entry: JsonObject, isRegexValid: RegexCheck): Parsed<SegmentCode> {
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

function readFence({ id, name, latitude, longitude, radiusMeters }: JsonObject): Parsed<FenceCode> {
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

function exclusionFault(segments: readonly SegmentCode[]): string | undefined {
  const names = new Set(segments.map(({ name }) => name))
  for (const { name, excludedSegments } of segments) {
    const missing = excludedSegments.find((excluded) => !names.has(excluded))
    if (missing !== undefined)
      return `segment ${JSON.stringify(name)} leaves out ${JSON.stringify(missing.slice(0, 100))}, which is not in the document`
  }
  const circle = orderByExclusion(segments.map(({ name, excludedSegments }) => ({ id: name, excluded: excludedSegments })))
  return circle ? undefined : 'segments leave each other out in a circle'
}
