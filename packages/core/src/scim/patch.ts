/**
 * PATCH of SCIM (RFC 7644, section 3.5.2), in the dialects of Okta and of Entra (with and without its flag `aadOptscim062020`):
 * what is not known is ignored, because a refusal would stop a deactivation that stands in the same request.
 */
import { LIMITS } from '../limits.ts'
import { isMeant, parsePath, type Condition } from './filter.ts'
import { right, wrong, type Attribute, type Element, type Resource, type Result, type Shape } from './shapes.ts'
import { isObject, merged, readElements, readMembers, readScalar, tidy } from './values.ts'

const OPS = ['add', 'replace', 'remove'] as const
type Op = (typeof OPS)[number]
/** One attribute that is changed. `value` undefined: none was sent. */
type Step = { op: Op; path: string; value: unknown }
type List = Extract<Attribute, { is: 'list' }>
type Target = Omit<Condition, 'value'>

/** The resource with all operations done, or why none was. */
export function applyPatch(shape: Shape, resource: Resource, body: unknown): Result<Resource> {
  const steps = readSteps(body)
  if (!steps.ok) return steps
  let next = resource
  for (const step of steps.value) {
    const done = applyStep(shape, next, step)
    if (!done.ok) return done
    next = done.value
  }
  return right(next)
}

function readSteps(body: unknown): Result<Step[]> {
  const operations = isObject(body) ? Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1] : undefined
  if (!Array.isArray(operations) || operations.length === 0) return wrong('invalidSyntax', 'Operations must be a list of operations')
  if (operations.length > LIMITS.scimOperations) return wrong('tooMany', `A PATCH takes at most ${LIMITS.scimOperations} operations`)
  const steps: Step[] = []
  for (const each of operations as unknown[]) {
    if (!isObject(each)) return wrong('invalidSyntax', 'An operation must be an object')
    const op = OPS.find((name) => typeof each['op'] === 'string' && name === each['op'].toLowerCase())
    if (!op) return wrong('invalidSyntax', 'op must be add, replace or remove')
    const { path, value } = each
    if (path !== undefined && path !== null && typeof path !== 'string') return wrong('invalidPath', 'path must be text')
    if (path !== undefined && path !== null) steps.push({ op, path, value })
    else if (op === 'remove') return wrong('noTarget', 'remove needs a path')
    else if (!isObject(value)) return wrong('invalidValue', 'Without a path, value must be an object')
    // Names of members are paths too: Entra writes "name.givenName".
    else steps.push(...Object.entries(value).map(([name, own]) => ({ op, path: name, value: own })))
  }
  return steps.length > MOST_STEPS ? wrong('tooMany', 'The PATCH changes too many attributes') : right(steps)
}
/** Attributes that all operations together name. */
const MOST_STEPS = 500

function applyStep(shape: Shape, resource: Resource, { op, path, value }: Step): Result<Resource> {
  const own = withoutSchema(shape, path.trim())
  // An attribute of another schema, such as the manager of Entra.
  if (own === undefined) return right(resource)
  const name = /^[a-z$][\w$-]*/i.exec(own)?.[0]
  if (name === undefined) return wrong('invalidPath', 'path must begin with the name of an attribute')
  const attribute = shape.attributes.get(name.toLowerCase())
  if (!attribute) return right(resource)
  const target = parsePath(own)
  if (!target) return wrong('invalidPath', `path cannot be read behind ${attribute.name}`)
  const changed = changeAttribute(attribute, { op, target, value }, resource[attribute.name])
  if (!changed.ok) return changed
  const { [attribute.name]: _before, ...others } = resource
  if (changed.value !== undefined) return right({ ...others, [attribute.name]: changed.value })
  const isRequired = 'isRequired' in attribute.of
  return isRequired ? wrong('invalidValue', `${attribute.name} cannot be taken away`) : right(others)
}

/** Undefined for what belongs to a schema that is not kept. */
function withoutSchema({ schema }: Shape, path: string): string | undefined {
  if (!/^urn:/i.test(path)) return path
  const isOwn = path.toLowerCase().startsWith(`${schema.toLowerCase()}:`)
  return isOwn ? path.slice(schema.length + 1) : undefined
}

type Asked = { op: Op; target: Target; value: unknown }

function changeAttribute(
  { name, of }: { name: string; of: Attribute },
  asked: Asked,
  before: Resource[string] | undefined,
): Result<Resource[string] | undefined> {
  if (of.is === 'list') {
    const changed = changeList(name, of, asked, (before ?? []) as readonly Element[])
    return changed.ok && changed.value?.length === 0 ? right(undefined) : changed
  }
  const { op, target, value } = asked
  const [, member] = target.path
  // There is no such part: nothing to change.
  if (target.where || (of.is !== 'object' && member !== undefined)) return right(before)
  if (of.is !== 'object') return op === 'remove' ? right(undefined) : readScalar(name, of.is, value)
  if (member === undefined && (op === 'remove' || value === null)) return right(undefined)
  const change = readMembers(name, of.members, member === undefined ? value : { [member]: op === 'remove' ? null : value })
  if (!change.ok) return change
  const next = merged((before ?? {}) as Element, change.value)
  return right(Object.keys(next).length === 0 ? undefined : next)
}

function changeList(name: string, list: List, asked: Asked, before: readonly Element[]): Result<readonly Element[] | undefined> {
  const { op, target, value } = asked
  const [, member] = target.path
  if (target.where || member !== undefined) return changeElements(name, list, asked, before)
  if (op === 'remove') {
    if (value === undefined || value === null) return right(undefined)
    // Entra names the members that are to go by value; they alone go.
    const named = readElements(name, list, value)
    if (!named.ok) return named
    const gone = new Set(named.value.map((each) => each['value']))
    return right(before.filter((each) => !gone.has(each['value'])))
  }
  if (value === null) return right(undefined)
  const sent = readElements(name, list, value)
  return sent.ok ? tidy(name, list, op === 'add' ? [...before, ...sent.value] : sent.value) : sent
}

/** Some elements, or one member of them. Where there is no such element one is made, as Entra expects. */
function changeElements(
  name: string,
  list: List,
  { op, target, value }: Asked,
  before: readonly Element[],
): Result<readonly Element[] | undefined> {
  const { where, path } = target
  const [, member] = path
  if (member !== undefined && !list.members.has(member)) return right(before)
  const isMatch = (each: Element) => where === undefined || isMeant(list.members, each, where)
  if (op === 'remove' && member === undefined) return right(before.filter((each) => !isMatch(each)))
  const change = readMembers(name, list.members, member === undefined ? value : { [member]: op === 'remove' ? null : value })
  if (!change.ok) return change
  const made = before.some(isMatch) || op === 'remove' ? [] : [merged(blankOf(list, where), change.value)]
  const isNowPrimary = change.value.get('primary') === true
  const changed = before.map((each) => {
    if (isMatch(each)) return merged(each, change.value)
    return isNowPrimary && each['primary'] === true ? { ...each, primary: false } : each
  })
  return tidy(name, list, [...changed, ...made])
}

/** An element as the conditions say it is. */
function blankOf({ members }: List, where: readonly Condition[] = []): Element {
  const known = where.flatMap(({ path, value }) => {
    const member = path.length === 1 ? members.get(path[0] ?? '') : undefined
    return member && value !== undefined ? [[member.name, value] as const] : []
  })
  return Object.fromEntries(known)
}
