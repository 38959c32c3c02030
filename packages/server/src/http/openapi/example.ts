/** A value that fits a schema: its own example, or one made of its parts and of what members of such a name usually hold. */
import type { JsonSchema } from './schemas.ts'

const ID = '01a1b2c3-d4e5-7f60-8a7b-9c0d1e2f3a4b'
const TIME = '2026-11-21T09:00:00.000Z'

/** Example texts by the name of the member. */
const TEXTS: Record<string, string> = {
  name: 'Summer sale',
  title: 'Welcome back',
  body: 'Your basket is waiting',
  description: 'Shown on the first screen',
  email: 'sara@example.com',
  phone: '+966501234567',
  userId: 'sara',
  deviceId: 'phone-1',
  key: 'welcome',
  blockKey: 'welcome',
  locale: 'ar',
  code: 'ar',
  currency: 'SAR',
  country: 'SA',
  city: 'Riyadh',
  timeZone: 'Asia/Riyadh',
  timezone: 'Asia/Riyadh',
  url: 'https://example.com/hook',
  namespace: 'app',
  screen: 'home',
  tag: '#title',
  note: 'Please check the Arabic text',
  password: 'a long enough one',
  token: 'text-of-the-token',
  error: 'What went wrong, in words',
  start: '21:00',
  end: '07:00',
}

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
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 3, 3))
  if (schema.type === 'boolean') return true
  if (schema.type === 'null') return null
  return schema.type === 'object' || schema.type === undefined ? {} : null
}

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema, member: string): string {
  if (pattern === '^[0-9a-f]{64}$') return '5e'.repeat(32)
  if (format === 'date-time') return TIME
  if (format === 'date') return TIME.slice(0, 10)
  if (format === 'uri') return 'https://example.com/'
  if (format === 'email') return TEXTS['email']!
  const said = TEXTS[member] ?? (/(^i|I)d$/.test(member) ? ID : member.endsWith('At') ? TIME : 'text')
  return said.padEnd(minLength, '.').slice(0, maxLength)
}
