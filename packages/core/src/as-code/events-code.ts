/** Declared types of events as a document holds them: as the route that declares them takes them. */
import type { Parsed } from '../blocks/definition.ts'
import type { JsonObject } from '../blocks/field.ts'
import { readDeclaredType, type DeclaredType } from '../events/catalog/declared-type.ts'

/** Named by its name. */
export type EventCode = DeclaredType

export function readEventCode(entry: JsonObject): Parsed<EventCode> {
  return readDeclaredType(entry)
}
