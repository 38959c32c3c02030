/** A value that fits a schema: its own example, or one made of its parts and of what members of such a name usually hold. */
import { ID, NUMBERS, TEXTS, TIME } from './example-values.ts'
import type { JsonSchema } from './schemas.ts'

export function exampleOf(schema: JsonSchema, member = ''): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, member)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, member))) as object
  if (schema.default !== undefined) return schema.default
  if (schema.properties) return Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, exampleOf(each, name)]))
  if (schema.type === 'array') return schema.items ? [exampleOf(schema.items, member)] : []
  if (schema.type === 'string') return textOf(schema, member)
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema, member)
  if (schema.type === 'boolean') return true
  if (schema.type === 'null') return null
  return schema.type === 'object' || schema.type === undefined ? {} : null
}

function numberOf({ type, minimum = 0, maximum = Infinity }: JsonSchema, member: string): number {
  const usual = NUMBERS[member] ?? 3
  const fitting = type === 'integer' && !Number.isInteger(usual) ? 3 : usual
  return Math.max(minimum, Math.min(maximum, fitting))
}

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema, member: string): string {
  if (pattern === '^[0-9a-f]{64}$') return '5e'.repeat(32)
  if (format === 'date-time') return TIME
  if (format === 'date') return TIME.slice(0, 10)
  if (format === 'uri') return 'https://example.com/'
  if (format === 'email') return TEXTS['email']!
  const usual = TEXTS[member] ?? (/(^i|I)ds?$/.test(member) ? ID : member.endsWith('At') ? TIME : 'text')
  const said = pattern === undefined || new RegExp(pattern).test(usual) ? usual : 'text'
  return said.padEnd(minLength, '.').slice(0, maxLength)
}
