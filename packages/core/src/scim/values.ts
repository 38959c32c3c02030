/** Reading what a directory sends into the shape that is kept. */
import { foldEmail } from '../identity/fold-email.ts'
import { LIMITS } from '../limits.ts'
import { right, wrong, type Attribute, type Element, type Named, type Resource, type Result, type Scalar, type Shape } from './shapes.ts'

type List = Extract<Attribute, { is: 'list' }>
type Value = Resource[string]

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An attribute that is text; undefined when it is not there. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Undefined for a value that takes the attribute away. Entra writes flags as text, `"False"`. */
export function readScalar(name: string, kind: Scalar, value: unknown): Result<string | boolean | undefined> {
  if (value === null || value === undefined || value === '') return right(undefined)
  if (kind === 'flag') {
    const flag = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value
    return typeof flag === 'boolean' ? right(flag) : wrong('invalidValue', `${name} must be true or false`)
  }
  if (typeof value !== 'string') return wrong('invalidValue', `${name} must be text`)
  if (value.length > LIMITS.scimTextLength) return wrong('invalidValue', `${name} must have at most ${LIMITS.scimTextLength} characters`)
  return right(value)
}

/** The known members of an object; unknown ones are left out. `null` stands for a member that is to go. */
export function readMembers(name: string, members: Named<Scalar>, value: unknown): Result<Map<string, string | boolean | undefined>> {
  if (!isObject(value)) return wrong('invalidValue', `${name} must be an object`)
  const found = new Map<string, string | boolean | undefined>()
  for (const [key, each] of Object.entries(value)) {
    const member = members.get(key.toLowerCase())
    if (!member) continue
    const read = readScalar(`${name}.${member.name}`, member.of, each)
    if (!read.ok) return read
    found.set(member.name, read.value)
  }
  return right(found)
}

/** What is there, with what changes laid over it. */
export function merged(before: Element, change: ReadonlyMap<string, string | boolean | undefined>): Element {
  const next = new Map<string, string | boolean | undefined>([...Object.entries(before), ...change])
  return Object.fromEntries([...next].filter((entry): entry is [string, string | boolean] => entry[1] !== undefined))
}

/** Elements of a list; one alone stands for a list of one. */
export function readElements(name: string, { members, most }: List, value: unknown): Result<Element[]> {
  const sent: unknown[] = Array.isArray(value) ? value : [value]
  // Twice, as the same one may be named under several types.
  if (sent.length > 2 * most) return wrong('invalidValue', `${name} takes at most ${most} elements`)
  const elements: Element[] = []
  for (const each of sent) {
    const read = readMembers(name, members, each)
    if (!read.ok) return read
    elements.push(merged({}, read.value))
  }
  return right(elements)
}

/** Two elements with the same key are one; the later one counts. Of several that are primary, the last is. */
export function tidy(name: string, { key, most }: List, elements: readonly Element[]): Result<Element[]> {
  const byKey = new Map<string, Element>()
  for (const each of elements) {
    if (each['value'] === undefined) continue
    const own = keyOf(key, each)
    byKey.set(own, { ...byKey.get(own), ...each })
  }
  if (byKey.size > most) return wrong('invalidValue', `${name} takes at most ${most} elements`)
  const all = [...byKey.values()]
  const last = all.findLast((each) => each['primary'] === true)
  return right(all.map((each) => (each['primary'] === true && each !== last ? { ...each, primary: false } : each)))
}

function keyOf(key: readonly string[], element: Element): string {
  // Ids, of which there may be thousands.
  if (key.length === 1) return String(element[key[0] ?? ''])
  return JSON.stringify(key.map((name) => foldEmail(String(element[name] ?? ''))))
}

/** A whole user or group, as POST and PUT send it. Names count without case; what is not known is left out. */
export function readResource(shape: Shape, body: Record<string, unknown>): Result<Resource> {
  const found = new Map<string, Value>()
  for (const [key, value] of Object.entries(body)) {
    const attribute = shape.attributes.get(key.toLowerCase())
    if (!attribute || value === null) continue
    const read = readAttribute(attribute.name, attribute.of, value)
    if (!read.ok) return read
    if (read.value !== undefined) found.set(attribute.name, read.value)
  }
  return right(Object.fromEntries(found))
}

function readAttribute(name: string, attribute: Attribute, value: unknown): Result<Value | undefined> {
  if (attribute.is === 'list') {
    const read = readElements(name, attribute, value)
    if (!read.ok || read.value.length === 0) return read.ok ? right(undefined) : read
    return tidy(name, attribute, read.value)
  }
  if (attribute.is !== 'object') return readScalar(name, attribute.is, value)
  const read = readMembers(name, attribute.members, value)
  return read.ok ? right(merged({}, read.value)) : read
}

/** The required attribute that a resource lacks. `active` is not asked for: it has a default. */
export function missingIn(shape: Shape, resource: Resource): string | undefined {
  for (const { name, of } of shape.attributes.values())
    if ('isRequired' in of && of.is !== 'flag' && resource[name] === undefined) return name
  return undefined
}
