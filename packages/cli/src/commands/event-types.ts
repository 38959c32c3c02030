/** Declared types of events: from a file, to a file, and what apps send besides. */
import { isBuiltIn, readDeclaredTypes, type DeclaredProperty, type DeclaredType } from '@contentflow/core/events/catalog/declared-type.ts'
import { openApi, type Api, type Page } from '../api.ts'
import { formatOf, printValue, readValue, VALUES, writeText } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'
import { fileOf } from '../project.ts'

type Options = { json?: boolean; dryRun?: boolean }
export type TypesPlan = { created: string[]; changed: string[]; unchanged: string[]; undeclared: string[] }
type SeenType = {
  name: string
  description: string
  owner: string
  declared: boolean
  lastSeen: string | null
  properties: Record<string, DeclaredProperty>
  undeclared: { name: string; kinds: string[] }[]
  violations: { property: string; count: number }[]
}
type SeenTypes = { types: SeenType[]; others: number }

/** Declares the types of the file, and no others. */
export async function eventsPush(io: Io, { json, dryRun = false }: Options, typed?: string): Promise<Exit> {
  const plan = await sendTypes(io, openApi(io), fileOf(io, typed, 'events'), dryRun)
  const { created, changed, undeclared, unchanged } = plan
  if (json) io.out(`${JSON.stringify(plan)}\n`)
  else {
    for (const [sign, tone, names] of [
      ['+', 'added', created],
      ['~', 'changed', changed],
      ['-', 'removed', undeclared],
    ] as const)
      for (const name of names) io.out(`${io.style.paint(tone, `${sign} ${name}`)}\n`)
    io.out(`${created.length} created, ${changed.length} changed, ${undeclared.length} undeclared, ${unchanged.length} unchanged\n`)
  }
  return dryRun && created.length + changed.length + undeclared.length > 0 ? DIFFERS : SAME
}

/** Declares the types of a file, or with `dryRun` asks what that would change. */
export async function sendTypes(io: Io, api: Api, file: string, dryRun: boolean): Promise<TypesPlan> {
  return api.call<TypesPlan>('write', 'PUT', '/sdk/v1/event-types', { body: { types: readFile(io, file), dryRun } })
}

/** A list of types, or `{types}` or `{events}` with one, as a document of the workspace has it. */
function readFile(io: Io, file: string): DeclaredType[] {
  const value = readValue(io, file)
  const { types, events } = (value ?? {}) as { types?: unknown; events?: unknown }
  const read = readDeclaredTypes(Array.isArray(value) ? value : (types ?? events))
  if (!read.ok) throw new Problem(`${file}: ${read.error}`, 'FILE')
  return read.value
}

/** Writes the declared types; pushed again, nothing changes. */
export async function eventsPull(io: Io, { json }: Options, typed?: string): Promise<Exit> {
  const file = fileOf(io, typed, 'events')
  const format = formatOf(file, VALUES)
  const types = declaredOf((await readEventTypes(openApi(io))).types).map(shortened)
  const line = json ? `${JSON.stringify({ types: types.length, file })}\n` : `${types.length} event types in ${file}\n`
  writeText(io, file, printValue(format, { types }), line)
  return SAME
}

/** Without the members that say nothing. */
function shortened({ name, description, owner, properties }: DeclaredType): object {
  return {
    name,
    ...(description !== '' && { description }),
    ...(owner !== '' && { owner }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}

/** Says what apps send that nobody declared, and what is not as it was declared. */
export async function eventsCheck(io: Io, { json }: Options): Promise<Exit> {
  const { types, others } = await readEventTypes(openApi(io))
  const undeclared = types.filter(({ name, declared }) => !declared && !isBuiltIn(name)).map(({ name }) => name)
  const properties = types.flatMap(({ name, declared, undeclared: found }) =>
    declared && found.length > 0 ? [{ type: name, properties: found.map((one) => one.name) }] : [],
  )
  const violations = types.flatMap(({ name, violations: found }) => found.map((one) => ({ type: name, ...one })))
  const isRight = undeclared.length + properties.length + violations.length + others === 0
  if (json) io.out(`${JSON.stringify({ undeclared, properties, violations, others })}\n`)
  else {
    for (const name of undeclared) io.out(`${name}: apps send it, and it is not declared\n`)
    for (const { type, properties: names } of properties) io.out(`${type}: not declared: ${names.join(', ')}\n`)
    for (const { type, property, count } of violations) io.out(`${type}.${property}: ${count} events are not as declared\n`)
    if (others > 0) io.out(`${others} events of further types, which the catalogue has no room for\n`)
    if (isRight) io.out('Apps send what is declared\n')
  }
  return isRight ? SAME : DIFFERS
}

/** The catalogue of the workspace, page by page. */
export async function readEventTypes(api: Api): Promise<SeenTypes> {
  const types: SeenType[] = []
  for (let cursor: string | null = ''; ;) {
    const query: string = cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''
    const { data, metadata } = (await api.page('write', `/sdk/v1/event-types${query}`)) as Page<SeenTypes>
    types.push(...data.types)
    cursor = metadata.nextCursor
    if (cursor === null) return { types, others: data.others }
  }
}

/** Those that are declared, as the server takes them. */
export function declaredOf(types: readonly SeenType[]): DeclaredType[] {
  return types.flatMap(({ name, description, owner, declared, properties }) => (declared ? [{ name, description, owner, properties }] : []))
}
