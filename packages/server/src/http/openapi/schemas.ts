/**
 * Gives a name to every schema that occurs more than once in the OpenAPI document, by its content and not by who wrote it:
 * equal schemas of different routes become one. Generated clients have one type for each.
 */
export type JsonSchema = {
  $ref?: string
  title?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  patternProperties?: Record<string, JsonSchema>
  description?: string
  examples?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}
/** Where a schema occurs: the operation, and whether it is its body. */
export type SchemaLocation = { operationId: string; isBody: boolean; schema: JsonSchema; put(schema: JsonSchema): void }

/** An enum with fewer values is written in place. */
const FEW = 3
const REF = '#/components/schemas/'

/** Replaces equal schemas by references, bodies included; returns the named schemas. */
export function gatherSchemas(places: readonly SchemaLocation[], taken: readonly string[]): Record<string, JsonSchema> {
  const counts = new Map<string, number>()
  for (const { schema } of places) countIn(schema, counts)
  const gathered = new Gathered(counts, taken)
  const rank = ({ operationId, isBody }: SchemaLocation) =>
    isBody ? 3 : operationId.startsWith('get') ? 0 : operationId.startsWith('list') ? 1 : 2
  // Operations that read a thing give it its name; those that write it use that name.
  for (const place of [...places].sort((a, b) => rank(a) - rank(b))) place.put(gathered.place(place))
  return gathered.components()
}

/** Whether a schema that occurs twice deserves a name. */
export function isNameable({ properties, enum: values }: JsonSchema): boolean {
  return properties ? Object.keys(properties).length > 0 : (values?.length ?? 0) >= FEW
}

/** Two schemas with this text in common are the same: descriptions do not count. */
export function keyOf({ description: _said, ...schema }: JsonSchema): string {
  return JSON.stringify(schema, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** The schemas directly inside one, each with the name of its member. */
export function childrenOf(schema: JsonSchema): [member: string, child: JsonSchema][] {
  const { properties = {}, items, anyOf = [], allOf = [], additionalProperties, patternProperties = {} } = schema
  return [
    ...Object.entries(properties),
    ...[...(items ? [items] : []), ...anyOf, ...allOf, ...Object.values(patternProperties)].map((each): [string, JsonSchema] => ['', each]),
    ...(typeof additionalProperties === 'object' ? [['', additionalProperties] as [string, JsonSchema]] : []),
  ]
}

function countIn(schema: JsonSchema, counts: Map<string, number>): void {
  if (isNameable(schema)) counts.set(keyOf(schema), (counts.get(keyOf(schema)) ?? 0) + 1)
  for (const [, child] of childrenOf(schema)) countIn(child, counts)
}

class Gathered {
  readonly #counts: Map<string, number>
  readonly #names = new Map<string, string>()
  readonly #schemas = new Map<string, JsonSchema>()
  readonly #taken: Set<string>

  constructor(counts: Map<string, number>, taken: readonly string[]) {
    this.#counts = counts
    this.#taken = new Set(taken)
  }

  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  place({ operationId, isBody, schema }: SchemaLocation): JsonSchema {
    const operation = capital(operationId)
    if (isBody) return this.#put(schema, `${operation}Body`, true)
    const read = /^(?:get|list)(?:All)?([A-Z]\w*)$/.exec(operationId)
    return this.#putAnswer(schema, operation, read?.[1] ?? `${operation}Result`)
  }

  /** `{success, data, …}`: `data` is named after the subject of the operation, and the items of a list after one of them. */
  #putAnswer(schema: JsonSchema, operation: string, noun: string): JsonSchema {
    if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((each) => this.#putAnswer(each, operation, noun)) }
    const { data } = schema.properties ?? {}
    if (!data) return this.#put(schema, `${operation}Answer`, false)
    const known = this.#names.get(keyOf(schema))
    if (known) return ref(known, schema.description)
    const placed = this.#putData(data, operation, noun)
    const rest = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'data')
    const properties = {
      ...Object.fromEntries(rest.map(([name, each]) => [name, this.#put(each, operation + capital(name), false)])),
      data: placed,
    }
    const answer = { ...schema, properties }
    if (!this.#isShared(schema)) return answer
    return this.#keep(schema, answer, placed.$ref ? `${placed.$ref.slice(REF.length)}Answer` : `${operation}Answer`)
  }

  #putData(data: JsonSchema, operation: string, noun: string): JsonSchema {
    const lists = Object.entries(data.properties ?? {}).filter(([, { items }]) => items?.properties)
    if (lists.length === 1 && Object.keys(data.properties ?? {}).length <= 2 && operation.startsWith('List')) {
      const [[name, list]] = lists as [[string, JsonSchema]]
      const items = this.#put(list.items!, singular(noun), true, `Listed${singular(noun)}`)
      const others = Object.entries(data.properties!).filter(([other]) => other !== name)
      const properties = Object.fromEntries(others.map(([other, each]) => [other, this.#put(each, noun + capital(other), false)]))
      const listed = { ...data, properties: { ...properties, [name]: { ...list, items } } }
      return this.#isShared(data) ? (this.#known(data) ?? this.#keep(data, listed, noun)) : listed
    }
    if (data.items) return { ...data, items: this.#put(data.items, singular(noun), true) }
    if (data.anyOf) return { ...data, anyOf: data.anyOf.map((each) => this.#put(each, noun, true, noun)) }
    return this.#put(data, noun, true)
  }

  /** `isMain`: gets a name even when it occurs once. `otherwise`: its name when the first is taken. */
  #put(schema: JsonSchema, name: string, isMain: boolean, otherwise = name): JsonSchema {
    if (!isNameable(schema) || !(this.#isShared(schema) || (isMain && schema.properties) || schema.title)) return this.#inside(schema, name)
    const known = this.#known(schema)
    if (known) return known
    const own = this.#free(schema.title ?? name, otherwise)
    this.#names.set(keyOf(schema), own)
    const { description, ...rest } = this.#inside(schema, own)
    this.#schemas.set(own, rest)
    return ref(own, description)
  }

  #inside(schema: JsonSchema, name: string): JsonSchema {
    const { properties, items, anyOf, allOf, additionalProperties, patternProperties } = schema
    const each = (members: Record<string, JsonSchema>) =>
      Object.fromEntries(
        Object.entries(members).map(([member, child]) => [member, this.#put(child, name + memberName(member, child), false)]),
      )
    const same = (child: JsonSchema) => this.#put(child, name, false)
    return {
      ...schema,
      ...(properties && { properties: each(properties) }),
      ...(items && { items: same(items) }),
      ...(anyOf && { anyOf: anyOf.map(same) }),
      ...(allOf && { allOf: allOf.map(same) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: same(additionalProperties) }),
      ...(patternProperties && { patternProperties: Object.fromEntries(Object.entries(patternProperties).map(([k, v]) => [k, same(v)])) }),
    }
  }

  #isShared(schema: JsonSchema): boolean {
    return (this.#counts.get(keyOf(schema)) ?? 0) > 1
  }

  #known(schema: JsonSchema): JsonSchema | undefined {
    const name = this.#names.get(keyOf(schema))
    return name === undefined ? undefined : ref(name, schema.description)
  }

  #keep(schema: JsonSchema, placed: JsonSchema, name: string): JsonSchema {
    const own = this.#free(name, name)
    this.#names.set(keyOf(schema), own)
    this.#schemas.set(own, placed)
    return ref(own, schema.description)
  }

  #free(name: string, otherwise: string): string {
    const names = [name, otherwise, ...Array.from({ length: 20 }, (_, index) => `${otherwise}${index + 2}`)]
    const free = names.find((each) => !this.#taken.has(each)) ?? name
    this.#taken.add(free)
    return free
  }
}

function ref(name: string, description: string | undefined): JsonSchema {
  return { $ref: REF + name, ...(description !== undefined && { description }) }
}

function memberName(member: string, { items, additionalProperties }: JsonSchema): string {
  const isMany = items !== undefined || typeof additionalProperties === 'object'
  return capital(
    (isMany ? singular(member) : member).replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase()),
  )
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function singular(text: string): string {
  if (text.endsWith('People')) return text.replace(/People$/, 'Person')
  if (text.endsWith('ies')) return `${text.slice(0, -3)}y`
  const [, many, whose] = /^(\w+)s(Of[A-Z]\w*)$/.exec(text) ?? []
  if (many !== undefined) return many + whose
  if (/(ch|sh|x|ss)es$/.test(text)) return text.slice(0, -2)
  return /(ss|us|is|ics)$/.test(text) ? text : text.replace(/s$/, '')
}
