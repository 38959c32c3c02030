/** Types of events that a workspace declares: what apps may send, and what of it can be analysed. */
import type { Parsed } from '../../blocks/definition.ts'
import { isPlainObject, isWithin, type Json, type JsonObject } from '../../blocks/field.ts'
import { cutText } from '../../cut-text.ts'
import { canonicalJson } from '../../json/canonical-json.ts'
import { LIMITS } from '../../limits.ts'
import { COUNTED_TYPES } from '../counted-as.ts'
import { isStringSignal } from '../read-events.ts'
import { DECLARED_KINDS, isOfKind, kindOf, type DeclaredKind } from './property-kind.ts'

/** `dimension`: its values tell events apart in reports. `measure`: they are numbers that are added up. */
export const PROPERTY_USES = ['none', 'dimension', 'measure'] as const
export type PropertyUse = (typeof PROPERTY_USES)[number]

export type DeclaredProperty = {
  kind: DeclaredKind
  /** The rest is there only where it says something other than nothing. */
  required?: true
  enum?: (string | number)[]
  description?: string
  use?: Exclude<PropertyUse, 'none'>
}
/** Properties by name, which an app chose: read own members only. */
export type DeclaredType = {
  name: string
  description: string
  owner: string
  properties: Readonly<Record<string, DeclaredProperty>>
}

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Kinds whose values can be listed. */
const ENUM_KINDS: ReadonlySet<string> = new Set(['string', 'integer', 'number'])
/** Kinds of which a value is one of few. */
const DIMENSIONS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'date'])
const MEASURES: ReadonlySet<string> = new Set(['integer', 'number'])
/** Who somebody is, and what happens with texts: both have routes of their own. */
const NOT_DECLARED: ReadonlySet<string> = new Set(['sign_up', 'sign_in'])
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f-\x9f]/

/** Whether events of this type stand in the catalogue. */
export function isOfCatalog(type: string): boolean {
  return !isStringSignal(type) && !NOT_DECLARED.has(type)
}

const BUILT_IN: ReadonlySet<string> = new Set(Object.values(COUNTED_TYPES).flat())

/** Types that mean something to the platform, such as impressions: they may be declared, and need not be. */
export function isBuiltIn(type: string): boolean {
  return BUILT_IN.has(type)
}

/** Reads a type as a route or a document has it; the error names the member, such as `properties.total.kind`. */
export function readDeclaredType(input: unknown): Parsed<DeclaredType> {
  if (!isPlainObject(input)) return no('must be an object')
  const { name, description = '', owner = '', properties = {}, ...others } = input
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined)
    return no(`${cutText(unknown, 100)} is not a member of an event type; it takes name, description, owner, properties`)
  if (typeof name !== 'string' || name === '' || name.length > LIMITS.eventNameLength || CONTROL.test(name))
    return no(`name must be a string of 1 to ${LIMITS.eventNameLength} characters without control characters`)
  if (!isOfCatalog(name)) return no(`name: ${name} is an event of the platform, which nobody declares`)
  if (typeof description !== 'string' || !isWithin(description, LIMITS.eventDescriptionLength))
    return no(`description must be a string of at most ${LIMITS.eventDescriptionLength} characters`)
  if (typeof owner !== 'string' || !isWithin(owner, LIMITS.eventOwnerLength))
    return no(`owner must be a string of at most ${LIMITS.eventOwnerLength} characters`)
  const read = readProperties(properties)
  if (!read.ok) return read
  return { ok: true, value: { name, description, owner, properties: read.value } }
}

/** Properties may be named `__proto__`: `Object.fromEntries` makes it a member like others. */
function readProperties(input: Json): Parsed<DeclaredType['properties']> {
  if (!isPlainObject(input)) return no('properties must be an object of properties by name')
  const entries = Object.entries(input)
  if (entries.length > LIMITS.eventTypeProperties) return no(`properties: at most ${LIMITS.eventTypeProperties}`)
  const declared: [string, DeclaredProperty][] = []
  for (const [name, value] of entries) {
    if (name === '' || name.length > LIMITS.eventPropertyNameLength || CONTROL.test(name))
      return no(`properties: a name has 1 to ${LIMITS.eventPropertyNameLength} characters without control characters`)
    const property = isPlainObject(value) ? readProperty(value) : no('must be an object')
    if (!property.ok) return no(`properties.${name}${property.error.startsWith('must') ? ' ' : '.'}${property.error}`)
    declared.push([name, property.value])
  }
  // Sorted, so that one declaration is one text.
  const sorted = declared.sort(([a], [b]) => (a < b ? -1 : 1))
  return { ok: true, value: Object.fromEntries(sorted) }
}

function readProperty({
  kind,
  required = false,
  enum: values,
  description = '',
  use = 'none',
  ...others
}: JsonObject): Parsed<DeclaredProperty> {
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) return no(`${cutText(unknown, 100)} is not known; a property takes kind, required, enum, description, use`)
  const declared = DECLARED_KINDS.find((each) => each === kind)
  if (!declared) return no(`kind must be one of ${DECLARED_KINDS.join(', ')}`)
  if (typeof required !== 'boolean') return no('required must be true or false')
  if (typeof description !== 'string' || !isWithin(description, LIMITS.eventDescriptionLength))
    return no(`description must be a string of at most ${LIMITS.eventDescriptionLength} characters`)
  const used = PROPERTY_USES.find((each) => each === use)
  if (!used) return no(`use must be one of ${PROPERTY_USES.join(', ')}`)
  if (used === 'measure' && !MEASURES.has(declared)) return no('use: only properties of kind integer or number are measures')
  if (used === 'dimension' && !DIMENSIONS.has(declared)) return no('use: objects and arrays are no dimensions')
  const listed = values === undefined || values === null ? undefined : readEnum(values, declared)
  if (listed && !listed.ok) return listed
  return {
    ok: true,
    value: {
      kind: declared,
      ...(required && { required: true as const }),
      ...(listed && { enum: listed.value }),
      ...(description !== '' && { description }),
      ...(used !== 'none' && { use: used }),
    },
  }
}

function readEnum(values: Json, kind: DeclaredKind): Parsed<(string | number)[]> {
  if (!ENUM_KINDS.has(kind)) return no('enum: only properties of kind string, integer or number have one')
  const { eventEnumValues: most, eventEnumLength: longest } = LIMITS
  if (!Array.isArray(values) || values.length === 0 || values.length > most) return no(`enum must be an array of 1 to ${most} values`)
  const wrong = values.findIndex((value) => !isOfKind(kindOf(value), kind) || JSON.stringify(value).length > longest + 2)
  if (wrong >= 0) return no(`enum[${wrong}] must be a value of kind ${kind} with at most ${longest} characters`)
  if (new Set(values).size < values.length) return no('enum must not name a value twice')
  return { ok: true, value: values as (string | number)[] }
}

/** Reads a list of types, each once; the error names the entry, such as `types[2]`. */
export function readDeclaredTypes(input: unknown, named = 'types'): Parsed<DeclaredType[]> {
  if (!Array.isArray(input) || input.length > LIMITS.eventTypes) return no(`${named} must be an array of at most ${LIMITS.eventTypes}`)
  const types = new Map<string, DeclaredType>()
  for (const [index, entry] of input.entries()) {
    const read = readDeclaredType(entry)
    if (!read.ok) return no(`${named}[${index}]${read.error.startsWith('must') ? ' ' : ': '}${read.error}`)
    if (types.has(read.value.name)) return no(`${named}[${index}]: ${JSON.stringify(read.value.name)} stands there twice`)
    types.set(read.value.name, read.value)
  }
  const fault = sizeFault([...types.values()])
  return fault === undefined ? { ok: true, value: [...types.values()] } : no(`${named}: ${fault}`)
}

/** Every process holds the declared types of the workspaces whose apps it hears, so all of one workspace have a bound together. */
export function sizeFault(types: readonly DeclaredType[]): string | undefined {
  const characters = types.reduce((sum, type) => sum + canonicalJson(type).length, 0)
  const most = LIMITS.eventDeclarationsLength
  return characters <= most ? undefined : `all types together have ${characters} characters as JSON; at most ${most}`
}
