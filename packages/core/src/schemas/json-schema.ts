/** JSON schemas (draft 7, which every editor knows) for the files that people write, made of what the readers of core are made of. */
import type { Json } from '../blocks/field.ts'

/** A schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: Json | JsonSchema | readonly (Json | JsonSchema)[] | readonly string[] | undefined }
type Members = Readonly<Record<string, JsonSchema>>

/** A text. `least` and `most` count characters as people do. */
export function text(description: string, bounds: { least?: number; most?: number; pattern?: string } = {}): JsonSchema {
  const { least, most, pattern } = bounds
  return {
    type: 'string',
    description,
    ...(least !== undefined && { minLength: least }),
    ...(most !== undefined && { maxLength: most }),
    ...(pattern !== undefined && { pattern }),
  }
}

export function oneOf(description: string, values: readonly string[]): JsonSchema {
  return { enum: values, description }
}

export function flag(description: string): JsonSchema {
  return { type: 'boolean', description }
}

export function whole(description: string, min: number, max?: number): JsonSchema {
  return { type: 'integer', description, minimum: min, ...(max !== undefined && { maximum: max }) }
}

export function list(description: string, items: JsonSchema, bounds: { least?: number; most?: number } = {}): JsonSchema {
  const { least, most } = bounds
  return {
    type: 'array',
    description,
    items,
    ...(least !== undefined && { minItems: least }),
    ...(most !== undefined && { maxItems: most }),
  }
}

/** An object of these members. With `isClosed` the reader refuses any other, otherwise it leaves them out. */
export function object(description: string, members: Members, rest: { required?: readonly string[]; isClosed?: boolean } = {}): JsonSchema {
  const { required = [], isClosed = false } = rest
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required }),
    properties: members,
    ...(isClosed && { additionalProperties: false }),
  }
}

/** An object of any members, each of which is one of these. */
export function record(description: string, each: JsonSchema): JsonSchema {
  return { type: 'object', description, additionalProperties: each }
}

/** The same, where the reader takes null as left out. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  if (Array.isArray(values)) return { ...schema, enum: [...(values as string[]), null] }
  return typeof type === 'string' ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] }
}

/** A whole file. */
export function file(title: string, schema: JsonSchema): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema }
}

/** What names the schema of a file in the file itself. */
export const SCHEMA_MEMBER = { $schema: { description: 'The address of this schema, for editors' } } as const
