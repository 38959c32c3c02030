/**
 * The filters of SCIM that directories send (RFC 7644, section 3.4.2.2): `attr eq "v"`, `attr.sub eq "v"`,
 * `attr[type eq "v"].sub eq "v"`, several of them with `and`. Anything else is `invalidFilter`.
 */
import { foldEmail } from '../identity/fold-email.ts'
import { LIMITS } from '../limits.ts'
import { right, wrong, type Element, type Result, type Scalar, type Shape } from './shapes.ts'

/** `path`: in lower case, of one or two names. `where`: which elements of a list are meant. Without `value`: that there is such an element. */
export type Condition = { path: readonly string[]; where?: readonly Condition[]; value?: string | boolean }

const MOST_CONDITIONS = 10
const INVALID = 'A filter takes attr eq "v", attr[type eq "v"].sub eq "v", and several of these with and'

/** A text and how far it is read. */
type Reader = { text: string; at: number }

export function parseFilter(text: string): Result<Condition[]> {
  const reader = { text: text.trim(), at: 0 }
  if (reader.text.length > LIMITS.scimFilterLength) return wrong('invalidFilter', 'The filter is too long')
  const conditions = readConditions(reader, false)
  return conditions && reader.at === reader.text.length ? right(conditions) : wrong('invalidFilter', INVALID)
}

/** `path` of a PATCH: an attribute, perhaps one of its members, perhaps of some elements only. Undefined: it cannot be read. */
export function parsePath(text: string): Omit<Condition, 'value'> | undefined {
  const reader = { text: text.trim(), at: 0 }
  if (reader.text.length > LIMITS.scimFilterLength) return undefined
  const path = readPath(reader, false)
  return path && reader.at === reader.text.length ? path : undefined
}

function readConditions(reader: Reader, isWithin: boolean): Condition[] | undefined {
  const conditions: Condition[] = []
  do {
    const condition = readCondition(reader, isWithin)
    if (!condition || conditions.length === MOST_CONDITIONS) return undefined
    conditions.push(condition)
  } while (take(reader, /\s+and\s+/iy))
  return conditions
}

function readCondition(reader: Reader, isWithin: boolean): Condition | undefined {
  const path = readPath(reader, isWithin)
  if (!path) return undefined
  if (!take(reader, /\s+eq\s+/iy)) return path.where && path.path.length === 1 ? path : undefined
  const literal = take(reader, /"(?:[^"\\]|\\.)*"|true|false/iy)
  if (literal === undefined) return undefined
  try {
    return { ...path, value: JSON.parse(literal.startsWith('"') ? literal : literal.toLowerCase()) as string | boolean }
  } catch {
    return undefined
  }
}

function readPath(reader: Reader, isWithin: boolean): Condition | undefined {
  const name = take(reader, NAME)
  if (name === undefined) return undefined
  let where: Condition[] | undefined
  if (!isWithin && take(reader, /\[\s*/y)) {
    where = readConditions(reader, true)
    if (!where || take(reader, /\s*\]/y) === undefined) return undefined
  }
  const member = take(reader, /\./y) && take(reader, NAME)
  if (member === undefined && reader.text[reader.at - 1] === '.') return undefined
  const path = [name, ...(member === undefined ? [] : [member])].map((each) => each.toLowerCase())
  return { path, ...(where && { where }) }
}
const NAME = /[a-z$][\w$-]*/iy

/** Goes on behind what the pattern finds here; undefined: nothing. */
function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0]
  if (found === undefined) return undefined
  reader.at = pattern.lastIndex
  return found
}

/** Whether a resource, with its id, is meant. What it does not have equals nothing. */
export function matches(shape: Shape, resource: Readonly<Record<string, unknown>>, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path: [name = '', member], where, value }) => {
    if (name === 'id') return member === undefined && where === undefined && resource['id'] === value
    const attribute = shape.attributes.get(name)
    const found = attribute && resource[attribute.name]
    if (!attribute || found === undefined) return false
    const { of } = attribute
    if (of.is !== 'list' && of.is !== 'object') return member === undefined && where === undefined && isEqual(of.is, found, value)
    if (of.is === 'object' && where) return false
    const elements = [found].flat() as Element[]
    const meant = where ? elements.filter((each) => isMeant(of.members, each, where)) : elements
    if (value === undefined) return meant.length > 0
    // A list without a member named stands for the values of its elements.
    return meant.some((each) => isMeant(of.members, each, [{ path: [member ?? 'value'], value }]))
  })
}

/** Whether an element of a list, or an object, is as the conditions say. */
export function isMeant(
  members: ReadonlyMap<string, { name: string; of: Scalar }>,
  element: Element,
  conditions: readonly Condition[],
): boolean {
  return conditions.every(({ path, value }) => {
    const member = path.length === 1 ? members.get(path[0] ?? '') : undefined
    return member !== undefined && isEqual(member.of, element[member.name], value)
  })
}

function isEqual(kind: Scalar, found: unknown, value: string | boolean | undefined): boolean {
  if (value === undefined || (typeof found !== 'string' && typeof found !== 'boolean')) return false
  if (kind === 'exact') return found === value
  return foldEmail(String(found)) === foldEmail(String(value))
}

/** The value that an attribute has to have, for a look-up by it; undefined: the filter does not say. */
export function valueOf(conditions: readonly Condition[], name: string): string | undefined {
  const found = conditions.find(({ path, where }) => path.length === 1 && path[0] === name && where === undefined)
  return typeof found?.value === 'string' ? found.value : undefined
}
