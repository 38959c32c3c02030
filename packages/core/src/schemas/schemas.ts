/** Every schema by the name under which it is printed, packed and served. */
import { documentSchema } from './document-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { manifestSchema } from './manifest-schema.ts'
import { projectFileSchema } from './project-file.ts'
import { eventsSchema, textsSchema } from './texts-schema.ts'

export const SCHEMA_NAMES = ['project', 'manifest', 'texts', 'events', 'document'] as const
export type SchemaName = (typeof SCHEMA_NAMES)[number]

export const SCHEMAS: Record<SchemaName, JsonSchema> = {
  project: projectFileSchema,
  manifest: manifestSchema,
  texts: textsSchema,
  events: eventsSchema,
  document: documentSchema,
}

/** A schema as the file that editors read. */
export function printSchema(name: SchemaName): string {
  return `${JSON.stringify(SCHEMAS[name], undefined, 2)}\n`
}
