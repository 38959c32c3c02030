/** Where an event is not what its type declares. Nothing is dropped for it: it is counted and shown. */
import type { Json, JsonObject } from '../../blocks/field.ts'
import type { DeclaredKind, PropertyKind } from './property-kind.ts'
import { isOfKind, kindOf } from './property-kind.ts'
import type { DeclaredType } from './declared-type.ts'

/** How an event differs from its declaration. It leaves the value out, because the value may tell of a person. */
export type ViolationShape =
  | { rule: 'required'; expected: DeclaredKind }
  | { rule: 'kind'; expected: DeclaredKind; found: PropertyKind; length?: number }
  | { rule: 'enum'; expected: DeclaredKind; found: PropertyKind; length?: number }
export type Violation = { property: string; shape: ViolationShape }

/** What an event of a type is held against. */
export type TypeRules = { required: readonly (readonly [string, DeclaredKind])[]; properties: ReadonlyMap<string, PropertyRule> }
type PropertyRule = { kind: DeclaredKind; isRequired: boolean; values: ReadonlySet<Json> | undefined }

export function rulesOf({ properties }: Pick<DeclaredType, 'properties'>): TypeRules {
  const rules = Object.entries(properties).map(([name, declared]): [string, PropertyRule] => [
    name,
    { kind: declared.kind, isRequired: declared.required === true, values: declared.enum && new Set<Json>(declared.enum) },
  ])
  return {
    required: rules.flatMap(([name, { isRequired, kind }]) => (isRequired ? [[name, kind] as const] : [])),
    properties: new Map(rules),
  }
}

/** Each property at most once, those that are missing last. A null is as good as nothing. */
export function findViolations(rules: TypeRules, properties: JsonObject | null): Violation[] {
  const found: Violation[] = []
  for (const [name, value] of Object.entries(properties ?? {})) {
    const rule = rules.properties.get(name)
    if (!rule || value === null) continue
    const kind = kindOf(value)
    const length = typeof value === 'string' || Array.isArray(value) ? value.length : undefined
    const shape = { expected: rule.kind, found: kind, ...(length !== undefined && { length }) }
    if (!isOfKind(kind, rule.kind)) found.push({ property: name, shape: { rule: 'kind', ...shape } })
    else if (rule.values && !rule.values.has(value)) found.push({ property: name, shape: { rule: 'enum', ...shape } })
  }
  for (const [name, expected] of rules.required)
    if (!properties || !Object.hasOwn(properties, name) || properties[name] === null)
      found.push({ property: name, shape: { rule: 'required', expected } })
  return found
}
